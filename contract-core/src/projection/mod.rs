//! Every form in which tools are told to somebody: one file each, each a pure function of the definitions that
//! [`Registry::list_tool_definitions`](crate::Registry::list_tool_definitions) returned.
//!
//! The same definitions give the same bytes, whatever the profile, the link order or the thread. Providers understand
//! different parts of JSON Schema; what a form had to give up is listed in [`Projection::losses`] and still enforced by the
//! door.

mod dialect;

pub mod agent_index;
pub mod anthropic;
pub mod contract;
pub mod gemini;
pub mod markdown;
pub mod mcp;
pub mod openai;
pub mod typescript;

use std::fmt;

use serde_json::Value;

/// A document for somebody else, and what it could not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The document.
    pub document: Value,
    /// What the form had to give up, in order of the tools.
    pub losses: Vec<Loss>,
}

/// Something in a contract that a provider's form cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The tool.
    pub tool: &'static str,
    /// Where in its input, as property names; the whole of it is empty.
    pub place: String,
    /// What was given up, and what became of it.
    pub message: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tool)?;
        if !self.place.is_empty() {
            write!(f, " `{}`", self.place)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// More tools than a provider takes in one request. Nothing is cut: a missing tool would be a silent wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyTools {
    /// The provider.
    pub provider: &'static str,
    /// How many it takes.
    pub limit: usize,
    /// How many there are.
    pub count: usize,
}

impl fmt::Display for TooManyTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, limit, count } = self;
        write!(
            f,
            "{provider} takes at most {limit} tools in a request and there are {count}; filter by locality or category"
        )
    }
}

impl std::error::Error for TooManyTools {}

/// Refuses a list that is too long for `provider`.
fn within(provider: &'static str, limit: usize, count: usize) -> Result<(), TooManyTools> {
    if count <= limit { Ok(()) } else { Err(TooManyTools { provider, limit, count }) }
}
