//! Reads HTML as a browser shows it: a tag inside a word is not seen, and an entity is the character that it stands for.
//! Text that leaves this program may be shown as HTML, so a term is looked for in that reading as well.

/// The longest tag and the longest entity that are waited for; the text behind their beginnings is held back meanwhile.
const LONGEST_TAG: usize = 48;
const LONGEST_ENTITY: usize = 16;

/// What was begun and may still become a tag or an entity.
#[derive(Clone, Debug, Default)]
pub(super) struct Markup {
    start: usize,
    pending: String,
}

impl Markup {
    /// Whether this character may begin markup.
    pub(super) fn begins(character: char) -> bool {
        matches!(character, '<' | '&')
    }

    /// The first byte of what may still become markup.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        (!self.pending.is_empty()).then_some(self.start)
    }

    /// Takes the next character, and gives `each` what is seen by now, with the byte where it begins.
    pub(super) fn feed(&mut self, at: usize, character: char, mut each: impl FnMut(usize, char)) {
        if self.goes_on(character) {
            self.pending.push(character);
            return;
        }
        if !self.pending.is_empty() && self.closes(character) {
            if let Some(shown) = decode(&self.pending) {
                each(self.start, shown);
            }
            self.pending.clear();
            return;
        }
        self.finish(&mut each);
        if Self::begins(character) {
            self.start = at;
            self.pending.push(character);
        } else {
            each(at, character);
        }
    }

    /// It becomes nothing: what was waited for is what it is.
    pub(super) fn finish(&mut self, mut each: impl FnMut(usize, char)) {
        // A browser reads a number without its semicolon too.
        if self.pending.starts_with("&#")
            && let Some(shown) = decode(&self.pending)
        {
            each(self.start, shown);
        } else {
            self.pending.char_indices().for_each(|(offset, character)| each(self.start + offset, character));
        }
        self.pending.clear();
    }

    fn goes_on(&self, character: char) -> bool {
        match self.pending.as_bytes() {
            [] => false,
            [b'<'] => character.is_ascii_alphabetic() || matches!(character, '/' | '!'),
            [b'<', ..] => self.pending.len() < LONGEST_TAG && !matches!(character, '<' | '>' | '&' | '\n'),
            [b'&'] => character == '#' || character.is_ascii_alphabetic(),
            [b'&', b'#'] => matches!(character, 'x' | 'X') || character.is_ascii_digit(),
            [b'&', b'#', b'x' | b'X', ..] => self.pending.len() < LONGEST_ENTITY && character.is_ascii_hexdigit(),
            [b'&', b'#', ..] => self.pending.len() < LONGEST_ENTITY && character.is_ascii_digit(),
            _ => self.pending.len() < LONGEST_ENTITY && character.is_ascii_alphanumeric(),
        }
    }

    fn closes(&self, character: char) -> bool {
        match self.pending.as_bytes() {
            [b'<', _, ..] => character == '>',
            [b'&', ..] => character == ';' && decode(&self.pending).is_some(),
            _ => false,
        }
    }
}

/// The character that an entity is, without its semicolon. Of the named ones, those count that are not seen, that are space,
/// or that are a letter with something on it.
fn decode(entity: &str) -> Option<char> {
    let name = entity.strip_prefix('&')?;
    if let Some(number) = name.strip_prefix('#') {
        let number = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return number.ok().and_then(char::from_u32);
    }
    Some(match name {
        "shy" => '\u{ad}',
        "zwj" | "zwnj" | "lrm" | "rlm" | "NoBreak" | "ZeroWidthSpace" | "InvisibleTimes" | "InvisibleComma" | "ic"
        | "it" | "af" | "ApplyFunction" => '\u{200b}',
        "nbsp" | "ensp" | "emsp" | "thinsp" | "hairsp" | "NonBreakingSpace" | "Tab" | "NewLine" => ' ',
        "lowbar" => '_',
        "hyphen" | "dash" | "ndash" | "mdash" => '-',
        "inodot" | "imath" => 'i',
        _ => {
            let marks = ["acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "macr", "breve", "caron", "ogon"];
            let mut letters = name.chars();
            let letter = letters.next()?;
            return marks.contains(&letters.as_str()).then_some(letter);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let mut markup = Markup::default();
        let mut seen = String::new();
        for (at, character) in text.char_indices() {
            markup.feed(at, character, |from, character| {
                assert!(from <= at);
                seen.push(character);
            });
        }
        markup.finish(|_, character| seen.push(character));
        assert_eq!(seen, expect, "{text:?}");
    }

    #[test]
    fn what_a_browser_shows_is_read() {
        check("w<b>a</b>l<!-- x -->l<i class=\"y\">et", "wallet");
        check("w&#97;l&#x6C;e&#116 &#97llet", "wallet allet");
        check("a&shy;b&nbsp;c&eacute;", "a\u{ad}b ce");
        check("a < b && c &amp; d <", "a < b && c &amp; d <");
        check("<b &#97;", "<b a");
        check("&#xfffffff; &#; &", "&#xfffffff; &#; &");
        check(&format!("<{}>", "x".repeat(60)), &format!("<{}>", "x".repeat(60)));
    }
}
