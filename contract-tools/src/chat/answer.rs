//! The text of an answer, said once. A session that loses its connection in the middle of a message gets the message again
//! from its start, in pieces or whole; what was passed on of it already is recognised and not said again.

use crate::privacy::is_unseen;

/// What was passed on, as far as it may come again.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are facts of what was said, each true or not whatever the others"
)]
#[derive(Debug, Default)]
pub struct AnswerText {
    /// What came of the message that is read.
    message: String,
    /// What came of its block.
    block: String,
    /// Whether the message came to its end, or to a stop before that.
    state: State,
    /// What was passed on of the attempt before, while the message only repeats it.
    repeated: Option<String>,
    needs_paragraph: bool,
    /// Whether what comes next is of another block than what was said last. That ends a sentence, and a line.
    is_parted: bool,
    /// Whether anything that is seen came.
    has_text: bool,
    ends_line: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    Complete,
    Aborted,
}

impl AnswerText {
    /// Whether any text came that is more than white space and what is not seen.
    pub fn has_text(&self) -> bool {
        self.has_text
    }

    /// A message starts.
    pub fn message_starts(&mut self) {
        let said = std::mem::take(&mut self.message);
        self.block.clear();
        self.is_parted = true;
        if self.state == State::Complete {
            self.repeated = None;
        } else {
            self.begin_again(said);
        }
        self.state = State::Open;
    }

    fn begin_again(&mut self, said: String) {
        // An attempt that broke off while it repeated the one before has said no more than that one.
        let said = self.repeated.take().unwrap_or(said);
        self.repeated = (!said.is_empty()).then_some(said);
    }

    /// A block of it starts.
    pub fn block_starts(&mut self) {
        self.block.clear();
        self.is_parted = true;
    }

    /// A tool is asked.
    pub fn tool_is_called(&mut self) {
        self.is_parted = true;
    }

    /// The message said why it ends.
    pub fn message_is_complete(&mut self) {
        self.state = State::Complete;
    }

    /// The message ends, whether or not it is complete.
    pub fn message_stops(&mut self) {
        if self.state == State::Open {
            self.state = State::Aborted;
        }
    }

    /// Something else was said in between, after which the model begins anew.
    pub fn is_interrupted(&mut self) {
        self.message.clear();
        self.block.clear();
        self.repeated = None;
        self.state = State::Complete;
        self.needs_paragraph = self.has_text;
    }

    /// The next piece of the message; returns what is new of it.
    pub fn piece(&mut self, piece: &str) -> String {
        self.block.push_str(piece);
        self.take(piece)
    }

    /// A whole block of the message; returns what did not come in pieces.
    pub fn whole_block(&mut self, whole: &str) -> String {
        let came = std::mem::take(&mut self.block);
        if self.state == State::Aborted {
            // The message is told whole instead of in pieces.
            let said = std::mem::take(&mut self.message);
            self.begin_again(said);
            self.state = State::Open;
            return self.take(whole);
        }
        self.is_parted |= came.is_empty();
        if let Some(rest) = whole.strip_prefix(came.as_str()) {
            return self.take(rest);
        }
        self.needs_paragraph = self.has_text;
        self.take(whole)
    }

    fn take(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let before = self.message.len();
        self.message.push_str(piece);
        let Some(repeated) = self.repeated.take() else { return self.say(piece.to_owned()) };
        // All of the message before this piece repeats what was said, so only the piece is compared, however many there are.
        let expected = repeated.get(before..).unwrap_or_default();
        self.is_parted &= expected.is_empty();
        if expected.starts_with(piece) {
            self.repeated = (expected.len() > piece.len()).then_some(repeated);
            return String::new();
        }
        if let Some(new) = piece.strip_prefix(expected) {
            return self.say(new.to_owned());
        }
        // It says something else this time.
        self.needs_paragraph = true;
        let message = self.message.clone();
        self.say(message)
    }

    fn say(&mut self, text: String) -> String {
        let is_parted = std::mem::take(&mut self.is_parted) && self.has_text && !self.ends_line;
        let needs_paragraph = std::mem::take(&mut self.needs_paragraph);
        self.has_text |= has_seen(&text);
        self.ends_line = text.ends_with('\n');
        if needs_paragraph || (is_parted && !text.starts_with('\n')) { format!("\n\n{text}") } else { text }
    }
}

/// Whether anything of the text is seen.
fn has_seen(text: &str) -> bool {
    text.chars().any(|character| !character.is_whitespace() && !character.is_control() && !is_unseen(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `|`-separated steps: `(` starts a message, `)` stops it, `!` completes it, `~` interrupts, `=…` is a whole block,
    /// anything else a piece.
    fn play(steps: &str) -> String {
        let mut answer = AnswerText::default();
        let mut said = String::new();
        for step in steps.split('|') {
            match step {
                "(" => answer.message_starts(),
                ")" => answer.message_stops(),
                "[" => answer.block_starts(),
                "!" => answer.message_is_complete(),
                "~" => answer.is_interrupted(),
                _ => said.push_str(&match step.strip_prefix('=') {
                    Some(whole) => answer.whole_block(whole),
                    None => answer.piece(step),
                }),
            }
        }
        assert_eq!(answer.has_text(), !said.is_empty());
        said
    }

    #[test]
    fn what_comes_in_pieces_and_whole_is_said_once() {
        assert_eq!(play("(|[|one |two|=one two|!|)|(|[|three|=three|!|)"), "one two\n\nthree");
        assert_eq!(play("(|[|one|=one|[|two|=two|!|)"), "one\n\ntwo");
        assert_eq!(play("=one"), "one");
        assert_eq!(play("(|[|one|=one two|!|)"), "one two");
        assert_eq!(play("(|[|one|=two|!|)"), "one\n\ntwo");
        assert_eq!(play("(|!|)"), "");
    }

    #[test]
    fn a_block_is_parted_from_the_one_before_once() {
        assert_eq!(play("(|[|one\n|!|)|(|[|two|!|)"), "one\ntwo");
        assert_eq!(play("=one|=two"), "one\n\ntwo");
        assert_eq!(play("(|[|one|[|tw|)|(|[|one|[|two|!|)"), "one\n\ntwo");
        assert_eq!(play("(|[|one|[|tw|)|=one|=two"), "one\n\ntwo");
        let mut answer = AnswerText::default();
        assert_eq!(answer.piece(" \n\u{200b}"), " \n\u{200b}");
        assert!(!answer.has_text());
    }

    #[test]
    fn what_comes_again_is_not_said_again() {
        assert_eq!(play("(|[|one |)|(|[|one |two|=one two|!|)"), "one two");
        assert_eq!(play("(|[|one |)|(|[|on|)|(|[|one two|=one two|!|)"), "one two");
        assert_eq!(play("(|[|one |)|=one two"), "one two");
        assert_eq!(play("(|[|one |(|[|one two"), "one two");
        assert_eq!(play("(|[|one two|)|(|[|one|=one|!|)"), "one two");
        assert_eq!(play("(|[|o|ne|)|(|[|one|!|)|(|[|one|!|)"), "one\n\none");
    }

    #[test]
    fn what_is_said_differently_begins_a_paragraph() {
        assert_eq!(play("(|[|one two|)|(|[|one |three|!|)"), "one two\n\none three");
        assert_eq!(play("(|[|cut off he|=cut off he|!|)|~|(|[|cut off he|!|)"), "cut off he\n\ncut off he");
        assert_eq!(play("~|(|[|one|!|)"), "one");
    }
}
