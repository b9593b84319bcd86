//! The committed contract and the registry of this binary: each is held against the other.

mod metadata;
pub mod reference;

use contract_core::projection::contract;
use contract_core::{MissingTools, Registry, ToolFilter};

pub use self::metadata::LoopoverMetadata;

/// `contract.json`, as it was when this binary was built.
pub const COMMITTED: &str = include_str!("../../contract.json");

/// The command that renews `contract.json`.
pub const RENEW: &str = "cargo run --bin loopover -- contract accept";

/// The registry's canonical contract.
pub fn current(registry: &Registry) -> String {
    contract::canonical(&registry.list_tool_definitions(&ToolFilter::new()))
}

/// Refuses a binary that lost tools at link time: every committed name must be there.
///
/// # Errors
/// When a committed tool is not in `registry`.
pub fn require_roster(registry: &Registry) -> Result<(), MissingTools> {
    let roster = contract::roster(COMMITTED).unwrap_or_default();
    registry.require(roster.iter().map(String::as_str))
}

/// The first line in which the committed contract and the current one differ, counted from one.
pub fn first_difference(committed: &str, current: &str) -> Option<usize> {
    if committed == current {
        return None;
    }
    let same = committed.lines().zip(current.lines()).take_while(|(one, other)| one == other).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_different_line_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    }
}
