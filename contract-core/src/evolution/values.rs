//! Values that probably fit a schema, the smallest and most telling first.
//!
//! They are candidates: whoever takes one holds it against the validator. The search is bounded by fuel, so that a schema
//! with a thousand branches costs no more than one with ten.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::document::{Document, validator};
use super::effort::Effort;
use super::keywords::list;
use super::merge::plain_schemas;
use super::pattern::Patterns;
use super::way::value_size;
use super::{numbers, objects, text};

/// How many values of one schema are kept.
pub(super) const KEPT: usize = 24;

/// How many schemas one search may look into.
const FUEL: u32 = 1_500;

/// The longest array that is made.
const LONGEST: usize = 4_000;

/// The most characters of a value that is made, and how many are copied in a step.
const LARGEST: u64 = 1 << 20;
const PER_STEP: u64 = 8;

/// The longest name that is made for its length.
const LONGEST_NAME: u64 = 256;

/// How far values nest.
const DEEPEST: usize = 10;

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// Keywords that a construction may fail to honour, so that its results are filtered on the spot.
const HARD: [&str; 19] = [
    "not",
    "oneOf",
    "allOf",
    "if",
    "anyOf",
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "contains",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "maxProperties",
    "enum",
    "$ref",
    "patternProperties",
];

/// Values, and how many characters they are.
type Known = (Vec<Value>, u64);

/// A search for values of the schemas of one document.
pub(super) struct Values<'search> {
    pub(super) document: &'search Document,
    /// What the other side of the comparison speaks of.
    pub(super) hints: &'search Hints,
    pub(super) patterns: &'search Patterns,
    effort: &'search Effort<'search>,
    fuel: Cell<u32>,
    /// What was found for a schema at a depth.
    known: RefCell<HashMap<(String, usize), Known>>,
}

/// Words, numbers and names in a schema: where one contract differs from another, values near these tell.
#[derive(Default)]
pub(super) struct Hints {
    pub(super) numbers: Vec<Value>,
    pub(super) strings: Vec<Value>,
    pub(super) names: Vec<String>,
    pub(super) lengths: Vec<u64>,
    pub(super) patterns: Vec<String>,
    /// Patterns of names.
    pub(super) named: Vec<String>,
    /// Lengths of names.
    pub(super) name_lengths: Vec<u64>,
}

impl Hints {
    /// How many of each kind are kept.
    const MOST: usize = 16;

    /// Whether `length` is one that was spoken of, or beside one.
    fn is_near(&self, length: usize) -> bool {
        self.lengths.iter().any(|hinted| hinted.abs_diff(length as u64) <= 1)
    }

    /// What `document` speaks of.
    pub(super) fn of(document: &Document) -> Self {
        let mut hints = Self::default();
        hints.collect(document, &document.schema);
        hints.numbers.truncate(Self::MOST);
        hints.strings.truncate(Self::MOST);
        hints.names.truncate(Self::MOST * 2);
        hints.named.truncate(Self::MOST / 4);
        hints.name_lengths.retain(|length| *length <= LONGEST_NAME);
        hints.name_lengths.truncate(Self::MOST / 4);
        hints.lengths.sort_unstable();
        hints.lengths.dedup();
        hints
    }

    fn collect(&mut self, document: &Document, value: &Value) {
        match value {
            Value::Object(members) => {
                for (keyword, member) in members {
                    match (keyword.as_str(), member) {
                        ("const", word) => self.word(word),
                        ("enum", Value::Array(words)) => words.iter().for_each(|word| self.word(word)),
                        ("pattern", Value::String(pattern)) => self.patterns.push(pattern.clone()),
                        ("patternProperties", Value::Object(named)) => self.named.extend(named.keys().cloned()),
                        ("propertyNames", named) => self.name(document, named, &mut Self::MOST.clone()),
                        ("properties", Value::Object(properties)) => self.names.extend(properties.keys().cloned()),
                        (_, Value::Number(number)) => {
                            if keyword.ends_with("Length") || keyword.ends_with("Items") {
                                self.lengths.extend(number.as_u64());
                            } else {
                                self.numbers.push(member.clone());
                            }
                        }
                        _ => {}
                    }
                    self.collect(document, member);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(document, item)),
            _ => {}
        }
    }

    /// What is asked of a name by `schema`, by what it refers to and by its parts.
    fn name(&mut self, document: &Document, schema: &Value, left: &mut usize) {
        let (Some(members), Some(rest)) = (schema.as_object(), left.checked_sub(1)) else { return };
        *left = rest;
        let texts = |keyword: &str| members.get(keyword).and_then(Value::as_str);
        self.named.extend(texts("pattern").map(str::to_owned));
        let bounds = ["minLength", "maxLength"].iter().filter_map(|bound| members.get(*bound));
        self.name_lengths.extend(bounds.filter_map(Value::as_u64));
        let target = texts("$ref").and_then(|reference| document.resolve(reference));
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| list(members.get(keyword)));
        target.into_iter().chain(lists).for_each(|part| self.name(document, part, left));
    }

    fn word(&mut self, word: &Value) {
        match word {
            Value::Number(_) => self.numbers.push(word.clone()),
            Value::String(_) => self.strings.push(word.clone()),
            _ => {}
        }
    }
}

impl<'search> Values<'search> {
    pub(super) fn new(document: &'search Document, hints: &'search Hints, effort: &'search Effort<'search>) -> Self {
        Self { document, hints, patterns: effort.patterns, effort, fuel: Cell::new(FUEL), known: RefCell::default() }
    }

    /// The same, where only the effort of the comparison bounds it: for a whole with as little as it takes.
    pub(super) fn unhurried(
        document: &'search Document,
        hints: &'search Hints,
        effort: &'search Effort<'search>,
    ) -> Self {
        Self { fuel: Cell::new(u32::MAX), ..Self::new(document, hints, effort) }
    }

    /// The smallest value that probably fits `schema`.
    pub(super) fn least(&self, schema: &Value) -> Option<Value> {
        self.least_at(schema, DEEPEST)
    }

    fn least_at(&self, schema: &Value, depth: usize) -> Option<Value> {
        let members = schema.as_object();
        let required = members.and_then(|members| members.get("required")).and_then(Value::as_array);
        if !self.effort.affords(1) {
            return None;
        }
        let is_plain = members.is_some_and(|members| {
            members.get("type").and_then(Value::as_str) == Some("object")
                && !HARD.iter().any(|keyword| members.contains_key(*keyword))
                && !members.contains_key("minProperties")
        });
        if !is_plain {
            return self.of(schema, depth).into_iter().next();
        }
        let mut least = Map::new();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let open = Value::Bool(true);
            let declared = schema.get("properties").and_then(|properties| properties.get(name));
            let rest = declared.or_else(|| schema.get("additionalProperties")).unwrap_or(&open);
            least.insert(name.to_owned(), self.least_at(rest, depth.checked_sub(1)?)?);
        }
        Some(Value::Object(least))
    }

    /// Pays for one more candidate of so many characters.
    pub(super) fn affords(&self, size: u64) -> bool {
        size <= LARGEST && self.effort.affords(1 + size / PER_STEP)
    }

    /// Candidates for the whole document.
    pub(super) fn of_document(&self) -> Vec<Value> {
        self.of(&self.document.schema, DEEPEST)
    }

    /// Candidates for `schema`.
    pub(super) fn of(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let members = match schema {
            Value::Bool(true) => &Map::new(),
            Value::Object(members) => members,
            _ => return Vec::new(),
        };
        let question = (schema.to_string(), depth);
        if !self.effort.affords(4 + question.0.len() as u64 / 16) {
            return Vec::new();
        }
        if let Some((known, size)) = self.known.borrow().get(&question) {
            return if self.effort.affords(size / PER_STEP) { known.clone() } else { Vec::new() };
        }
        let Some(fuel) = self.fuel.get().checked_sub(1).filter(|_| depth > 0) else { return Vec::new() };
        self.fuel.set(fuel);
        let mut values = Vec::new();
        let plain = plain_schemas(self.document, members, 6, self.effort);
        let share = (KEPT / plain.len().max(1)).max(6);
        for branch in &plain {
            let mut some = self.of_plain(branch, depth);
            some.truncate(KEPT * 20);
            // A union's first branch may not crowd out the others.
            let filtered = self.fitting(schema, some);
            values.extend(filtered.into_iter().take(share));
        }
        let values = in_order(values);
        let size = values.iter().map(value_size).sum();
        self.known.borrow_mut().insert(question, (values.clone(), size));
        values
    }

    /// Leaves out what does not fit, where a construction may have missed.
    fn fitting(&self, schema: &Value, values: Vec<Value>) -> Vec<Value> {
        let is_hard =
            schema.as_object().is_some_and(|members| HARD.iter().any(|keyword| members.contains_key(*keyword)));
        let judge = if is_hard { validator(&self.document.part(schema), self.effort) } else { None };
        let fits = |value: &Value| {
            judge.as_ref().is_none_or(|judge| self.effort.affords(1 + value_size(value) / 4) && judge.takes(value))
        };
        values.into_iter().filter(fits).collect()
    }

    fn of_plain(&self, schema: &Map<String, Value>, depth: usize) -> Vec<Value> {
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return words.iter().take(KEPT * 4).cloned().collect();
        }
        let mut values = Vec::new();
        for kind in kinds(schema) {
            match kind {
                "null" => values.push(Value::Null),
                "boolean" => values.extend([json!(false), json!(true)]),
                "integer" | "number" => values.extend(numbers::candidates(schema, kind, self.hints)),
                "string" => values.extend(text::candidates(schema, self.hints, self.patterns)),
                "array" => values.extend(self.arrays(schema, depth)),
                _ => values.extend(objects::candidates(self, schema, depth)),
            }
        }
        values
    }

    fn arrays(&self, schema: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let bound =
            |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
        let open = Value::Bool(true);
        let prefix = schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let items = schema.get("items").unwrap_or(&open);
        // What is asked to be among the items is an item, too.
        let contained = schema.get("contains").map(|contained| json!({ "allOf": [items, contained] }));
        let contained = contained.map(|contained| self.of(&contained, depth - 1)).unwrap_or_default();
        let rest: Vec<Value> = contained.iter().cloned().chain(self.of(items, depth - 1)).collect();
        let places: Vec<Vec<Value>> = prefix.iter().map(|place| self.of(place, depth - 1)).collect();
        let at = |index: usize| places.get(index).unwrap_or(&rest);
        let least = bound("minItems").unwrap_or(0).max(if contained.is_empty() {
            0
        } else {
            bound("minContains").unwrap_or(1)
        });
        let most = bound("maxItems").unwrap_or(usize::MAX).min(LONGEST);
        let unique = schema.get("uniqueItems") == Some(&json!(true));
        let mut lengths = vec![least, least.saturating_add(1), prefix.len(), prefix.len() + 1, least.saturating_add(2)];
        let hinted = self.hints.lengths.iter().filter_map(|length| usize::try_from(*length).ok());
        lengths.extend(hinted.flat_map(|length| [length.saturating_sub(1), length, length.saturating_add(1)]));
        lengths.extend([most]);
        // A long array is made where a bound asks for one, and not for its own sake.
        let is_asked = |length: usize| length <= 64 || length == least || self.hints.is_near(length);
        lengths.retain(|length| (least..=most).contains(length) && is_asked(*length));
        lengths.sort_unstable();
        lengths.dedup();
        // One plain array of each length first, so that those with other values cannot crowd them out.
        let mut arrays: Vec<Value> = Vec::new();
        let mut plains: Vec<Vec<Value>> = Vec::new();
        let pick = |index: usize| at(index).get(if unique { index } else { 0 }).or_else(|| at(index).last());
        for length in lengths {
            let size: u64 = (0..length).filter_map(pick).map(value_size).sum();
            if !self.affords(size) {
                break;
            }
            let Some(plain) = (0..length).map(|index| pick(index).cloned()).collect::<Option<Vec<Value>>>() else {
                break;
            };
            if unique && length > 1 {
                // Distinct items of several kinds, each early in its list.
                arrays.push(distinct(length, at));
            }
            arrays.push(Value::Array(plain.clone()));
            plains.push(plain);
        }
        // And of each length one for each other value of each place.
        for plain in plains {
            let (length, size) = (plain.len(), plain.iter().map(value_size).sum::<u64>());
            for place in (0..length).filter(|place| *place < prefix.len() || *place + 1 == length || *place == least) {
                for other in at(place).iter().skip(1).take_while(|other| self.affords(size + value_size(other))) {
                    let mut array = plain.clone();
                    array[place] = other.clone();
                    arrays.push(Value::Array(array));
                }
            }
            if arrays.len() > KEPT * 4 {
                break;
            }
        }
        arrays
    }
}

/// An array of `length` in which no item stands twice, as far as there are enough.
fn distinct<'values>(length: usize, at: impl Fn(usize) -> &'values Vec<Value>) -> Value {
    let mut items: Vec<Value> = Vec::new();
    for index in 0..length {
        let fresh = at(index).iter().find(|value| !items.contains(value));
        items.extend(fresh.cloned());
    }
    Value::Array(items)
}

/// The types that a plain schema may take; a number is not named twice.
fn kinds(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => TYPES.iter().copied().filter(|kind| *kind != "integer").collect(),
    }
}

/// Smallest first, each once.
pub(super) fn in_order(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_cached_key(size);
    values.dedup();
    values
}

/// What makes one value smaller than another: the length of its text, then the text.
pub(super) fn size(value: &Value) -> (usize, String) {
    let text = value.to_string();
    (text.len(), text)
}
