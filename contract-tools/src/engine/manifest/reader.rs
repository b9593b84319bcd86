//! Values by the rules that all keys share. What breaks its rule is unset, and a warning says what would have been read.

use std::collections::HashSet;
use std::rc::Rc;

use crate::document::{Mapping, Node};
use crate::engine::gate::GateMode;
use crate::engine::rounding::round;
use crate::engine::text::{cut_units, is_public_safe, trim_spaces};

/// The longest text that is kept.
pub(super) const TEXT_UNITS: usize = 300;
/// The longest list that is kept.
const MOST_ITEMS: usize = 200;
/// More warnings than a reader would read are counted only.
const MOST_WARNINGS: usize = 50;

/// Collects what cannot be used.
#[derive(Debug, Default)]
pub(super) struct Reader {
    warnings: Vec<String>,
    untold: usize,
}

/// A part of the document with its name; without a mapping it has no values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) path: &'a str,
    pub(super) mapping: Option<&'a Mapping>,
}

impl<'a> Section<'a> {
    pub(super) fn get(self, key: &str) -> Option<&'a Node> {
        self.mapping.and_then(|mapping| mapping.get(key))
    }

    /// Whether a key is there without a value.
    pub(super) fn is_null(self, key: &str) -> bool {
        let is_own = |mapping: &Mapping| mapping.0.iter().any(|(own, _)| own == key);
        self.mapping.is_some_and(is_own) && self.get(key).is_none()
    }

    /// The whole name of a key.
    pub(super) fn name(self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

impl Reader {
    pub(super) fn warn(&mut self, warning: String) {
        if self.has_room() {
            self.warnings.push(warning);
        } else {
            self.count_untold();
        }
    }

    /// Whether another warning would be told.
    pub(super) fn has_room(&self) -> bool {
        self.warnings.len() < MOST_WARNINGS
    }

    /// Counts what there is no room to tell.
    pub(super) fn count_untold(&mut self) {
        self.untold += 1;
    }

    pub(super) fn into_warnings(self) -> Vec<String> {
        let more = (self.untold > 0).then(|| format!("{} more values are left out", self.untold));
        self.warnings.into_iter().chain(more).collect()
    }

    fn unset<T>(&mut self, section: Section<'_>, key: &str, wanted: &str) -> Option<T> {
        self.warn(format!("{} is left out: it has to be {wanted}", section.name(key)));
        None
    }

    /// The mapping below a key, under its own name.
    pub(super) fn section<'a>(&mut self, outer: Section<'a>, key: &str, path: &'a str) -> Section<'a> {
        let mapping = match outer.get(key) {
            None => None,
            Some(Node::Mapping(mapping)) => Some(mapping),
            Some(_) => self.unset(outer, key, "a mapping"),
        };
        Section { path, mapping }
    }

    /// `off`, `advisory` or `block`, in any case.
    pub(super) fn mode(&mut self, section: Section<'_>, key: &str) -> Option<GateMode> {
        let word = match section.get(key)? {
            Node::Text(text) => trim_spaces(text).to_lowercase(),
            _ => String::new(),
        };
        match word.as_str() {
            "off" => Some(GateMode::Off),
            "advisory" => Some(GateMode::Advisory),
            "block" => Some(GateMode::Block),
            _ => self.unset(section, key, "off, advisory or block"),
        }
    }

    /// A mode that may tell and never block.
    pub(super) fn telling_mode(&mut self, section: Section<'_>, key: &str) -> Option<GateMode> {
        let mode = self.mode(section, key)?;
        if mode != GateMode::Block {
            return Some(mode);
        }
        self.warn(format!("{} is read as advisory: it cannot block", section.name(key)));
        Some(GateMode::Advisory)
    }

    /// One of the given words, exactly.
    pub(super) fn word<T: Copy>(&mut self, section: Section<'_>, key: &str, words: &[(&str, T)]) -> Option<T> {
        let node = section.get(key)?;
        let found = words.iter().find(|(word, _)| matches!(node, Node::Text(text) if text == word));
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            return self.unset(section, key, &format!("exactly one of {}", known.join(", ")));
        }
        found.map(|(_, meaning)| *meaning)
    }

    /// A score: a number, to the nearest whole one from 0 to 100.
    pub(super) fn score(&mut self, section: Section<'_>, key: &str) -> Option<f64> {
        match section.get(key)? {
            // `+ 0.0` turns a zero that was below zero into plain zero.
            Node::Number(number) if number.is_finite() => Some(round(*number, 0).clamp(0.0, 100.0) + 0.0),
            _ => self.unset(section, key, "a number from 0 to 100"),
        }
    }

    /// How sure: a number from 0 to 1.
    pub(super) fn confidence(&mut self, section: Section<'_>, key: &str) -> Option<f64> {
        match section.get(key)? {
            Node::Number(number) if number.is_finite() => Some(number.clamp(0.0, 1.0) + 0.0),
            _ => self.unset(section, key, "a number from 0 to 1"),
        }
    }

    /// A whole number above zero.
    pub(super) fn positive_whole(&mut self, section: Section<'_>, key: &str) -> Option<f64> {
        match section.get(key)? {
            Node::Number(number) if number.is_finite() && *number > 0.0 && number.fract() == 0.0 => Some(*number),
            _ => self.unset(section, key, "a whole number above 0"),
        }
    }

    /// A real boolean.
    pub(super) fn boolean(&mut self, section: Section<'_>, key: &str) -> Option<bool> {
        match section.get(key)? {
            Node::Bool(value) => Some(*value),
            _ => self.unset(section, key, "true or false"),
        }
    }

    /// A text that may be shown to anyone.
    pub(super) fn safe_text(&mut self, section: Section<'_>, key: &str) -> Option<String> {
        let text = match section.get(key)? {
            Node::Text(text) => cut_units(trim_spaces(text), TEXT_UNITS),
            _ => "",
        };
        if text.is_empty() {
            return self.unset(section, key, "a text that is not blank");
        }
        if !is_public_safe(text) {
            return self.unset(section, key, "fit for the public: no scores, rewards, wallets or places on a disk");
        }
        Some(text.to_owned())
    }

    /// A list of different texts; nothing when the key is absent or no list.
    pub(super) fn texts(&mut self, section: Section<'_>, key: &str) -> Option<Vec<String>> {
        let items = self.list(section, key)?;
        let name = section.name(key);
        let mut kept: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for item in items {
            let Node::Text(text) = &**item else {
                self.warn(format!("{name} has an entry that is no text; it is left out"));
                continue;
            };
            let text = cut_units(trim_spaces(text), TEXT_UNITS);
            if text.is_empty() || !seen.insert(text) {
                continue;
            }
            if kept.len() == MOST_ITEMS {
                self.warn(format!("{name} has more than {MOST_ITEMS} entries; the rest is left out"));
                break;
            }
            kept.push(text.to_owned());
        }
        Some(kept)
    }

    /// A list of anything.
    pub(super) fn list<'a>(&mut self, section: Section<'a>, key: &str) -> Option<&'a [Rc<Node>]> {
        match section.get(key)? {
            Node::List(items) => Some(items),
            _ => self.unset(section, key, "a list"),
        }
    }
}
