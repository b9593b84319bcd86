//! Whether a sentence that is taken out goes on behind what may have been its end.
//!
//! A figure behind the stop is of what was named before it, however much markup stands between them. The number of a list's
//! first item, a reference (`#7`) and a paragraph that begins with a count (`12 pull requests are open`) are no such figure.

/// What the next character makes of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing yet.
    Waits,
    /// Another sentence begins, at the stop.
    Over,
    /// The sentence goes on.
    GoesOn,
}

use Next::{GoesOn, Over, Waits};

/// A stop, and what was read behind it so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Where it begins.
    pub(super) at: usize,
    text: String,
    /// Where in it a number begins that may be no figure.
    number: Option<usize>,
}

/// So much is kept; what is behind more of it passes until a word or a figure decides.
const LONGEST: usize = 128;
/// The longest entity.
const LONGEST_ENTITY: usize = 10;

/// Full stops, question and exclamation marks behind which no space is needed.
pub(super) const WIDE: [char; 4] = ['。', '！', '？', '｡'];

impl Stop {
    pub(super) fn new(at: usize, character: char) -> Self {
        Self { at, text: character.to_string(), number: None }
    }

    /// What it is shown as if another sentence begins, or the text ends; nothing if a figure may stand in it.
    pub(super) fn shown(&self) -> &str {
        if self.text.contains(char::is_numeric) { "" } else { &self.text }
    }

    /// All that was read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is too much of it; a number in it was decided by then.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= LONGEST
    }

    /// Reads the next character.
    pub(super) fn read(&mut self, character: char) -> Next {
        let next = self.next(character);
        if next == Waits {
            self.text.push(character);
            if self.is_full() && self.text.contains(char::is_alphanumeric) {
                return GoesOn;
            }
        }
        next
    }

    fn next(&mut self, character: char) -> Next {
        let stop = self.text.as_str();
        if !stop.starts_with(WIDE) && !stop.contains(char::is_whitespace) {
            return if character.is_whitespace() { Waits } else { GoesOn };
        }
        if let Some(number) = self.number {
            return behind_number(&stop[..number], &stop[number..], character);
        }
        if let Some(next) = in_markup(stop, character) {
            return next;
        }
        if character.is_numeric() {
            if character.is_ascii_digit() && stop.ends_with('#') {
                return Over;
            }
            if (character == '1' && begins_line(stop)) || is_paragraph(stop) {
                self.number = Some(stop.len());
                return Waits;
            }
            return GoesOn;
        }
        if !character.is_alphabetic() {
            return Waits;
        }
        let is_on_one_line = stop.strip_prefix('.').is_some_and(|blanks| blanks.chars().all(|blank| blank == ' '));
        if is_on_one_line && character.is_lowercase() { GoesOn } else { Over }
    }
}

/// What is not shown, or says how the rest is shown: a tag, an entity and the language of a fenced block.
fn in_markup(stop: &str, character: char) -> Option<Next> {
    let line = stop.rsplit('\n').next().unwrap_or_default().trim_start();
    if line.starts_with("```") || line.starts_with("~~~") {
        return Some(Waits);
    }
    if let Some((_, tag)) = stop.rsplit_once('<').filter(|(_, tag)| !tag.contains('>')) {
        let begins = |character: char| character.is_ascii_alphabetic() || matches!(character, '/' | '!');
        if tag.chars().next().is_some_and(begins) {
            return Some(if matches!(character, '<' | '\n') { GoesOn } else { Waits });
        }
        if tag.is_empty() && begins(character) {
            return Some(Waits);
        }
    }
    if let Some((_, entity)) = stop.rsplit_once('&').filter(|(_, entity)| !entity.contains([';', ' ', '\n'])) {
        // A number in it may be the code of a figure.
        let goes_on = character.is_ascii_alphabetic() && entity.len() < LONGEST_ENTITY;
        let is_entity = goes_on || (character == ';' && !entity.is_empty());
        if is_entity {
            return Some(Waits);
        }
        if !entity.is_empty() || character == '#' {
            return Some(GoesOn);
        }
    }
    None
}

/// Whether a number here may count what a new paragraph is about.
fn is_paragraph(stop: &str) -> bool {
    stop.starts_with(['.', '!', '?']) && stop.ends_with('\n') && stop.matches('\n').count() > 1
}

fn begins_line(stop: &str) -> bool {
    let line = stop.rsplit_once('\n').map(|(_, line)| line);
    line.is_some_and(|line| line.chars().all(|blank| matches!(blank, ' ' | '*' | '_')))
}

/// `1. item`, `1) item` and `12 items are`.
fn behind_number(before: &str, text: &str, character: char) -> Next {
    let behind = text.trim_start_matches(char::is_numeric);
    if behind.is_empty() {
        let is_item = text == "1" && matches!(character, '.' | ')') && begins_line(before);
        let is_count = character == ' ' && is_paragraph(before);
        return if character.is_ascii_digit() && is_paragraph(before) || is_item || is_count { Waits } else { GoesOn };
    }
    if let Some(item) = behind.strip_prefix(['.', ')']) {
        return match character {
            '\n' => GoesOn,
            _ if item.is_empty() => {
                if character.is_whitespace() {
                    Waits
                } else {
                    GoesOn
                }
            }
            _ if character.is_alphabetic() || (character.is_ascii_digit() && item.ends_with('#')) => Over,
            _ if character.is_numeric() => GoesOn,
            // Markup may say anything.
            '<' | '&' => GoesOn,
            _ => Waits,
        };
    }
    if character.is_alphabetic() || (character == ' ' && behind.split_whitespace().count() < 2) {
        return Waits;
    }
    // One word is a unit, and capitals are one with something behind it.
    let unit = behind.split_whitespace().next().unwrap_or_default();
    let is_unit = !unit.contains(char::is_lowercase);
    if character == ' ' && !is_unit { Over } else { GoesOn }
}
