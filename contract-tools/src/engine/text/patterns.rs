//! Patterns that stand in the code: the pieces they share, and their compilation.

use regex::Regex;

pub(super) use crate::document::is_space;

/// A character that the rules take for a space, as the inside of a class. U+0085 and U+200B are none.
pub(super) const SPACE: &str =
    r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// Compiles a pattern of the code, in which `SPACE` stands for the inside of the class of spaces.
pub(super) fn compile(pattern: &str) -> Regex {
    Regex::new(&pattern.replace("SPACE", SPACE)).expect("a pattern of the code compiles; a test of its rule uses it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_ask_for_a_space_agree() {
        let space = compile("^[SPACE]$");
        for character in '\0'..='\u{FFFF}' {
            assert_eq!(space.is_match(character.encode_utf8(&mut [0; 4])), is_space(character), "{character:?}");
        }
    }
}
