//! What a tool may be called, so that every client and every provider takes the name.

use crate::vocabulary::words::refuse_text;

/// The rule, as it is told to people: the safe intersection of MCP's, Anthropic's, OpenAI's and Gemini's.
pub(crate) const RULE: &str = "^[a-z][a-z0-9_]{0,63}$";

/// Whether `name` follows [`RULE`].
pub(crate) const fn is_tool_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 || !bytes[0].is_ascii_lowercase() {
        return false;
    }
    let mut at = 1;
    while at < bytes.len() {
        if !matches!(bytes[at], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return false;
        }
        at += 1;
    }
    true
}

/// Refuses to compile when `name` is no tool name.
#[track_caller]
pub const fn check_tool_name(name: &str) {
    if !is_tool_name(name) {
        refuse_text("tool name ", name, concat!(" does not match ", "^[a-z][a-z0-9_]{0,63}$"));
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, check_tool_name, is_tool_name};

    #[test]
    fn names_are_lower_case_words() {
        for good in ["a", "loopover_miner_ping", &"a".repeat(64)] {
            assert!(is_tool_name(good), "{good}");
        }
        for bad in ["", "get plan!", "loopover.get_plan", &"a".repeat(65), "обзор", "_a", "1a", "Get_Plan", "get-plan"]
        {
            assert!(!is_tool_name(bad), "{bad}");
        }
    }

    #[test]
    fn the_message_states_the_rule() {
        let panic = std::panic::catch_unwind(|| check_tool_name("Get Plan")).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().ends_with(RULE));
    }
}
