//! Reads text as it is shown once it is taken for what it looks like: a tag inside a word is not seen, the target of a link
//! neither, and an entity, an escape or a percent code is the character that it stands for. Text that leaves this program may
//! be shown as HTML or Markdown and may be decoded, so a term is looked for in that reading as well.

/// The longest tag and the longest target of a link that are waited for; the text behind their beginnings is held back
/// meanwhile.
const LONGEST_TAG: usize = 256;
const LONGEST_ENTITY: usize = 16;
const LONGEST_REFERENCE: usize = 32;

/// What was begun and may still become markup.
#[derive(Clone, Debug, Default)]
pub(super) struct Markup {
    start: usize,
    pending: String,
}

/// What the characters so far come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// They may still become something.
    Begun,
    /// They are something, shown as this character or not at all.
    Is(Option<char>),
    /// They are what they are.
    Nothing,
}

use Progress::{Begun, Is, Nothing};

impl Markup {
    /// Whether this character may begin markup.
    pub(super) fn begins(character: char) -> bool {
        matches!(character, '<' | '&' | '%' | '\\' | '[' | ']')
    }

    /// The first byte of what may still become markup.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        (!self.pending.is_empty()).then_some(self.start)
    }

    /// Takes the next character, and gives `each` what is seen by now, with the byte where it begins.
    pub(super) fn feed(&mut self, at: usize, character: char, mut each: impl FnMut(usize, char)) {
        if !self.pending.is_empty() {
            self.pending.push(character);
            match progress(&self.pending) {
                Begun => return,
                Is(shown) => {
                    if let Some(shown) = shown {
                        each(self.start, shown);
                    }
                    self.pending.clear();
                    return;
                }
                Nothing => {
                    self.pending.pop();
                }
            }
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
        if let Some(number) = self.pending.strip_prefix("&#")
            && let Some(shown) = numbered(number)
        {
            each(self.start, shown);
        } else {
            self.pending.char_indices().for_each(|(offset, character)| each(self.start + offset, character));
        }
        self.pending.clear();
    }
}

fn progress(pending: &str) -> Progress {
    match pending.as_bytes()[0] {
        b'<' => tag(pending),
        b'&' => entity(pending),
        b'%' => percent(pending),
        b'\\' => escape(pending),
        b']' => target(pending),
        _ => note(pending),
    }
}

/// What begins well goes on while it is short enough and each character may stand there.
fn begun(pending: &str, longest: usize, is_allowed: bool) -> Progress {
    if is_allowed && pending.len() <= longest { Begun } else { Nothing }
}

fn last(pending: &str) -> char {
    pending.chars().next_back().unwrap_or_default()
}

fn tag(pending: &str) -> Progress {
    let last = last(pending);
    let first = pending[1..].chars().next().unwrap_or_default();
    if !first.is_ascii_alphabetic() && !matches!(first, '/' | '!') {
        return Nothing;
    }
    if last == '>' { Is(None) } else { begun(pending, LONGEST_TAG, !matches!(last, '<' | '&' | '\n')) }
}

fn entity(pending: &str) -> Progress {
    let last = last(pending);
    if last == ';' {
        let name = &pending[1..pending.len() - 1];
        return match name.strip_prefix('#') {
            Some(number) => numbered(number).map_or(Nothing, |shown| Is(Some(shown))),
            None if name.is_empty() => Nothing,
            None => Is(Some(named(name))),
        };
    }
    let is_allowed = match pending.as_bytes() {
        [b'&', b'#'] | [b'&', b'#', b'x' | b'X'] => true,
        [b'&', b'#', b'x' | b'X', ..] => last.is_ascii_hexdigit(),
        [b'&', b'#', ..] => last.is_ascii_digit(),
        [b'&', _] => last.is_ascii_alphabetic(),
        _ => last.is_ascii_alphanumeric(),
    };
    begun(pending, LONGEST_ENTITY, is_allowed)
}

/// The number of a character as an entity writes it.
fn numbered(number: &str) -> Option<char> {
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    number.ok().and_then(char::from_u32)
}

/// The character that a named entity is. Those count that are not seen, that are space, or that are a letter in another form
/// or with something on it; any other one is a sign.
fn named(name: &str) -> char {
    match name {
        "shy" | "zwj" | "zwnj" | "lrm" | "rlm" | "NoBreak" | "ZeroWidthSpace" | "InvisibleTimes" | "InvisibleComma"
        | "ic" | "it" | "af" | "ApplyFunction" => '\u{200b}',
        "nbsp" | "ensp" | "emsp" | "thinsp" | "hairsp" | "NonBreakingSpace" | "Tab" | "NewLine" => ' ',
        "inodot" | "imath" => 'i',
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        _ => {
            let forms = [
                "acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "macr", "breve", "caron", "ogon", "dot",
                "strok", "slash", "scr", "fr", "opf",
            ];
            let mut letters = name.chars();
            let letter = letters.next().unwrap_or_default();
            if forms.contains(&letters.as_str()) { letter } else { '\u{b7}' }
        }
    }
}

/// `%61`, and as many of them as a character has bytes.
fn percent(pending: &str) -> Progress {
    let mut bytes = Vec::new();
    for code in pending.split('%').skip(1) {
        if !code.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Nothing;
        }
        if code.len() < 2 {
            return Begun;
        }
        let Ok(byte) = u8::from_str_radix(code, 16) else { return Nothing };
        bytes.push(byte);
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Is(text.chars().next()),
        // It ends too early, and the rest may come.
        Err(error) if error.error_len().is_none() => Begun,
        Err(_) => Nothing,
    }
}

/// `\u0061`, `\u{61}`, `\x61`, and the line breaks and tabs that are written as letters.
fn escape(pending: &str) -> Progress {
    if pending.len() > LONGEST_ENTITY {
        return Nothing;
    }
    let body = &pending[1..];
    let hexadecimal = |digits: &str| digits.chars().all(|digit| digit.is_ascii_hexdigit());
    let character = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    if matches!(body, "n" | "r" | "t") {
        return Is(Some('\n'));
    }
    if let Some(digits) = body.strip_prefix('x') {
        return match digits.len() {
            _ if !hexadecimal(digits) => Nothing,
            2 => Is(character(digits)),
            _ => Begun,
        };
    }
    let Some(digits) = body.strip_prefix(['u', 'U']) else { return Nothing };
    if let Some(digits) = digits.strip_prefix('{') {
        return match digits.strip_suffix('}') {
            Some(digits) => character(digits).map_or(Nothing, |shown| Is(Some(shown))),
            None => begun(pending, LONGEST_ENTITY, hexadecimal(digits)),
        };
    }
    // Two of them may be the halves of one character.
    let mut units = Vec::new();
    for digits in digits.split("\\u") {
        let digits = digits.strip_suffix('\\').unwrap_or(digits);
        match u16::from_str_radix(digits, 16) {
            _ if !hexadecimal(digits) || digits.len() > 4 => return Nothing,
            Ok(unit) if digits.len() == 4 => units.push(unit),
            _ => return Begun,
        }
    }
    match char::decode_utf16(units.iter().copied()).next() {
        Some(Ok(shown)) => Is(Some(shown)),
        _ if units.len() == 1 && (0xd800..0xdc00).contains(&units[0]) => begun(pending, 12, true),
        _ => Nothing,
    }
}

/// `](https://…)` and `][1]`, behind the text of a link.
fn target(pending: &str) -> Progress {
    match (pending.as_bytes()[1], last(pending)) {
        (b'(', ')') | (b'[', ']') => Is(None),
        (b'(', last) => begun(pending, LONGEST_TAG, last != '\n'),
        (b'[', last) => begun(pending, LONGEST_REFERENCE, last != '\n'),
        _ => Nothing,
    }
}

/// `[^1]`.
fn note(pending: &str) -> Progress {
    match (pending.as_bytes()[1], last(pending)) {
        (b'^', ']') => Is(None),
        (b'^', last) => begun(pending, LONGEST_REFERENCE, last != '\n'),
        _ => Nothing,
    }
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
        check("a&shy;b&nbsp;c&eacute;&wscr;&period;", "a\u{200b}b cew\u{b7}");
        check("a < b && c &amp; d &; <", "a < b && c & d &; <");
        check("<b &#97;", "<b a");
        check("&#xfffffff; &#; &", "&#xfffffff; &#; &");
        check(&format!("<{}>", "x".repeat(300)), &format!("<{}>", "x".repeat(300)));
    }

    #[test]
    fn links_are_their_text() {
        check("[wal](https://a.example/b \"c\")let", "[wallet");
        check("wa[ll][1]et[^note], a[0] ](x\n)", "wa[llet, a[0] ](x\n)");
    }

    #[test]
    fn codes_are_the_characters_that_they_stand_for() {
        check("w%61l%6Cet %E2%80%8B %D0%B0 100% %zz %4 %C3x", "wallet \u{200b} \u{430} 100% %zz %4 %C3x");
        check(r"w\u0061l\x6Cet\u{200b} \ud835\udc30 \n\t C:\work", "wallet\u{200b} \u{1d430} \n\n C:\\work");
        check(r"\ud835x \ud835\u0061 \udc30 \u00 \u{110000} \xg", r"\ud835x \ud835\u0061 \udc30 \u00 \u{110000} \xg");
    }
}
