//! Inclusion that shows keyword by keyword: whatever the wide schema asks, the narrow one asks at the same place.
//!
//! It walks both schemas once, so that large ones cost no more than their size, and leaves to the set algebra the small
//! places at which keywords have to be read together. References are taken for proved while they are being proved, which is
//! induction over the depth of a value: it holds where a step into the value lies between.

use std::collections::{BTreeMap, HashMap};

use jsonschema::canonical::Containment;
use serde_json::{Map, Value};

use super::branches;
use super::depth::Depth;
use super::dialect::{Bearing, bearing};
use super::disjoint::are_apart;
use super::document::{Document, closed, covers, validator};
use super::effort::Effort;
use super::keywords::{TOGETHER, is_at_most, is_no_bound, list, names, only_reference, takes_none_of, types};
use super::members;
use super::pattern::Inclusion;
use super::sameness::Sameness;
use super::words::{Words, listed};

/// How far down it looks; deeper schemas are not proved so.
pub(super) const DEEPEST: usize = 128;

/// The most branches that one branch is held against when no mark says which is its own.
const UNMARKED: usize = 24;

/// Who is asked where keywords have to be read together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// The set algebra.
    Algebra,
    /// Nobody: it is not worth the work yet.
    Nobody,
}

/// Whether `wide` takes all that `narrow` takes; `false` says nothing.
pub(super) fn shows(narrow: &Document, wide: &Document, otherwise: Otherwise, effort: &Effort<'_>) -> bool {
    let mut structure = Structure {
        narrow,
        wide,
        otherwise,
        effort,
        taken: BTreeMap::new(),
        order: Vec::new(),
        open: HashMap::new(),
        open_parts: HashMap::new(),
        apart: HashMap::new(),
        sameness: Sameness::new(narrow, wide, effort),
    };
    structure.is_included(&narrow.schema, &wide.schema, Depth::default())
}

struct Structure<'search> {
    narrow: &'search Document,
    wide: &'search Document,
    otherwise: Otherwise,
    effort: &'search Effort<'search>,
    /// Pairs of references that are proved or being proved, with the depth in the value from which on that may be used.
    taken: BTreeMap<(String, String), usize>,
    order: Vec<(String, String)>,
    /// Pairs of references, and of schemas by where they stand in memory, that were not proved from such a depth on. It says
    /// nothing, so it may be said again.
    open: HashMap<(String, String), Depth>,
    open_parts: HashMap<(*const Value, *const Value), Depth>,
    /// Whether the branches of a `oneOf` of the wide side are apart, by where they stand in memory.
    apart: HashMap<*const Value, bool>,
    sameness: Sameness<'search>,
}

impl Structure<'_> {
    fn is_included(&mut self, narrow: &Value, wide: &Value, depth: Depth) -> bool {
        if !self.effort.affords(2) || depth.schema > DEEPEST {
            return false;
        }
        let open = Value::Object(Map::new());
        let narrow = if narrow == &Value::Bool(true) { &open } else { narrow };
        let (one, other) = match (narrow, wide) {
            (Value::Bool(false), _) | (_, Value::Bool(true)) => return true,
            (Value::Object(one), Value::Object(other)) => (one, other),
            _ => return false,
        };
        match (only_reference(one), only_reference(other)) {
            (Some(left), Some(right)) => self.references(left, right, depth),
            (Some(left), None) => {
                let document = self.narrow;
                document.resolve(left).is_some_and(|target| self.is_included(target, wide, depth.in_place()))
            }
            (None, Some(right)) => {
                let document = self.wide;
                document.resolve(right).is_some_and(|target| self.is_included(narrow, target, depth.in_place()))
            }
            // What is made here for a moment has no place to be known by.
            (None, None) if one.is_empty() => self.keywords(narrow, wide, depth),
            (None, None) => {
                let pair = (std::ptr::from_ref(narrow), std::ptr::from_ref(wide));
                if self.open_parts.get(&pair).is_some_and(|from| depth.is_no_better(*from)) {
                    return false;
                }
                let is_included = self.keywords(narrow, wide, depth);
                if !is_included {
                    self.open_parts.insert(pair, depth);
                }
                is_included
            }
        }
    }

    fn references(&mut self, left: &str, right: &str, depth: Depth) -> bool {
        let pair = (left.to_owned(), right.to_owned());
        if let Some(from) = self.taken.get(&pair) {
            if *from <= depth.value {
                return true;
            }
            return false;
        }
        if self.open.get(&pair).is_some_and(|from| depth.is_no_better(*from)) {
            return false;
        }
        let (narrow, wide) = (self.narrow, self.wide);
        let (Some(one), Some(other)) = (narrow.resolve(left), wide.resolve(right)) else { return false };
        let before = self.order.len();
        self.order.push(pair.clone());
        // While it is being proved it holds for what lies deeper.
        self.taken.insert(pair.clone(), depth.value + 1);
        if self.is_included(one, other, depth.in_place()) {
            self.taken.insert(pair, depth.value);
            return true;
        }
        // What was proved with its help is not.
        for pair in self.order.split_off(before) {
            self.taken.remove(&pair);
        }
        self.open.insert(pair, depth);
        false
    }

    fn keywords(&mut self, narrow: &Value, wide: &Value, depth: Depth) -> bool {
        let (Value::Object(one), Value::Object(other)) = (narrow, wide) else { return false };
        if self.sameness.is_same(narrow, wide, depth.schema) {
            return true;
        }
        // What they ask hangs on what other keywords have looked at.
        let hangs = ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| other.contains_key(*keyword));
        let mut is_open = hangs;
        for keyword in other.keys().filter(|_| !hangs) {
            // Keywords that are read together are read once.
            let is_read = TOGETHER.iter().any(|group| {
                let first = group.iter().find(|first| other.contains_key(**first));
                group.contains(&keyword.as_str()) && first.is_some_and(|first| first != keyword)
            });
            match if is_read { Answer::Implied } else { self.keyword(keyword, narrow, one, other, depth) } {
                Answer::Implied => {}
                Answer::Apart => return false,
                Answer::Together => is_open = true,
            }
        }
        !is_open || self.is_finite_part(one, other) || self.is_covered(one, other)
    }

    /// Whether `one` asks what `keyword` of `other` asks.
    fn keyword(
        &mut self,
        keyword: &str,
        narrow: &Value,
        one: &Map<String, Value>,
        other: &Map<String, Value>,
        depth: Depth,
    ) -> Answer {
        if bearing(keyword) != Bearing::Asserts || matches!(keyword, "$defs" | "definitions") {
            return Answer::Implied;
        }
        let (left, right) = (one.get(keyword), &other[keyword]);
        let never = |kinds: &[&str]| takes_none_of(one, kinds);
        let included = |is_included: bool| if is_included { Answer::Implied } else { Answer::Apart };
        match keyword {
            "type" => {
                left.map_or(Answer::Together, |left| {
                    together(types(left).all(|kind| {
                        types(right).any(|other| other == kind || (kind == "integer" && other == "number"))
                    }))
                })
            }
            "enum" | "const" => match (listed(one), listed(other)) {
                (Some(left), Some(right)) => {
                    let words = Words::of(right);
                    together(left.iter().all(|word| words.contains(word)))
                }
                _ => Answer::Together,
            },
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                together(left.is_some_and(|left| is_at_most(right, left)) || is_no_bound(keyword, right))
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                together(left.is_some_and(|left| is_at_most(left, right)))
            }
            "pattern" => together(match (left.and_then(Value::as_str), right.as_str()) {
                (Some(left), Some(right)) => self.effort.patterns.included(left, right) == Inclusion::Proved,
                _ => never(&["string"]),
            }),
            "required" => {
                let asked = names(left);
                together(never(&["object"]) || names(Some(right)).is_subset(&asked))
            }
            "properties" | "patternProperties" | "additionalProperties" => {
                if never(&["object"]) {
                    Answer::Implied
                } else {
                    self.members(one, other, depth)
                }
            }
            "items" | "prefixItems" => {
                if never(&["array"]) {
                    Answer::Implied
                } else {
                    self.places(one, other, depth)
                }
            }
            "propertyNames" => match left {
                Some(left) => included(self.is_included(left, right, depth.inside())),
                None => Answer::Together,
            },
            "anyOf" => self.union(narrow, right, depth),
            "oneOf" => {
                if self.is_any_of(right) {
                    return self.union(narrow, right, depth);
                }
                left.map_or(Answer::Together, |left| together(self.sameness.are_same(left, right, depth.schema)))
            }
            "allOf" => self.parts(narrow, right, depth),
            "$ref" => {
                let mut target = Map::new();
                target.insert("$ref".to_owned(), right.clone());
                let own = left.map(|left| Value::Object(Map::from_iter([("$ref".to_owned(), left.clone())])));
                let target = Value::Object(target);
                let is_implied = own.is_some_and(|own| self.is_included(&own, &target, depth.in_place()))
                    || self.is_included(narrow, &target, depth.in_place());
                together(is_implied)
            }
            _ => left.map_or(Answer::Together, |left| together(self.sameness.are_same(left, right, depth.schema))),
        }
    }

    /// The members of objects: declared, named by a pattern, and the rest.
    fn members(&mut self, one: &Map<String, Value>, other: &Map<String, Value>, depth: Depth) -> Answer {
        let by_pattern = |schema: &Map<String, Value>| schema.contains_key("patternProperties");
        let mut pairs = members::pairs(one, other, self.effort.patterns).into_iter();
        if pairs.all(|(left, right)| self.is_included(left, right, depth.inside())) {
            Answer::Implied
        } else if by_pattern(one) || by_pattern(other) {
            // A name may hold several of them, and each pair was looked at alone.
            Answer::Together
        } else {
            Answer::Apart
        }
    }

    /// The items of arrays: the places of a tuple, and the rest.
    fn places(&mut self, one: &Map<String, Value>, other: &Map<String, Value>, depth: Depth) -> Answer {
        let open = Value::Bool(true);
        let (lefts, rights) = (list(one.get("prefixItems")), list(other.get("prefixItems")));
        let (left_rest, right_rest) = (one.get("items").unwrap_or(&open), other.get("items").unwrap_or(&open));
        for place in 0..=lefts.len().max(rights.len()) {
            let (left, right) = (lefts.get(place).unwrap_or(left_rest), rights.get(place).unwrap_or(right_rest));
            if !self.is_included(left, right, depth.inside()) {
                return Answer::Apart;
            }
        }
        Answer::Implied
    }

    /// Whether exactly one of the wide side's branches is any of them.
    fn is_any_of(&mut self, branches: &Value) -> bool {
        let (wide, effort) = (self.wide, self.effort);
        *self.apart.entry(std::ptr::from_ref(branches)).or_insert_with(|| {
            let branches = list(Some(branches));
            branches::tag(wide, branches).is_some() || are_apart(wide, branches, effort)
        })
    }

    /// A union: each branch of the narrow side has one on the wide side that takes it.
    fn union(&mut self, narrow: &Value, right: &Value, depth: Depth) -> Answer {
        let (lefts, rights) = (list(narrow.get("anyOf").or_else(|| narrow.get("oneOf"))), list(Some(right)));
        if lefts.is_empty() {
            let mut rights = rights.iter().take(UNMARKED);
            return together(rights.any(|right| self.is_included(narrow, right, depth.in_place())));
        }
        let own: HashMap<usize, usize> = branches::paired(self.narrow, self.wide, lefts, rights).into_iter().collect();
        let every = lefts.iter().enumerate().all(|(place, left)| {
            let pair = own.get(&place);
            pair.is_some_and(|pair| self.is_included(left, &rights[*pair], depth.in_place()))
                || rights
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| Some(other) != pair)
                    .take(UNMARKED)
                    .any(|(_, right)| self.is_included(left, right, depth.in_place()))
        });
        together(every)
    }

    /// Schemas that hold together, each by its own twin or by all of the narrow side.
    fn parts(&mut self, narrow: &Value, right: &Value, depth: Depth) -> Answer {
        let twins = list(narrow.get("allOf"));
        together(list(Some(right)).iter().enumerate().all(|(place, part)| {
            twins.get(place).is_some_and(|twin| self.is_included(twin, part, depth.in_place()))
                || self.is_included(narrow, part, depth.in_place())
        }))
    }

    /// Whether `one` lists its values, and `other` takes each of those that it takes.
    fn is_finite_part(&self, one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
        let Some(words) = listed(one) else { return false };
        // The validator looks for a value in a list from its beginning.
        let known = listed(other).map(Words::of);
        let rest = |schema: &Map<String, Value>| {
            let rest = schema.iter().filter(|(keyword, _)| !matches!(keyword.as_str(), "enum" | "const"));
            Value::Object(rest.map(|(keyword, value)| (keyword.clone(), value.clone())).collect())
        };
        let whole = |document: &Document, schema: Value| validator(&closed(schema, &[document]).whole(), self.effort);
        let (Some(left), Some(right)) = (whole(self.narrow, rest(one)), whole(self.wide, rest(other))) else {
            return false;
        };
        self.effort.affords(words.len() as u64)
            && words.into_iter().all(|word| {
                left.refuses(word) || (known.as_ref().is_none_or(|known| known.contains(word)) && right.takes(word))
            })
    }

    /// Whether the set algebra proves it.
    fn is_covered(&self, one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
        if self.otherwise == Otherwise::Nobody {
            return false;
        }
        let narrow = closed(Value::Object(one.clone()), &[self.narrow]);
        let wide = closed(Value::Object(other.clone()), &[self.wide]);
        covers(&narrow.whole(), &wide.whole(), self.effort) == Containment::Yes
    }
}

/// What is known of one keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Implied,
    /// A part of the value may fail, whatever other keywords say.
    Apart,
    /// Other keywords may ask it.
    Together,
}

fn together(is_implied: bool) -> Answer {
    if is_implied { Answer::Implied } else { Answer::Together }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Otherwise, shows};
    use crate::evolution::document::Document;
    use crate::evolution::effort::Effort;
    use crate::evolution::pattern::Patterns;

    fn included(narrow: &Value, wide: &Value) -> bool {
        let (narrow, wide) = (Document::read(narrow, "old").unwrap(), Document::read(wide, "new").unwrap());
        shows(&narrow, &wide, Otherwise::Algebra, &Effort::new(&Patterns::default(), 0, u64::MAX))
    }

    #[test]
    fn a_reference_is_no_proof_of_itself_without_a_step_into_the_value() {
        let looping = |kind: &str| json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": kind, "anyOf": [{ "$ref": "#/$defs/a" }] } } });
        assert!(!included(&looping("integer"), &looping("string")));
        let list = |kind: &str| {
            json!({ "$ref": "#/$defs/a", "$defs": { "a": {
                "type": "object", "properties": { "v": { "type": kind }, "next": { "$ref": "#/$defs/a" } }
            } } })
        };
        assert!(included(&list("integer"), &list("number")));
        assert!(!included(&list("number"), &list("integer")));
    }

    #[test]
    fn a_union_of_tagged_branches_grows_with_them_and_another_does_not() {
        let tagged = |most: u32| {
            let branch = |kind: &str| json!({ "type": "object", "required": ["k"], "properties": { "k": { "const": kind }, "n": { "maximum": most } } });
            json!({ "oneOf": [branch("a"), branch("b")] })
        };
        assert!(included(&tagged(1), &tagged(2)));
        assert!(!included(&tagged(2), &tagged(1)));
        let plain = |most: u32| json!({ "oneOf": [{ "type": "integer", "maximum": most }, { "type": "number", "minimum": 3 }] });
        assert!(!included(&plain(2), &plain(5)), "4 is taken by both branches, and so by none");
    }

    #[test]
    fn what_hangs_on_what_was_looked_at_is_not_read_keyword_by_keyword() {
        let closed = |inner: Value| json!({ "type": "object", "allOf": [inner], "unevaluatedProperties": false });
        assert!(!included(
            &closed(json!({ "properties": { "a": { "type": "integer" } } })),
            &closed(json!({ "type": "object" }))
        ));
    }
}
