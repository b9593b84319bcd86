//! Why a schema cannot be read, as data: the keyword that it hangs on, and what would be right.

use serde_json::Value;

use super::dialect::kind;
use super::references::{DEEPEST, shown};

/// Why a schema cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// The keyword that it hangs on.
    pub(super) keyword: String,
    /// What is wrong, where, and what would be right.
    pub(super) why: String,
}

impl Unreadable {
    pub(super) fn new(keyword: &str, why: String) -> Self {
        Self { keyword: keyword.to_owned(), why }
    }

    pub(super) fn nesting(at: &str) -> Self {
        let why =
            format!("its schemas lie within each other more than {DEEPEST} deep, the last of them at {}", shown(at));
        Self::new("nesting", why)
    }

    pub(super) fn no_schema(value: &Value, at: &str) -> Self {
        let why = format!(
            "{} stands at {}, where a schema is expected: an object, `true` or `false`",
            kind(value),
            shown(at)
        );
        Self::new("$schema", why)
    }
}
