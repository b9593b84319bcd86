//! Walks two schemas side by side and names every place at which they differ.
//!
//! It claims nothing about what a difference means; that is asked of each edit afterwards, against the whole schemas.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value, json};

use super::branches;
use super::dialect::{Bearing, bearing, child, unescaped};
use super::document::Document;
use super::edit::{Edit, Effect, Slot};
use super::effort::Effort;
use super::places::{Pair, Uses};
use super::references::into_definitions;
use super::telling;
use super::verdict::Rule;
use super::way::{Kind, Step};

/// How far a walk goes down; what is deeper is one difference.
const DEEPEST: usize = 64;

/// Keywords that hang together, each group one difference.
pub(super) const GROUPS: [(Rule, &[&str]); 12] = [
    (Rule::Type, &["type"]),
    (Rule::Enum, &["enum", "const"]),
    (Rule::Bound, &["minimum", "exclusiveMinimum"]),
    (Rule::Bound, &["maximum", "exclusiveMaximum"]),
    (Rule::Bound, &["multipleOf"]),
    (Rule::Bound, &["minLength"]),
    (Rule::Bound, &["maxLength"]),
    (Rule::Bound, &["minItems"]),
    (Rule::Bound, &["maxItems"]),
    (Rule::Bound, &["minProperties"]),
    (Rule::Bound, &["maxProperties"]),
    (Rule::Bound, &["uniqueItems"]),
];

/// Keywords that stand for a schema: one that has other ones is another schema.
const SHAPES: [&str; 4] = ["$ref", "anyOf", "oneOf", "allOf"];

/// Every difference between `narrow` and `wide`, of which the first is the old one when `narrow_is_old`.
pub(super) fn edits(narrow: &Document, wide: &Document, age: Age, effort: &Effort<'_>) -> (Vec<Edit>, Uses) {
    let mut walk = Walk { narrow, wide, age, effort, uses: Uses::new(), edits: Vec::new() };
    walk.visit(Place::default(), 0);
    let Walk { mut edits, uses, .. } = walk;
    for edit in &mut edits {
        edit.ways = uses.ways(&edit.pair(), effort);
    }
    (edits, uses)
}

/// Which of the two documents is the older one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    NarrowIsOld,
    WideIsOld,
}

/// Where a walk is: in each document, and how it came there from the pair of schemas that it looked at last.
#[derive(Clone, Default)]
pub(super) struct Place {
    narrow: String,
    wide: String,
    pub(super) from: Option<Pair>,
    /// In people's words.
    name: String,
    steps: Vec<Step>,
}

impl Place {
    /// One step down by the same way on both sides.
    fn step(&self, ways: &[&str], kind: Kind, name: String) -> Self {
        let down = |pointer: &str| ways.iter().fold(pointer.to_owned(), |pointer, way| child(&pointer, way));
        self.at(down(&self.narrow), down(&self.wide), kind, name)
    }

    fn at(&self, narrow: String, wide: String, kind: Kind, name: String) -> Self {
        let steps = vec![Step { parent: self.narrow.clone(), kind }];
        Self { narrow, wide, from: self.from.clone(), name, steps }
    }

    /// The place inside of this one that people know by `name`.
    fn named(&self, name: String) -> Self {
        Self { name, ..self.clone() }
    }
}

pub(super) struct Walk<'walk> {
    pub(super) narrow: &'walk Document,
    pub(super) wide: &'walk Document,
    age: Age,
    pub(super) effort: &'walk Effort<'walk>,
    pub(super) uses: Uses,
    edits: Vec<Edit>,
}

impl Walk<'_> {
    fn visit(&mut self, place: Place, depth: usize) {
        let Place { narrow: parent, wide, from, name, mut steps } = place;
        let pair = (followed(self.narrow, parent.clone()), followed(self.wide, wide));
        if pair.0 != parent {
            steps.push(Step { parent, kind: Kind::Reference });
        }
        if !self.uses.enter(&pair, from, name, steps) {
            return;
        }
        let place = Place {
            narrow: pair.0.clone(),
            wide: pair.1.clone(),
            from: Some(pair),
            name: String::new(),
            steps: Vec::new(),
        };
        let (narrow, wide) = (self.narrow, self.wide);
        let (Some(left), Some(right)) = (narrow.schema.pointer(&place.narrow), wide.schema.pointer(&place.wide)) else {
            return;
        };
        let (Value::Object(one), Value::Object(other)) = (open(left), open(right)) else {
            if left != right {
                self.push(&place, Rule::Type, vec![Slot::Whole], telling::whole(self.in_time(left, right)));
            }
            return;
        };
        let has_other_shape = SHAPES.iter().any(|keyword| one.contains_key(*keyword) != other.contains_key(*keyword));
        if depth > DEEPEST || has_other_shape {
            self.push(&place, Rule::Type, vec![Slot::Whole], telling::whole(self.in_time(left, right)));
            self.annotations(&place, &one, &other);
            self.pass_over(&place, &Value::Object(one));
            return;
        }
        let (left, right) = (Value::Object(one.clone()), Value::Object(other.clone()));
        self.groups(&place, &left, &right);
        self.properties(&place, &left, &right, depth);
        self.undeclared(&place, &left, &right, depth);
        self.items(&place, &left, &right, depth);
        for union in ["anyOf", "oneOf", "allOf"] {
            self.union(&place, union, &left, &right, depth);
        }
        if let (Some(_), Some(_)) = (one.get("$ref"), other.get("$ref")) {
            self.targets(&place, &left, &right, depth);
        }
        self.other_keywords(&place, &one, &other);
        self.annotations(&place, &one, &other);
    }

    /// The old value first.
    pub(super) fn in_time<T>(&self, narrow: T, wide: T) -> (T, T) {
        if self.age == Age::NarrowIsOld { (narrow, wide) } else { (wide, narrow) }
    }

    fn push(&mut self, place: &Place, rule: Rule, slots: Vec<Slot>, message: String) {
        self.add(place, rule, slots, message, Effect::Asserts);
    }

    pub(super) fn add(&mut self, place: &Place, rule: Rule, slots: Vec<Slot>, message: String, effect: Effect) {
        let keywords = slots.iter().flat_map(|slot| self.keywords(slot, place)).collect::<BTreeSet<_>>();
        self.edits.push(Edit {
            rule,
            inside: place.name.clone(),
            message,
            keywords: keywords.into_iter().collect(),
            narrow: place.narrow.clone(),
            wide: place.wide.clone(),
            ways: Vec::new(),
            slots,
            effect,
        });
    }

    fn keywords(&self, slot: &Slot, place: &Place) -> Vec<String> {
        match slot {
            Slot::Keyword(keyword) => vec![keyword.clone()],
            Slot::Member(keyword, _) => vec![(*keyword).to_owned()],
            Slot::Required(_) => vec!["required".to_owned()],
            Slot::Whole => {
                let schemas = [self.narrow.schema.pointer(&place.narrow), self.wide.schema.pointer(&place.wide)];
                let keywords = schemas.into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
                let keywords: Vec<String> =
                    keywords.filter(|keyword| bearing(keyword) != Bearing::Annotates).cloned().collect();
                // `true` and `false` have none: it hangs on the one that they stand in.
                if keywords.is_empty() { standing_in(&place.narrow).into_iter().collect() } else { keywords }
            }
        }
    }

    fn groups(&mut self, place: &Place, left: &Value, right: &Value) {
        let named = [(Rule::Pattern, "pattern"), (Rule::Format, "format")];
        let single = named.iter().map(|(rule, keyword)| (*rule, std::slice::from_ref(keyword)));
        for (rule, keywords) in GROUPS.into_iter().chain(single) {
            if keywords.iter().any(|keyword| left.get(*keyword) != right.get(*keyword)) {
                let (old, new) = self.in_time(left, right);
                let message = telling::group(keywords, old, new);
                let slots = keywords.iter().map(|keyword| Slot::Keyword((*keyword).to_owned())).collect();
                self.push(place, rule, slots, message);
            }
        }
    }

    fn properties(&mut self, place: &Place, left: &Value, right: &Value, depth: usize) {
        let none = Map::new();
        let declared = |schema: &'_ Value| schema.get("properties").and_then(Value::as_object).cloned();
        let (lefts, rights) = (declared(left), declared(right));
        let (lefts, rights) = (lefts.as_ref().unwrap_or(&none), rights.as_ref().unwrap_or(&none));
        let (asked_left, asked_right) = (asked(left), asked(right));
        for name in lefts.keys().chain(rights.keys().filter(|name| !lefts.contains_key(*name))) {
            let at = place.named(format!(".{name}"));
            let (in_left, in_right) = (lefts.contains_key(name), rights.contains_key(name));
            let (is_asked_left, is_asked_right) =
                (asked_left.contains(name.as_str()), asked_right.contains(name.as_str()));
            if in_left && in_right {
                self.required(&at, name, is_asked_left, is_asked_right);
                self.visit(place.step(&["properties", name], Kind::Property(name.clone()), at.name), depth + 1);
                continue;
            }
            let (was, _) = self.in_time(in_left, in_right);
            let rule = if was { Rule::PropertyRemoved } else { Rule::PropertyAdded };
            let message = telling::property(rule, if in_left { is_asked_left } else { is_asked_right });
            let slots = vec![Slot::Member("properties", name.clone()), Slot::Required(name.clone())];
            self.push(&at, rule, slots, message);
        }
        // A name can be asked for without being declared.
        let undeclared = asked_left
            .symmetric_difference(&asked_right)
            .filter(|name| !lefts.contains_key(**name) && !rights.contains_key(**name));
        for name in undeclared {
            let at = place.named(format!(".{name}"));
            self.required(&at, name, asked_left.contains(name), asked_right.contains(name));
        }
    }

    fn required(&mut self, at: &Place, name: &str, left: bool, right: bool) {
        let (was, is) = self.in_time(left, right);
        let (rule, message) = match (was, is) {
            (false, true) => (Rule::MadeRequired, "it is required now"),
            (true, false) => (Rule::MadeOptional, "it may be missing now"),
            _ => return,
        };
        self.push(at, rule, vec![Slot::Required(name.to_owned())], message.to_owned());
    }

    /// What an object says of properties that it does not declare.
    fn undeclared(&mut self, place: &Place, left: &Value, right: &Value, depth: usize) {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            let says = |schema: &Value| schema.get(keyword).cloned().unwrap_or(Value::Bool(true));
            let (one, other) = (says(left), says(right));
            if open(&one) == open(&other) {
                continue;
            }
            if one.is_object() && other.is_object() {
                let kind = if keyword == "additionalProperties" { Kind::Undeclared } else { Kind::Other };
                self.visit(place.step(&[keyword], kind, "{}".to_owned()), depth + 1);
                continue;
            }
            let (old, new) = self.in_time(&one, &other);
            let (rule, message) = telling::openness(old, new);
            self.push(place, rule, vec![Slot::Keyword(keyword.to_owned())], message);
        }
        let named = |schema: &Value| -> BTreeSet<String> {
            let named = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            named.map(|(pattern, _)| pattern.clone()).collect()
        };
        let (lefts, rights) = (named(left), named(right));
        for pattern in lefts.intersection(&rights) {
            let name = format!("{{{pattern}}}");
            self.visit(place.step(&["patternProperties", pattern], Kind::Named(pattern.clone()), name), depth + 1);
        }
        for pattern in lefts.symmetric_difference(&rights) {
            let (was, _) = self.in_time(lefts.contains(pattern), rights.contains(pattern));
            let message =
                format!("properties named by `{pattern}` are {}", if was { "no longer declared" } else { "declared" });
            let slots = vec![Slot::Member("patternProperties", pattern.clone())];
            self.push(place, if was { Rule::PropertyRemoved } else { Rule::PropertyAdded }, slots, message);
        }
    }

    fn items(&mut self, place: &Place, left: &Value, right: &Value, depth: usize) {
        let places = |schema: &Value| schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        let (lefts, rights) = (places(left), places(right));
        for index in 0..lefts.min(rights) {
            let name = format!("[{index}]");
            self.visit(place.step(&["prefixItems", &index.to_string()], Kind::Place(index), name), depth + 1);
        }
        let says = |schema: &Value| schema.get("items").cloned().unwrap_or(Value::Bool(true));
        let (one, other) = (says(left), says(right));
        if lefts != rights {
            let (old, new) = self.in_time(lefts, rights);
            let slots = ["prefixItems", "items"].map(|keyword| Slot::Keyword(keyword.to_owned())).into();
            self.push(place, Rule::Tuple, slots, format!("the tuple had {old} places and has {new}"));
        } else if one.is_object() && other.is_object() {
            self.visit(place.step(&["items"], Kind::Item, "[]".to_owned()), depth + 1);
        } else if open(&one) != open(&other) {
            let message = telling::whole(self.in_time(&one, &other));
            let at = place.named("[]".to_owned());
            self.push(&at, Rule::Type, vec![Slot::Keyword("items".to_owned())], message);
        }
    }

    fn union(&mut self, place: &Place, keyword: &'static str, left: &Value, right: &Value, depth: usize) {
        let branches = |schema: &Value| schema.get(keyword).and_then(Value::as_array).cloned().unwrap_or_default();
        let (lefts, rights) = (branches(left), branches(right));
        if lefts.is_empty() && rights.is_empty() {
            return;
        }
        let pairs = branches::paired(self.narrow, self.wide, &lefts, &rights);
        if pairs.len() == lefts.len() && pairs.len() == rights.len() {
            for (one, other) in pairs {
                let down = |pointer: &str, index: usize| child(&child(pointer, keyword), &index.to_string());
                let (narrow, wide) = (down(&place.narrow, one), down(&place.wide, other));
                let kind = if keyword == "allOf" { Kind::Part } else { Kind::Branch(keyword, one) };
                self.visit(place.at(narrow, wide, kind, String::new()), depth + 1);
            }
            return;
        }
        self.pass_over(place, &json!({ keyword: lefts }));
        let missing = |branches: &[Value], is_paired: &dyn Fn(usize) -> bool| -> Vec<String> {
            let missing = branches.iter().enumerate().filter(|(index, _)| !is_paired(*index));
            missing.map(|(_, branch)| telling::short(branch)).collect()
        };
        let (paired_left, paired_right): (HashSet<usize>, HashSet<usize>) = pairs.into_iter().unzip();
        let only_left = missing(&lefts, &|index| paired_left.contains(&index));
        let only_right = missing(&rights, &|index| paired_right.contains(&index));
        let (gone, new) = self.in_time(only_left, only_right);
        let rule = if gone.is_empty() { Rule::BranchAdded } else { Rule::BranchRemoved };
        self.push(place, rule, vec![Slot::Keyword(keyword.to_owned())], telling::branches(&gone, &new));
    }

    /// Both refer to something, beside other keywords.
    fn targets(&mut self, place: &Place, left: &Value, right: &Value, depth: usize) {
        let target =
            |schema: &Value| schema.get("$ref").and_then(Value::as_str).and_then(into_definitions).map(|(_, at)| at);
        if let (Some(narrow), Some(wide)) = (target(left), target(right)) {
            // It holds together with the keywords beside it, and other places may refer to it.
            let mut target = place.at(narrow, wide, Kind::Part, String::new());
            target.steps.push(Step { parent: place.narrow.clone(), kind: Kind::Reference });
            self.visit(target, depth + 1);
        }
    }
}

/// The nearest keyword around the schema at `pointer`.
fn standing_in(pointer: &str) -> Option<String> {
    pointer.rsplit('/').map(unescaped).find(|step| bearing(step) == Bearing::Asserts)
}

/// The names that `schema` asks for.
fn asked(schema: &Value) -> BTreeSet<&str> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    required.filter_map(Value::as_str).collect()
}

/// The place that a schema which only refers stands for.
pub(super) fn followed(document: &Document, mut pointer: String) -> String {
    for _ in 0..16 {
        let Some(Value::Object(members)) = document.schema.pointer(&pointer) else { break };
        let is_only_reference =
            members.keys().all(|keyword| keyword == "$ref" || matches!(keyword.as_str(), "$defs" | "definitions"));
        match members.get("$ref").and_then(Value::as_str).and_then(into_definitions) {
            Some((_, target)) if is_only_reference => pointer = target,
            _ => break,
        }
    }
    pointer
}

/// `true` is a schema without keywords.
fn open(schema: &Value) -> Value {
    if schema == &Value::Bool(true) { Value::Object(Map::new()) } else { schema.clone() }
}
