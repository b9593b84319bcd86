//! Takes what must not leave out of a text that comes in pieces, and lets the rest pass as soon as it is settled.
//!
//! What comes out does not depend on where the text is cut: everything is decided a character at a time. Held back is only
//! what may still become something to take out, and white space behind a mark; neither goes on for ever, whatever the text is
//! made of.

use super::MARK;
use super::matcher::Matcher;
use super::secrets::Secrets;
use super::sentence::{Next, Stop, WIDE};

/// A text on its way out.
#[derive(Clone, Debug)]
pub struct Redactor {
    matcher: Matcher,
    secrets: Secrets,
    /// What is held back; its first byte is the `settled`th of the text.
    held: String,
    settled: usize,
    position: usize,
    sentence: Sentence,
    /// The beginning of the last word of a sentence that is taken out.
    word: String,
    /// Whether a mark was the last thing that was let pass.
    is_marked: bool,
    /// How much white space stood behind it.
    blanks: usize,
    has_hidden: bool,
}

/// Whether the sentence that is read is taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sentence {
    Shown,
    Hidden,
    /// It is, and this may have been its end: a stop or a line break, and white space and marks behind it. The next word
    /// decides.
    Stopped(Stop),
    /// So many marks stood behind it that they are shown; a figure behind them belongs to it still.
    Passing,
}

/// So much of a word is kept.
const LONGEST_WORD: usize = 64;

/// So much white space behind a mark is waited for; what follows behind more of it has a mark of its own.
const LONGEST_BLANK: usize = 1 << 10;

/// A term, a secret or an address that is begun and not over after so many bytes is made of what is not seen: no text is
/// written like that for its own sake, so it is taken for what it may become.
const LONGEST_UNDECIDED: usize = 8 << 10;

/// How often, in bytes, it is asked how long something has been undecided; what is settled passes then.
const STRETCH: usize = 1 << 10;

/// Words whose full stop ends no sentence, in lower case. Words of one letter are such too.
const ABBREVIATIONS: [&str; 24] = [
    "approx", "ca", "cf", "co", "corp", "dr", "eg", "est", "etc", "fig", "ie", "inc", "jr", "ltd", "max", "min", "mr",
    "mrs", "ms", "no", "prof", "sr", "st", "vs",
];

impl Default for Redactor {
    fn default() -> Self {
        Self {
            matcher: Matcher::new(),
            secrets: Secrets::default(),
            held: String::new(),
            settled: 0,
            position: 0,
            sentence: Sentence::Shown,
            word: String::new(),
            is_marked: false,
            blanks: 0,
            has_hidden: false,
        }
    }
}

impl Redactor {
    /// Takes the next piece and returns what is settled now.
    pub fn push(&mut self, piece: &str) -> String {
        let mut passed = String::with_capacity(piece.len());
        for character in piece.chars() {
            self.feed(character, &mut passed);
        }
        self.release(&mut passed);
        passed
    }

    /// How many bytes are held back.
    pub fn held_back(&self) -> usize {
        self.held.len()
    }

    /// The text is over: returns the rest of it.
    pub fn finish(mut self) -> String {
        let mut passed = String::new();
        self.end(&mut passed);
        passed
    }

    /// The text is over: returns whether anything of it was taken out.
    pub(super) fn has_hidden(mut self) -> bool {
        self.end(&mut String::new());
        self.has_hidden
    }

    fn end(&mut self, passed: &mut String) {
        if let Some(hit) = self.matcher.finish() {
            if self.is_behind_stop(hit.start) {
                self.sentence = Sentence::Hidden;
            } else if hit.start >= self.settled && self.is_shown() {
                self.hide(hit.start, passed);
            }
        }
        if let Sentence::Stopped(stop) = &self.sentence
            && !self.secrets.is_inside()
        {
            self.held.push_str(stop.shown());
        }
        if !self.held.trim().is_empty() || !self.is_marked {
            self.is_marked = false;
        }
        passed.push_str(&self.held);
        self.held.clear();
    }

    fn is_shown(&self) -> bool {
        matches!(self.sentence, Sentence::Shown | Sentence::Passing) && !self.secrets.is_inside()
    }

    fn feed(&mut self, character: char, passed: &mut String) {
        let at = self.position;
        self.position += character.len_utf8();
        if at / STRETCH != self.position / STRETCH {
            self.keep_little(passed);
        }
        let was_shown = self.is_shown();
        let hit = self.matcher.feed(at, character);
        if let Some(hit) = hit.filter(|hit| self.is_behind_stop(hit.start)) {
            self.sentence = Sentence::Hidden;
            self.word.clear();
            if hit.is_inside {
                // The word goes on, and is no letter that ends in a full stop: `wallets.`.
                self.word.push_str(MARK);
                return;
            }
        }
        let hit = hit.filter(|hit| was_shown && hit.start >= self.settled);
        let secret = self.secrets.feed(at, character);
        if secret.is_some() && matches!(self.sentence, Sentence::Stopped(_)) {
            self.sentence = Sentence::Hidden;
        }
        let secret = secret.filter(|start| was_shown && *start >= self.settled);
        let start = hit.map(|hit| hit.start).into_iter().chain(secret).min();
        if let Some(start) = start {
            self.hide(start, passed);
            self.sentence = if hit.is_some() { Sentence::Hidden } else { Sentence::Shown };
            if hit.is_some_and(|hit| hit.is_inside) {
                self.word.push_str(MARK);
                return;
            }
        }
        self.read_sentence(at, character, passed);
        if self.is_shown() {
            if self.held.is_empty() {
                self.settled = at;
            }
            self.held.push(character);
            if self.is_marked && character.is_whitespace() {
                self.blanks += character.len_utf8();
                self.is_marked = self.blanks <= LONGEST_BLANK;
            }
        }
    }

    /// Lets pass what is settled, and takes out what will not come to an end.
    fn keep_little(&mut self, passed: &mut String) {
        let undecided = self.undecided_from().filter(|_| self.is_shown());
        if let Some(start) = undecided
            && self.held.len() > start.saturating_sub(self.settled) + LONGEST_UNDECIDED
        {
            self.hide(start, passed);
            self.sentence = Sentence::Hidden;
            self.matcher = Matcher::new();
            self.secrets = Secrets::default();
        }
        self.release(passed);
    }

    fn undecided_from(&self) -> Option<usize> {
        self.matcher.undecided_from().into_iter().chain(self.secrets.undecided_from()).min()
    }

    /// Whether this begins behind what may be the end of a sentence that is taken out: letters can be made of signs, and are
    /// not let pass as such.
    fn is_behind_stop(&self, start: usize) -> bool {
        matches!(&self.sentence, Sentence::Stopped(stop) if start >= stop.at) && !self.secrets.is_inside()
    }

    /// Finds the end of a sentence that is taken out: before its full stop, question or exclamation mark, or line break. A
    /// figure behind one of these belongs to it still, and so does a small letter behind a full stop.
    fn read_sentence(&mut self, at: usize, character: char, passed: &mut String) {
        match &mut self.sentence {
            Sentence::Shown => return,
            Sentence::Passing => {
                if character.is_numeric() {
                    self.hide(at, passed);
                    self.sentence = Sentence::Hidden;
                } else if character.is_alphabetic() {
                    self.sentence = Sentence::Shown;
                }
                return;
            }
            Sentence::Stopped(stop) => match stop.read(character) {
                Next::Waits => {
                    if stop.is_full() {
                        self.is_over(Sentence::Passing, true);
                    }
                    return;
                }
                Next::Over => return self.is_over(Sentence::Shown, false),
                Next::GoesOn => self.sentence = Sentence::Hidden,
            },
            Sentence::Hidden => {}
        }
        let is_end = match character {
            '.' => !self.is_abbreviated(),
            '!' | '?' | '\n' | '\r' => true,
            _ => WIDE.contains(&character),
        };
        if is_end {
            self.sentence = Sentence::Stopped(Stop::new(at, character));
        }
        self.read_word(character);
    }

    /// The sentence that was taken out ended at its stop, which is shown; `has_last` when the last character belongs to the
    /// stop.
    fn is_over(&mut self, next: Sentence, has_last: bool) {
        let Sentence::Stopped(stop) = std::mem::replace(&mut self.sentence, next) else { return };
        if self.is_shown() {
            let mut text = stop.text();
            if has_last {
                // It is held as every character that is shown.
                text = &text[..text.len() - text.chars().next_back().map_or(0, char::len_utf8)];
            }
            self.held.push_str(text);
            self.settled = stop.at;
        }
    }

    fn read_word(&mut self, character: char) {
        if !character.is_alphanumeric() {
            self.word.clear();
        } else if self.word.len() < LONGEST_WORD {
            self.word.extend(character.to_lowercase());
        }
    }

    /// Whether a full stop behind the last word ends no sentence.
    fn is_abbreviated(&self) -> bool {
        let is_letter = self.word.chars().count() == 1 && self.word.chars().all(char::is_alphabetic);
        is_letter || ABBREVIATIONS.contains(&self.word.as_str())
    }

    /// Lets everything before `start` pass, and puts a mark where the rest was.
    fn hide(&mut self, start: usize, passed: &mut String) {
        self.has_hidden = true;
        let before = &self.held[..start.saturating_sub(self.settled).min(self.held.len())];
        // Two marks with nothing between them say no more than one.
        if !self.is_marked || !before.trim().is_empty() {
            passed.push_str(before);
            passed.push_str(MARK);
        }
        self.is_marked = true;
        self.blanks = 0;
        self.held.clear();
        self.word.clear();
        self.settled = self.position;
    }

    /// Lets pass what is settled.
    fn release(&mut self, passed: &mut String) {
        let end = self
            .undecided_from()
            .map_or(self.held.len(), |from| from.saturating_sub(self.settled).min(self.held.len()));
        let ready = &self.held[..end];
        if ready.is_empty() || (self.is_marked && ready.trim().is_empty()) {
            return;
        }
        passed.push_str(ready);
        self.is_marked = false;
        self.held.drain(..end);
        self.settled += end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::redact;
    use super::*;

    /// Whatever the cuts, the same comes out.
    #[track_caller]
    fn check(text: &str) {
        let whole = redact(text);
        for width in 1..=text.chars().count().min(12) {
            let characters: Vec<char> = text.chars().collect();
            let mut redactor = Redactor::default();
            let mut out = String::new();
            for piece in characters.chunks(width) {
                out.push_str(&redactor.push(&piece.iter().collect::<String>()));
            }
            out.push_str(&redactor.finish());
            assert_eq!(out, whole, "{text:?} cut every {width}");
        }
    }

    #[test]
    fn where_a_text_is_cut_changes_nothing() {
        for text in [
            "",
            "Nothing here. Nothing there!",
            "Your wallet holds 5 and trust score is 9; hot\u{200b}key too. Then more? reward\n\n  payout, hot key",
            "hot keys. hot keyboard. It is hot. Key findings follow.",
            "reward  \n wallet\n\n end",
            "ghp_0123456789abcdefXYZ, sk-ghp_0123456789abcdefXYZ wallet ghp_0123456789abcdef. x",
            "wallet -----BEGIN RSA PRIVATE KEY-----\nabc.\nd\n------END RSA PRIVATE KEY-----\nafter. reward!",
            "-----BEGIN PRIVATE KEY-----",
            "------BEGIN RSA PUBLIC KEY-----\nabc",
            "the wal",
            "hot key",
            "a reward.",
            "a reward.x. y",
            "a wallet of approx. 42 TAO, i.e. 5. Next one, and etc. and 42. So",
            "- wallet:\n  - 42 TAO\n  - plans: 3\n\nwallet\n42 TAO\n\nDone. wallet.   ",
            "wallet!\u{200b} is it?",
            "wallet?\n\u{1f1ed}\u{1f1f4}\u{1f1f9}\u{1f1f0}\u{1f1ea}\u{1f1fe}\n Fine. A reward! \u{1f1ed}\u{1f1f4}\u{1f1f9} \u{1f1f0}\u{1f1ea}\u{1f1fe}",
            "wallet? \u{1f1ed}\u{1f1f4}\u{1f1f9}\u{1f1f0}\u{1f1ea}y 5. Fine",
            "Bearer abc.def-0123456789= and postgres://u:p@host/db, https://a:b@c@d; https://x:ghp_0123456789abcdefXYZ!x@h",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-X_1 sk-ant-api03-a\u{200d}bcdefghijklmnop xoxb-123-456-abc",
        ] {
            check(text);
        }
    }

    #[test]
    fn text_that_is_harmless_passes_at_once_and_little_is_held_back() {
        let mut redactor = Redactor::default();
        assert_eq!(redactor.push("Three plans a"), "Three plans a");
        assert_eq!(redactor.push("re open; re"), "re open; ");
        assert_eq!(redactor.push("la"), "rela");
        assert_eq!(redactor.push("y the wal"), "y the ");
        // A word may be glued to the letter.
        assert_eq!(redactor.push("l of it"), "wall of i");
        assert_eq!(redactor.push(" and wallet 5"), "t and [redacted]");
        assert_eq!(redactor.push(" is gone"), "");
        assert_eq!(redactor.push(". Next"), ". Next");
        assert_eq!(redactor.finish(), "");
    }

    #[test]
    fn what_never_ends_is_not_kept() {
        let mut redactor = Redactor::default();
        redactor.push("-----BEGIN RSA PRIVATE KEY-----");
        for _ in 0..1000 {
            assert_eq!(redactor.push("MIIEpAIBAAKCAQEA\n"), "");
        }
        assert!(redactor.held.is_empty());
        redactor.push("-----END RSA PRIVATE KEY-----");
        assert_eq!(redactor.push(" done"), " done");
    }
}
