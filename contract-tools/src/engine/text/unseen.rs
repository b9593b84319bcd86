//! Characters that nobody sees, which must not tell apart what looks the same, nor pass for something that is written.

use crate::document::is_space;

/// Whether a character has no shape of its own, by Unicode's list of what is ignored where it cannot be shown.
pub(super) fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether a reader would see nothing.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| is_space(character) || character.is_control() || is_unseen(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_blank() {
        for text in ["", " \t", "\u{200B}", "\u{2060}\u{FEFF}\u{AD}", "\u{3164}", "\u{85}\u{0}", "\u{E0041}\u{FE0F}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["-", "🔥", "\u{200B}a", "é"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
