//! What strict forms take of one input and of one request.

use serde_json::Value;

use super::{Findings, Place, Rule};

/// What Anthropic takes of the strict tools of one request.
const BUDGET: Budget = Budget { tools: 20, optional: 24, unions: 16 };

/// What OpenAI's strict form takes of one input.
const SIZE: Size = Size { properties: 5_000, levels: 10, characters: 120_000, words: 1_000 };

/// An enum of more words than this may have only so many characters.
const LONG_ENUM: usize = 250;
const LONG_ENUM_CHARACTERS: usize = 15_000;

/// What strict tools cost.
#[derive(Clone, Copy, Default)]
pub(super) struct Budget {
    pub(super) tools: usize,
    pub(super) optional: usize,
    pub(super) unions: usize,
}

impl Budget {
    pub(super) fn add(&mut self, other: Self) {
        self.tools += other.tools;
        self.optional += other.optional;
        self.unions += other.unions;
    }

    pub(super) fn check(self, who: &str, place: &Place, findings: &mut Findings) {
        let all = [
            (self.tools, BUDGET.tools, "tools"),
            (self.optional, BUDGET.optional, "optional properties"),
            (self.unions, BUDGET.unions, "properties that are unions"),
        ];
        for (count, most, what) in all.into_iter().filter(|(count, most, _)| count > most) {
            let (message, fix) = if what == "tools" {
                (
                    format!("there are {count} tools, and Anthropic takes {most} strict ones in a request"),
                    "mark as strict those for which it matters most, or offer fewer at a time",
                )
            } else {
                (
                    format!("{who} {count} {what}, and Anthropic's strict tools may have {most} in a request"),
                    "require more, give a property one type, divide the tool, or do without the strict form",
                )
            };
            findings.add(Rule::StrictBudget, place, message, fix);
        }
    }
}

/// How large an input is.
#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) properties: usize,
    /// Objects within each other.
    pub(super) levels: usize,
    /// In names of properties and definitions, in enums and constants.
    pub(super) characters: usize,
    pub(super) words: usize,
}

impl Size {
    pub(super) fn check(self, place: &Place, findings: &mut Findings) {
        let all = [
            (self.properties, SIZE.properties, "properties"),
            (self.levels, SIZE.levels, "levels of objects"),
            (self.characters, SIZE.characters, "characters in names, enums and constants"),
            (self.words, SIZE.words, "words in enums"),
        ];
        for (size, most, what) in all.into_iter().filter(|(size, most, _)| size > most) {
            let message = format!("the input has {size} {what}, and OpenAI's strict form takes {most}");
            findings.add(Rule::StrictSize, place, message, "divide the tool, or do without the strict form");
        }
    }
}

/// How many characters a word has.
pub(super) fn length(word: &Value) -> usize {
    word.as_str().map_or_else(|| word.to_string().chars().count(), |word| word.chars().count())
}

/// One enum that is too long for itself.
pub(super) fn check_enum(words: &[Value], place: &Place, findings: &mut Findings) {
    let characters: usize = words.iter().map(length).sum();
    if words.len() > LONG_ENUM && characters > LONG_ENUM_CHARACTERS {
        let message = format!(
            "{} words of {characters} characters together: OpenAI's strict form takes {LONG_ENUM_CHARACTERS} in an enum of more \
             than {LONG_ENUM} words",
            words.len()
        );
        let fix = "shorten the words, take a text with a pattern, or do without the strict form";
        findings.add(Rule::StrictSize, &place.member("enum"), message, fix);
    }
}
