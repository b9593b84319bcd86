//! Whether two schemas are one, but for words for people and for the side that a reference lies on.

use std::collections::BTreeSet;

use serde_json::Value;

use super::dialect::{Bearing, bearing};
use super::document::{Document, mentions};
use super::effort::Effort;
use super::structure::DEEPEST;
use super::words::Words;

/// Looks at both sides of one comparison.
pub(super) struct Sameness<'search> {
    narrow: &'search Document,
    wide: &'search Document,
    effort: &'search Effort<'search>,
    /// Pairs of references that stand for the same.
    alike: BTreeSet<(String, String)>,
}

impl<'search> Sameness<'search> {
    pub(super) fn new(narrow: &'search Document, wide: &'search Document, effort: &'search Effort<'search>) -> Self {
        Self { narrow, wide, effort, alike: BTreeSet::new() }
    }

    /// Whether both are one schema, but for words and for the sides of references.
    pub(super) fn is_same(&mut self, one: &Value, other: &Value, depth: usize) -> bool {
        if !self.effort.affords(1) || depth > DEEPEST {
            return false;
        }
        match (one, other) {
            (Value::Object(left), Value::Object(right)) => {
                let asserts = |keyword: &str| {
                    bearing(keyword) != Bearing::Annotates && !matches!(keyword, "$defs" | "definitions")
                };
                left.keys().filter(|keyword| asserts(keyword)).count()
                    == right.keys().filter(|keyword| asserts(keyword)).count()
                    && left.iter().filter(|(keyword, _)| asserts(keyword)).all(|(keyword, left)| {
                        right.get(keyword).is_some_and(|right| self.is_same_keyword(keyword, left, right, depth))
                    })
            }
            _ => one == other,
        }
    }

    fn is_same_keyword(&mut self, keyword: &str, left: &Value, right: &Value, depth: usize) -> bool {
        if keyword == "$ref" {
            return self.is_same_reference(left, right, depth);
        }
        self.are_same(left, right, depth)
            || (matches!(keyword, "required" | "enum")
                && match (left.as_array(), right.as_array()) {
                    (Some(left), Some(right)) => {
                        let (one, other) = (Words::of(left), Words::of(right));
                        left.iter().all(|word| other.contains(word)) && right.iter().all(|word| one.contains(word))
                    }
                    _ => false,
                })
    }

    /// Whether the values of a keyword are the same: schemas by what they mean, all else as it stands.
    pub(super) fn are_same(&mut self, left: &Value, right: &Value, depth: usize) -> bool {
        if !self.effort.affords(1) {
            return false;
        }
        if left == right && !mentions(left, "$ref") {
            return true;
        }
        match (left, right) {
            (Value::Array(left), Value::Array(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| self.are_same(left, right, depth + 1))
            }
            (Value::Object(one), Value::Object(other)) => {
                // Words for people are read as such only where nothing could be named like them.
                one.len() == other.len()
                    && depth < DEEPEST
                    && one.iter().all(|(name, left)| {
                        other.get(name).is_some_and(|right| {
                            if name == "$ref" && left.is_string() {
                                self.is_same_reference(left, right, depth)
                            } else {
                                self.are_same(left, right, depth + 1)
                            }
                        })
                    })
            }
            _ => left == right,
        }
    }

    fn is_same_reference(&mut self, left: &Value, right: &Value, depth: usize) -> bool {
        let (Some(left), Some(right)) = (left.as_str(), right.as_str()) else { return false };
        if !self.alike.insert((left.to_owned(), right.to_owned())) {
            return true;
        }
        let (narrow, wide) = (self.narrow, self.wide);
        match (narrow.resolve(left), wide.resolve(right)) {
            (Some(one), Some(other)) if self.is_same(one, other, depth + 1) => true,
            _ => {
                // Nothing that was found alike with its help counts.
                self.alike.clear();
                false
            }
        }
    }
}
