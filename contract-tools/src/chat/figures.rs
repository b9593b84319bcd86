//! Which figures are of something private that is named beside them.
//!
//! A text that names something private names what its own object or list is about: all figures in that are taken out, however
//! deep. Where there is none, it names what the object or list around is about, and so on outwards. A private name of a member
//! does the same if its own value held no figure. In a list that is too long to be a row, a figure is of what is named right
//! before or behind it.

use serde_json::Value;

use super::structure::{Node, is_number};

/// What is no longer than this is a row, whose parts belong together.
const LONGEST_ROW: usize = 8;
/// A text of more words than this says something itself, and is no figure in a long list.
const LONGEST_FIGURE: usize = 3;

/// Members that are what another one of their object names, whatever they hold.
const VALUES: [&str; 11] =
    ["value", "values", "amount", "amounts", "quantity", "balance", "total", "data", "val", "figure", "address"];

/// Figures that are written as words.
const WORDS: [&str; 33] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
    "dozen",
];

/// Whether the text holds a figure.
pub(super) fn has_figure(text: &str) -> bool {
    text.chars().any(char::is_numeric)
        || text
            .split(|character: char| !character.is_ascii_alphabetic())
            .any(|word| WORDS.iter().any(|figure| word.eq_ignore_ascii_case(figure)))
}

/// Whether the value holds a figure, at any depth.
pub(super) fn is_figure(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => has_figure(text),
        Value::Array(items) => items.iter().any(is_figure),
        Value::Object(members) => members.iter().any(|(name, member)| is_number(name) || is_figure(member)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Whether a member of this name is what another one names.
pub(super) fn is_value(name: &str) -> bool {
    VALUES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What the figures of a list or an object are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Nothing that is private.
    Other,
    /// Something private, all of them.
    Private,
    /// Those of some items of a list.
    Items(Vec<bool>),
}

/// What a part of a structure leaves to what is around it.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    /// It names something private and has no figure for it.
    is_label: bool,
    /// It has a figure that is of nothing private by now.
    has_figure: bool,
}

impl About {
    /// For each list and object, in the order in which they begin; `hidden` are the names and texts that are private only
    /// together.
    pub(super) fn of(node: &Node, hidden: &[Option<usize>]) -> Vec<Self> {
        let mut survey = Survey { hidden, text: 0, about: Vec::new() };
        survey.node(node);
        survey.about
    }

    /// Whether the figures of this item are of something private; of an object all are or none.
    pub(super) fn is_of(&self, item: usize) -> bool {
        match self {
            Self::Other => false,
            Self::Private => true,
            Self::Items(items) => items.get(item).copied().unwrap_or_default(),
        }
    }
}

struct Survey<'all> {
    hidden: &'all [Option<usize>],
    text: usize,
    about: Vec<About>,
}

impl Survey<'_> {
    fn node(&mut self, node: &Node) -> Left {
        match node {
            Node::Text { shown, is_label } => {
                let is_label = *is_label || self.is_hidden();
                Left { is_label, has_figure: !is_label && has_figure(shown) }
            }
            Node::Plain(value) => Left { is_label: false, has_figure: value.is_number() },
            Node::Items(items) => self.items(items),
            Node::Members(members) => self.members(members),
            Node::Coded { inside, .. } => self.node(inside),
            Node::Gone { had_figure } => Left { is_label: !had_figure, has_figure: false },
        }
    }

    fn is_hidden(&mut self) -> bool {
        self.text += 1;
        self.hidden[self.text - 1].is_some()
    }

    fn members(&mut self, members: &[(String, Node)]) -> Left {
        let place = self.begin();
        let mut whole = Left::default();
        let mut has_value = false;
        for (name, member) in members {
            let is_private = !member.is_gone() && self.is_hidden();
            let left = self.node(member);
            // What a private name stands for is taken out with it.
            whole.is_label |= left.is_label || (is_private && !left.has_figure);
            whole.has_figure |= !is_private && (left.has_figure || is_number(name));
            has_value |= is_value(name);
        }
        let around = self.end(place, whole);
        if around.is_label && has_value {
            return self.end(place, Left { is_label: true, has_figure: true });
        }
        around
    }

    fn items(&mut self, items: &[Node]) -> Left {
        let place = self.begin();
        let left: Vec<Left> = items.iter().map(|item| self.node(item)).collect();
        let any = |is: fn(&Left) -> bool| left.iter().any(is);
        let whole = Left { is_label: any(|left| left.is_label), has_figure: any(|left| left.has_figure) };
        if items.len() <= LONGEST_ROW || !whole.is_label {
            return self.end(place, whole);
        }
        let mut is_of = vec![false; items.len()];
        let mut is_label = false;
        for label in (0..items.len()).filter(|at| left[*at].is_label) {
            let mut is_found = false;
            let behind = (label + 1..items.len()).take_while(|at| is_bare(&items[*at]));
            let before = (0..label).rev().take_while(|at| is_bare(&items[*at]));
            for at in behind.chain(before) {
                is_found = true;
                // Those further on were found from another label.
                if std::mem::replace(&mut is_of[at], true) && at < label {
                    break;
                }
            }
            is_label |= !is_found;
        }
        let has_figure = left.iter().zip(&is_of).any(|(left, is_of)| left.has_figure && !is_of);
        self.about[place] = About::Items(is_of);
        Left { is_label, has_figure }
    }

    fn begin(&mut self) -> usize {
        self.about.push(About::Other);
        self.about.len() - 1
    }

    fn end(&mut self, place: usize, whole: Left) -> Left {
        if !(whole.is_label && whole.has_figure) {
            return whole;
        }
        self.about[place] = About::Private;
        Left::default()
    }
}

/// Whether an item is a figure and nothing else.
fn is_bare(item: &Node) -> bool {
    match item {
        Node::Plain(value) => value.is_number(),
        Node::Text { shown, is_label } => {
            !is_label && has_figure(shown) && shown.split_whitespace().count() <= LONGEST_FIGURE
        }
        _ => false,
    }
}
