//! What it costs to hold a value against a schema, told before it is done. A validator follows each reference anew and keeps
//! nothing in mind, so a schema of a page can ask for more looks than there is time: twenty definitions that each use the last
//! one twice are a million schemas to it.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::{Map, Value};

use super::backtracking::{self, SHORT, goes_back};
use super::dialect::SCHEMA;
use super::unreadable::Unreadable;
use super::weight::weight;

/// More than this is not counted.
const COUNTED: u64 = 1 << 40;

/// The most looks at one value, without those at its parts.
const MOST_IN_PLACE: u64 = 20_000;

/// How deep schemas may lie within each other once references are followed.
const DEEPEST: u32 = 256;

/// The most looks that one whole value may ask for.
pub(super) const MOST_LOOKS: u64 = 100_000;

/// How deep a look goes, in schemas and values together.
const DEEPEST_LOOK: u32 = 600;

/// A schema that is looked at no more often than this in one place, and no more than so many times as often as it is long,
/// costs what its values cost.
const PLAIN_IN_PLACE: u64 = 512;
const PLAIN_TIMES: u64 = 8;

/// What it costs to make a validator for one schema.
const PER_SCHEMA: u64 = 4;

/// How many steps back a pattern takes in the time of a look.
const TRIES_PER_LOOK: u64 = 160;

/// Keywords whose value is a schema for the same value.
const IN_PLACE: [&str; 4] = ["not", "if", "then", "else"];
const IN_PLACE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The looks at one value: those that decide, and those that find again what was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InPlace {
    looks: u64,
    again: u64,
}

impl InPlace {
    fn add(&mut self, part: Self) {
        self.looks = plus(self.looks, part.looks);
        self.again = plus(self.again, plus(part.looks, part.again));
    }

    /// With what keywords ask that hang on what others have looked at.
    fn with_what_was_seen(self, schema: &Map<String, Value>) -> Self {
        if !["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return self;
        }
        Self { looks: plus(self.looks, self.again), again: plus(self.again, self.again) }
    }
}

/// What a schema comes to when its references are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    /// All schemas; one that contains itself counts as no end of them.
    all: u64,
    /// All schemas, one that contains itself counted once.
    once: u64,
    depth: u32,
}

/// The sizes of a document's schemas.
pub(super) struct Sizes {
    root: Size,
    most_in_place: u64,
    schemas: u64,
    patterns: u64,
    /// The patterns for which a validator goes back in a text.
    going_back: BTreeSet<String>,
}

impl Sizes {
    /// Measures `whole`, a document of its own.
    ///
    /// # Errors
    /// When no validator can look through it in time, or comes back to where it was without a step into the value.
    pub(super) fn of(whole: &Value) -> Result<Self, Unreadable> {
        let mut count = Count {
            whole,
            sizes: HashMap::new(),
            in_place: HashMap::new(),
            most_in_place: 1,
            patterns: 0,
            going_back: BTreeSet::new(),
        };
        let root = count.of(whole, 0)?;
        let sizes = Self {
            root,
            most_in_place: count.most_in_place,
            schemas: count.sizes.len() as u64,
            patterns: count.patterns,
            going_back: count.going_back,
        };
        if sizes.most_in_place > MOST_IN_PLACE {
            let why = format!(
                "its references and unions, written out, ask one value more than {MOST_IN_PLACE} questions; use each \
                 definition fewer times, or write what several places say alike once around them"
            );
            return Err(Unreadable::new(super::effort::BUDGET, why));
        }
        Ok(sizes)
    }

    /// The steps to make a validator of it.
    pub(super) fn to_make(&self) -> u64 {
        self.schemas.saturating_mul(PER_SCHEMA).saturating_add(self.patterns)
    }

    /// How many schemas it comes to, one that contains itself counted once.
    pub(super) fn written_out(&self) -> u64 {
        self.root.once
    }

    /// The patterns for which a validator goes back in a text.
    pub(super) fn going_back(&self) -> &BTreeSet<String> {
        &self.going_back
    }

    /// Whether looking at a value costs about as much as the value is long.
    pub(super) fn is_plain(&self) -> bool {
        self.going_back.is_empty()
            && self.most_in_place <= PLAIN_IN_PLACE
            && self.root.all <= self.schemas.saturating_mul(PLAIN_TIMES)
    }
}

/// The schema at the end of `reference`, which is a pointer from the root.
fn target<'schema>(whole: &'schema Value, reference: &Value) -> Option<&'schema Value> {
    let pointer = super::references::decoded(reference.as_str()?.strip_prefix('#')?)?;
    whole.pointer(&pointer)
}

fn patterns(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let named = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    let own = schema.get("pattern").and_then(Value::as_str);
    own.into_iter().chain(named.map(|(pattern, _)| pattern.as_str()))
}

fn listed(schema: &Map<String, Value>) -> u64 {
    schema.get("enum").and_then(Value::as_array).map_or(0, |words| words.len() as u64 / 16)
}

fn plus(one: u64, other: u64) -> u64 {
    one.saturating_add(other).min(COUNTED)
}

struct Count<'schema> {
    whole: &'schema Value,
    /// By where a schema stands in memory; none while it is being measured.
    sizes: HashMap<*const Value, Option<Size>>,
    in_place: HashMap<*const Value, Option<InPlace>>,
    most_in_place: u64,
    patterns: u64,
    going_back: BTreeSet<String>,
}

impl<'schema> Count<'schema> {
    fn of(&mut self, schema: &'schema Value, depth: u32) -> Result<Size, Unreadable> {
        let Value::Object(members) = schema else { return Ok(Size { all: 1, once: 1, depth: 1 }) };
        if let Some(known) = self.sizes.get(&std::ptr::from_ref(schema)) {
            // A schema that contains itself ends with its value.
            let size = known.unwrap_or(Size { all: COUNTED, once: 1, depth: 1 });
            return if depth + size.depth > DEEPEST { Err(too_deep()) } else { Ok(size) };
        }
        if depth > DEEPEST {
            return Err(too_deep());
        }
        self.sizes.insert(std::ptr::from_ref(schema), None);
        self.patterns = patterns(members).map(weight).fold(self.patterns, plus);
        self.going_back.extend(patterns(members).filter(|pattern| goes_back(pattern)).map(str::to_owned));
        let in_place = self.looks(schema, depth)?;
        self.most_in_place = self.most_in_place.max(in_place.looks);
        let mut size = Size { all: 1, once: 1, depth: 1 };
        for part in same(self.whole, members).into_iter().chain(inside(members)) {
            let part = self.of(part, depth + 1)?;
            size.all = plus(size.all, part.all);
            size.once = plus(size.once, part.once);
            size.depth = size.depth.max(part.depth + 1);
        }
        self.sizes.insert(std::ptr::from_ref(schema), Some(size));
        Ok(size)
    }

    fn looks(&mut self, schema: &'schema Value, depth: u32) -> Result<InPlace, Unreadable> {
        let Value::Object(members) = schema else { return Ok(InPlace { looks: 1, again: 1 }) };
        match self.in_place.get(&std::ptr::from_ref(schema)) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(no_step()),
            None if depth > DEEPEST => return Err(too_deep()),
            None => {}
        }
        self.in_place.insert(std::ptr::from_ref(schema), None);
        let named = members.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
        let mut looks = InPlace { looks: 1 + listed(members) + named as u64, again: 1 };
        for part in same(self.whole, members) {
            looks.add(self.looks(part, depth + 1)?);
        }
        let looks = looks.with_what_was_seen(members);
        self.in_place.insert(std::ptr::from_ref(schema), Some(looks));
        Ok(looks)
    }
}

/// The schemas of `members` that look at the same value.
fn same<'schema>(whole: &'schema Value, members: &'schema Map<String, Value>) -> Vec<&'schema Value> {
    let mut parts: Vec<&Value> = Vec::new();
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("$ref", _) => parts.extend(target(whole, value)),
            (keyword, _) if IN_PLACE.contains(&keyword) => parts.push(value),
            (keyword, Value::Array(branches)) if IN_PLACE_LISTS.contains(&keyword) => parts.extend(branches),
            ("dependentSchemas", Value::Object(named)) => parts.extend(named.values()),
            _ => {}
        }
    }
    parts
}

/// The schemas of `members` that look at its parts.
fn inside(members: &Map<String, Value>) -> Vec<&Value> {
    let mut parts: Vec<&Value> = Vec::new();
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties", Value::Object(named)) => parts.extend(named.values()),
            ("prefixItems", Value::Array(places)) => parts.extend(places),
            (keyword, _) if SCHEMA.contains(&keyword) && !IN_PLACE.contains(&keyword) => parts.push(value),
            _ => {}
        }
    }
    parts
}

fn too_deep() -> Unreadable {
    let why = format!("its schemas lie more than {DEEPEST} deep within each other once its references are followed");
    Unreadable::new("$ref", why)
}

fn no_step() -> Unreadable {
    let why = "a reference leads back to itself without a step into the value, so that no value can be held against it";
    Unreadable::new("$ref", why.to_owned())
}

/// Counts the looks that a value asks for, with a memory that the validator lacks.
pub(super) struct Looks<'value> {
    whole: &'value Value,
    /// The schemas of each that look at the same value: a reference is read once.
    same: HashMap<*const Value, Rc<[&'value Value]>>,
    known: HashMap<(*const Value, *const Value), InPlace>,
}

/// What stands for the name of a property.
static NAME: Value = Value::Null;

impl<'value> Looks<'value> {
    /// The looks at `value` through `whole`, a document of its own; none when they are too many.
    pub(super) fn at(whole: &'value Value, value: &'value Value) -> Option<u64> {
        let mut looks = Self { whole, same: HashMap::new(), known: HashMap::new() };
        let count = looks.count(whole, value, 0)?.looks;
        (count <= MOST_LOOKS).then_some(count)
    }

    fn count(&mut self, schema: &'value Value, value: &'value Value, depth: u32) -> Option<InPlace> {
        let Value::Object(members) = schema else { return Some(InPlace { looks: 1, again: 1 }) };
        let question = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        if let Some(known) = self.known.get(&question) {
            return Some(*known);
        }
        if depth > DEEPEST_LOOK || self.known.len() as u64 > MOST_LOOKS {
            return None;
        }
        let mut looks = InPlace { looks: 1 + listed(members) + Self::tried(members, value), again: 1 };
        let whole = self.whole;
        let parts = self.same.entry(question.0).or_insert_with(|| same(whole, members).into());
        for part in Rc::clone(parts).iter() {
            looks.add(self.count(part, value, depth + 1)?);
        }
        for (keyword, part) in members {
            looks.looks = plus(looks.looks, self.inside(keyword, part, value, depth + 1)?);
        }
        let looks = looks.with_what_was_seen(members);
        self.known.insert(question, looks);
        Some(looks)
    }

    /// The looks at members and items of `value`.
    fn inside(&mut self, keyword: &str, part: &'value Value, value: &'value Value, depth: u32) -> Option<u64> {
        let mut looks = 0;
        match (keyword, part, value) {
            ("properties", Value::Object(named), Value::Object(members)) => {
                for (name, member) in members {
                    if let Some(schema) = named.get(name) {
                        looks = plus(looks, self.count(schema, member, depth)?.looks);
                    }
                }
            }
            ("patternProperties", Value::Object(named), Value::Object(members)) => {
                looks = plus(looks, (named.len() * members.len()) as u64);
                for (schema, member) in named.values().flat_map(|schema| members.values().map(move |one| (schema, one)))
                {
                    looks = plus(looks, self.count(schema, member, depth)?.looks);
                }
            }
            ("additionalProperties" | "unevaluatedProperties", _, Value::Object(members)) => {
                for member in members.values() {
                    looks = plus(looks, self.count(part, member, depth)?.looks);
                }
            }
            ("propertyNames", _, Value::Object(members)) => {
                let each = self.count(part, &NAME, depth)?.looks;
                looks = plus(looks, each.saturating_mul(members.len() as u64));
            }
            ("items" | "contains" | "unevaluatedItems", _, Value::Array(items)) => {
                for item in items {
                    looks = plus(looks, self.count(part, item, depth)?.looks);
                }
            }
            ("prefixItems", Value::Array(places), Value::Array(items)) => {
                for (place, item) in places.iter().zip(items) {
                    looks = plus(looks, self.count(place, item, depth)?.looks);
                }
            }
            _ => {}
        }
        Some(looks)
    }

    /// How often patterns with look-around may go back.
    fn tried(schema: &Map<String, Value>, value: &Value) -> u64 {
        let names = value.as_object().map_or(0, Map::len) as u64;
        let own = match value {
            Value::String(text) if text.len() > SHORT => backtracking::LIMIT,
            Value::Null => backtracking::LIMIT,
            _ => 16,
        };
        let of =
            |pattern: &str| if goes_back(pattern) { own.max(names.saturating_mul(backtracking::LIMIT)) } else { 0 };
        patterns(schema).map(of).fold(0, plus) / TRIES_PER_LOOK
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Looks, Sizes};

    /// So many definitions, each made of the last one.
    fn chain(count: usize, of: impl Fn(Value) -> Value) -> Value {
        let last = |place: usize| json!({ "$ref": format!("#/$defs/d{place}") });
        let mut defined = Map::from_iter([("d0".to_owned(), json!({ "type": "integer" }))]);
        defined.extend((1..=count).map(|place| (format!("d{place}"), of(last(place - 1)))));
        json!({ "$ref": format!("#/$defs/d{count}"), "$defs": defined })
    }

    #[test]
    fn what_is_doubled_again_and_again_is_refused() {
        let shapes: [fn(Value) -> Value; 6] = [
            |last| json!({ "allOf": [last, last] }),
            |last| json!({ "anyOf": [last, { "allOf": [last, { "minimum": 1 }] }] }),
            |last| json!({ "oneOf": [last, last] }),
            |last| json!({ "if": last, "then": last, "else": last }),
            |last| json!({ "not": { "anyOf": [last, { "not": last }] } }),
            |last| json!({ "anyOf": [last], "unevaluatedProperties": false }),
        ];
        for (place, shape) in shapes.into_iter().enumerate() {
            assert!(Sizes::of(&chain(40, shape)).is_err(), "{place}");
            assert!(Sizes::of(&chain(4, shape)).is_ok(), "{place}");
        }
    }

    #[test]
    fn what_is_doubled_by_a_step_into_the_value_is_counted_with_it() {
        let schema =
            chain(60, |last| json!({ "allOf": [{ "properties": { "a": last } }, { "properties": { "a": last } }] }));
        let sizes = Sizes::of(&schema).unwrap();
        assert!(!sizes.is_plain());
        let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
        let looks = |depth: usize| Looks::at(&schema, &nested(depth));
        assert!(looks(3).is_some_and(|looks| looks < 100));
        assert_eq!(looks(40), None);
    }

    #[test]
    fn a_cycle_without_a_step_and_a_long_chain_are_refused() {
        let turning = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "allOf": [{ "$ref": "#/$defs/a" }] } } });
        assert_eq!(Sizes::of(&turning).err().unwrap().keyword, "$ref");
        let list = json!({ "properties": { "next": { "$ref": "#" } } });
        assert!(Sizes::of(&list).is_ok());
        assert!(Sizes::of(&chain(5_000, |last| json!({ "properties": { "a": last } }))).is_err());
    }

    #[test]
    fn an_ordinary_schema_is_plain() {
        let branch = |kind: usize| json!({ "properties": { "kind": { "const": kind }, "a": { "type": "string" } } });
        let schema = json!({ "properties": { "a": { "oneOf": (0..200).map(branch).collect::<Vec<Value>>() } } });
        assert!(Sizes::of(&schema).unwrap().is_plain());
    }
}
