//! The order that people expect of names: `_ - . /`, digits, letters whatever their case; case decides last, small first.
//!
//! This is the order of ICU's root collation for printable ASCII. Letters with marks sort with their plain letter, other
//! scripts by code point, after Latin.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Printable ASCII but letters and digits, in order.
const SIGNS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Keys by their texts: the same few names come again and again.
#[derive(Clone, Debug, Default)]
pub struct LocaleKeys(HashMap<Box<str>, Arc<LocaleKey>>);

/// How many keys are remembered; when there are more, it begins anew.
const MOST_REMEMBERED: usize = 4096;

impl LocaleKeys {
    /// The key of a text.
    pub fn of(&mut self, text: &str) -> Arc<LocaleKey> {
        if let Some(key) = self.0.get(text) {
            return Arc::clone(key);
        }
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        let key = Arc::new(LocaleKey::of(text));
        self.0.insert(text.into(), Arc::clone(&key));
        key
    }
}

/// A key that compares as names do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocaleKey {
    primary: Vec<u32>,
    marks: Vec<u32>,
    is_capital: Vec<bool>,
    /// Tells apart what all of the above does not.
    text: String,
}

impl LocaleKey {
    /// The key of a text.
    pub fn of(text: &str) -> Self {
        let mut key = Self { primary: Vec::new(), marks: Vec::new(), is_capital: Vec::new(), text: text.to_owned() };
        for character in text.nfd() {
            if is_combining_mark(character) {
                key.marks.push(u32::from(character));
            } else if !character.is_control() {
                let small = character.to_lowercase().next().unwrap_or(character);
                key.primary.push(weight(small));
                key.marks.push(0);
                key.is_capital.push(small != character);
            }
        }
        key
    }

    /// The text that this is the key of.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn weight(small: char) -> u32 {
    match (SIGNS.find(small), small) {
        (Some(place), _) => u32::try_from(place).unwrap_or(u32::MAX),
        (None, '0'..='9' | 'a'..='z') => 100 + u32::from(small),
        (None, other) => 1000 + u32::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_names_is_not_that_of_bytes() {
        let expect = [
            "a_b/x", "a-b/x", "a.b/x", "a/b", "a/B", "A/b", "a/b_c", "a/b-c", "a/b.c", "a/bc", "a1/x", "ab/x", "aB/x",
            "Ab/x", "é/x", "f/x",
        ];
        let mut sorted = expect.map(LocaleKey::of);
        sorted.reverse();
        sorted.sort();
        assert_eq!(sorted.each_ref().map(LocaleKey::text), expect);
    }
}
