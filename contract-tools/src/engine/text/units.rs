//! Lengths as the rules count them: in UTF-16 units, whose limits were written for a language that counts so.

/// How many units `text` has.
pub fn unit_count(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The beginning of `text` with at most `most` units. A character of two units that does not fit whole is left out.
pub fn cut_units(text: &str, most: usize) -> &str {
    // Every character has at least one byte a unit, so a text this short needs no counting.
    if text.len() <= most {
        return text;
    }
    let mut units = 0;
    for (start, character) in text.char_indices() {
        units += character.len_utf16();
        if units > most {
            return &text[..start];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_whole_character() {
        assert_eq!(cut_units("abc", 3), "abc");
        assert_eq!(cut_units("abcd", 3), "abc");
        assert_eq!(cut_units("äöüß", 3), "äöü");
        assert_eq!(cut_units("ab🐛c", 3), "ab");
        assert_eq!(cut_units("ab🐛c", 4), "ab🐛");
        assert_eq!(cut_units("🐛", 0), "");
    }

    #[test]
    fn a_character_beyond_the_first_plane_is_two_units() {
        assert_eq!(unit_count("a🐛"), 3);
    }
}
