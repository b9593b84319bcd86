//! What a report repeats of a stranger's line.

use super::units::cut_units;
use crate::privacy::without_secrets;

/// The beginning of `text` with at most `most` units, as it reads: control characters become spaces, and what only turns the
/// direction of writing or hides between letters is left out. What looks like a secret is taken out of the whole, before a
/// part of one could be all that is left.
pub fn plain(text: &str, most: usize) -> String {
    let text = plain_whole(text);
    cut_units(&text, most).to_owned()
}

/// The same without a limit.
pub fn plain_whole(text: &str) -> String {
    let shown = text.chars().filter(|character| !is_unseen(*character));
    let shown: String = shown.map(|character| if character.is_control() { ' ' } else { character }).collect();
    without_secrets(&shown).into_owned()
}

/// Characters without a shape of their own that make a text read otherwise than it is written. The joiner that emoji and
/// several scripts need is none of them.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{61C}' | '\u{2028}' | '\u{2029}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
    )
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_line_reads_as_it_is_written() {
        assert_eq!(plain("a\u{7}b\nc", 10), "a b c");
        assert_eq!(plain("in\u{202E}vert\u{2066}ed\u{200B} \u{E0041}tag\u{FEFF}", 30), "inverted tag");
        assert_eq!(plain("👩\u{200D}🔧 ok", 300), "👩\u{200D}🔧 ok");
        assert_eq!(plain("abcdef", 3), "abc");
        assert_eq!(plain("a\u{AD}b\u{61C}c\u{2028}d", 10), "abcd");
    }

    #[test]
    fn a_secret_is_taken_out_before_the_line_is_cut() {
        assert_eq!(plain("key ghp_0123\u{AD}456789abcdef0123456789", 14), "key [redacted]");
        assert_eq!(plain("key ghp_0123456789abcdef0123456789", 6), "key [r");
    }
}
