//! A file's text to its outermost mapping, JSON or YAML.

use crate::engine::text::trim_spaces;

use super::node::{Mapping, Node};
use super::yaml;

/// The largest file that is read, in bytes.
pub(super) const MOST_BYTES: usize = 131_072;

/// Why a file says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// It is larger than [`MOST_BYTES`].
    TooLarge,
    /// It is neither JSON nor YAML, or has more than one meaning.
    Unreadable,
    /// It holds something other than keys and values.
    NotAMapping,
}

/// The mapping of a file; nothing when the file is blank.
pub(super) fn read(content: &str) -> Result<Option<Mapping>, Unusable> {
    let text = trim_spaces(content);
    if text.is_empty() {
        return Ok(None);
    }
    if content.len() > MOST_BYTES {
        return Err(Unusable::TooLarge);
    }
    let looks_like_json = text.starts_with(['{', '[']);
    let json = || serde_json::from_str(text).ok();
    let node = looks_like_json.then(json).flatten().or_else(|| yaml::read(text));
    match node.ok_or(Unusable::Unreadable)? {
        Node::Mapping(mapping) => Ok(Some(mapping)),
        _ => Err(Unusable::NotAMapping),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_json_yaml_or_nothing() {
        assert_eq!(read(" \u{FEFF}\n"), Ok(None));
        assert_eq!(read("42"), Err(Unusable::NotAMapping));
        assert_eq!(read("# only a comment"), Err(Unusable::NotAMapping));
        assert_eq!(read("[1]"), Err(Unusable::NotAMapping));
        assert_eq!(read("{\"a\": 1 // no\n, \"b\": [}"), Err(Unusable::Unreadable));
        assert!(read("{\"a\": 1 # yaml\n}").is_ok_and(|mapping| mapping.is_some()));
    }

    #[test]
    fn keys_of_json_may_stand_twice() {
        let mapping = read("{\"a\": 1, \"a\": 2}").ok().flatten().unwrap_or_default();
        assert_eq!(mapping.get("a"), Some(&Node::Number(2.0)));
    }

    #[test]
    fn the_limit_is_in_bytes_and_inclusive() {
        let padded = |bytes: usize| format!("a: 1\n#{}", "x".repeat(bytes - 6));
        assert!(read(&padded(MOST_BYTES)).is_ok());
        assert_eq!(read(&padded(MOST_BYTES + 1)), Err(Unusable::TooLarge));
    }
}
