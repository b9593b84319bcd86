//! Reads text as it is shown once it is taken for what it looks like: a tag inside a word is not seen, the target of a link
//! and a terminal's colour neither, and a code is the character that it stands for. Text that leaves this program may be shown
//! as HTML or Markdown or on a terminal and may be decoded, so a term is looked for in that reading as well.

use super::codes;

/// The longest tag and the longest target of a link that are waited for; the text behind their beginnings is held back
/// meanwhile.
const LONGEST_TAG: usize = 256;
const LONGEST_REFERENCE: usize = 32;

/// What begins an order to a terminal, and the same with the bracket behind it.
const TERMINAL: char = '\u{1b}';
const SHORT_TERMINAL: char = '\u{9b}';

/// How often a code may be coded.
const DEEPEST_CODE: usize = 3;

/// What is read as something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looking {
    /// Codes, and what is not seen beside the text.
    AtMarkup,
    /// Codes alone: what stands in a tag or a target may be read as well.
    AtCodes,
}

/// The text read again and again, since what a code stands for may be a part of another one, or of markup.
#[derive(Clone, Debug)]
pub(super) struct Layers(Vec<Markup>);

/// What was begun and may still become markup.
#[derive(Clone, Debug)]
pub(super) struct Markup {
    looking: Looking,
    start: usize,
    pending: String,
}

/// What the characters so far come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// They may still become something.
    Begun,
    /// They are something, shown as this character or not at all.
    Is(Option<char>),
    /// They are what they are.
    Nothing,
}

use Progress::{Begun, Is, Nothing};

impl Looking {
    /// Whether this character may begin what is looked at.
    pub(super) fn begins(self, character: char) -> bool {
        codes::begins(character) || (self == Self::AtMarkup && begins(character))
    }
}

impl Layers {
    pub(super) fn new(looking: Looking) -> Self {
        let last = (looking == Looking::AtMarkup).then(|| Markup::new(Looking::AtMarkup));
        Self((0..DEEPEST_CODE).map(|_| Markup::new(Looking::AtCodes)).chain(last).collect())
    }

    /// The first byte of what may still become something else.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        self.0.iter().filter_map(Markup::undecided_from).min()
    }

    /// Takes the next character, and gives `each` what is seen by now, with the byte where it begins.
    pub(super) fn feed(&mut self, at: usize, character: char, mut each: impl FnMut(usize, char)) {
        through(&mut self.0, at, character, &mut each);
    }

    /// Nothing follows: what was waited for is what it is.
    pub(super) fn finish(&mut self, mut each: impl FnMut(usize, char)) {
        let mut layers = self.0.as_mut_slice();
        while let Some((layer, deeper)) = layers.split_first_mut() {
            layer.finish(|from, shown| through(deeper, from, shown, &mut each));
            layers = deeper;
        }
    }
}

/// Takes a character through one layer after the other.
fn through(layers: &mut [Markup], at: usize, character: char, each: &mut dyn FnMut(usize, char)) {
    match layers.split_first_mut() {
        Some((layer, deeper)) => layer.feed(at, character, |from, shown| through(deeper, from, shown, each)),
        None => each(at, character),
    }
}

/// Whether this character may begin what is not seen.
fn begins(character: char) -> bool {
    matches!(character, '<' | '[' | ']' | TERMINAL | SHORT_TERMINAL)
}

impl Markup {
    fn new(looking: Looking) -> Self {
        Self { looking, start: 0, pending: String::new() }
    }

    /// The first byte of what may still become markup.
    fn undecided_from(&self) -> Option<usize> {
        (!self.pending.is_empty()).then_some(self.start)
    }

    /// Takes the next character, and gives `each` what is seen by now, with the byte where it begins.
    fn feed(&mut self, at: usize, character: char, mut each: impl FnMut(usize, char)) {
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
        let is_begun = if self.looking == Looking::AtCodes { codes::begins(character) } else { begins(character) };
        if let Some(shown) = codes::hidden(character) {
            each(at, shown);
        } else if is_begun {
            self.start = at;
            self.pending.push(character);
        } else {
            each(at, character);
        }
    }

    /// It becomes nothing: what was waited for is what it is.
    fn finish(&mut self, mut each: impl FnMut(usize, char)) {
        if let Some(shown) = codes::cut_short(&self.pending) {
            for shown in shown {
                each(self.start, shown);
            }
        } else {
            self.pending.char_indices().for_each(|(offset, character)| each(self.start + offset, character));
        }
        self.pending.clear();
    }
}

fn progress(pending: &str) -> Progress {
    match pending.as_bytes()[0] {
        b'<' => tag(pending),
        b']' => target(pending),
        b'[' => note(pending),
        _ if pending.starts_with([TERMINAL, SHORT_TERMINAL]) => terminal(pending),
        _ => codes::progress(pending),
    }
}

/// What begins well goes on while it is short enough and each character may stand there.
pub(super) fn begun(pending: &str, longest: usize, is_allowed: bool) -> Progress {
    if is_allowed && pending.len() <= longest { Begun } else { Nothing }
}

pub(super) fn last(pending: &str) -> char {
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

/// `](https://…)` and `][1]`, behind the text of a link.
fn target(pending: &str) -> Progress {
    match (pending.as_bytes()[1], last(pending)) {
        (b'(', ')') | (b'[', ']') => Is(None),
        // What stands behind an address that never ends is text.
        (b'(', last) => {
            begun(pending, LONGEST_TAG, !matches!(last, '\n' | '[' | ']') && (last != '<' || pending.len() == 3))
        }
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

/// Colours and the like, and the address behind a text.
fn terminal(pending: &str) -> Progress {
    let last = last(pending);
    let order = pending.strip_prefix("\u{1b}[").or_else(|| pending.strip_prefix(SHORT_TERMINAL));
    if let Some(order) = order {
        return match last {
            '@'..='~' if !order.is_empty() => Is(None),
            _ => begun(pending, LONGEST_REFERENCE, order.is_empty() || matches!(last, ' '..='?')),
        };
    }
    if pending.starts_with("\u{1b}]") {
        let ends = last == '\u{7}' || pending.ends_with("\u{1b}\\");
        return if ends { Is(None) } else { begun(pending, LONGEST_TAG, last != '\n') };
    }
    match last {
        ' '..='/' => begun(pending, LONGEST_REFERENCE, true),
        '0'..='~' => Is(None),
        _ => Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let mut markup = Layers::new(Looking::AtMarkup);
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
        check("](wa<b>ll</b>et ](<a b>)", "](wallet ");
    }

    #[test]
    fn what_a_terminal_shows_is_read() {
        check("w\u{1b}[31ma\u{1b}[0ml\u{9b}1;2mlet", "wallet");
        check("\u{1b}]8;;https://a.example\u{1b}\\wa\u{1b}]8;;\u{7}ll\u{1b}(et", "wallt");
        check("\u{1b}[\u{1}x \u{1b}\n", "\u{1b}[\u{1}x \u{1b}\n");
    }

    #[test]
    fn codes_are_the_characters_that_they_stand_for() {
        check("w%61l%6Cet %E2%80%8B %D0%B0 100% %zz %4 %C3x", "wallet \u{200b} \u{430} 100% %zz %4 \u{c3}x");
        check(r"w\u0061l\x6Cet\u{200b} \ud835\udc30 \n\t C:\work", "wallet\u{200b} \u{1d430} \n\n C:\\work");
        check("w=61l=\nlet, a = b, x==y", "wallet, a = b, x==y");
        check(r"w\141llet \342\200\213\e[1m \9", "wallet \u{200b} \\9");
        check("w\u{e0061}\u{e006c}let", "wallet");
        check(r"\ud835x \ud835\u0061 \udc30 \u00 \u{110000} \xg", r"\ud835x \ud835\u0061 \udc30 \u00 \u{110000} \xg");
    }
}
