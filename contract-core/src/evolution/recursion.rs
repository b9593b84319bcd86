//! Schemas that contain themselves: inclusion by induction over the depth of a value, and finite unrollings for witnesses.
//!
//! To prove that `N` lies in `M`, where both contain themselves, assume it for everything inside and prove the bodies: every
//! reference to `M` at a place that only grows with it is replaced by one to `N`. That is sound when each such place lies
//! inside a member or an item (there the values are smaller), which is checked.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::dialect::{SCHEMA, SCHEMA_LIST, SCHEMAS_BY_NAME};
use super::document::{Document, all_of, mentions, split};

/// Keywords that speak of the same value as the schema around them.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Keywords under which a schema that takes more makes the whole take more.
const GROWING: [&str; 8] = [
    "allOf",
    "anyOf",
    "properties",
    "patternProperties",
    "additionalProperties",
    "items",
    "prefixItems",
    "propertyNames",
];

/// The most schemas that an unrolling may be made of.
const LARGEST: usize = 4_000;

/// The references of `document` that lead into a cycle.
pub(super) fn endless(document: &Document) -> BTreeSet<String> {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut waiting: Vec<String> = references_of(&document.schema, false).into_iter().collect();
    while let Some(reference) = waiting.pop() {
        if graph.contains_key(&reference) {
            continue;
        }
        let next = document.resolve(&reference).map(|target| references_of(target, false)).unwrap_or_default();
        waiting.extend(next.iter().cloned());
        graph.insert(reference, next);
    }
    without_ends(graph).into_keys().collect()
}

/// What is left of `graph` when what leads only to what ends is taken off: the cycles, and what leads into them.
fn without_ends(mut graph: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let before = graph.len();
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        graph.retain(|_, next| next.iter().any(|reference| left.contains(reference)));
        if graph.len() == before {
            return graph;
        }
    }
}

/// The references in `schema`.
pub(super) fn references(schema: &Value) -> BTreeSet<String> {
    references_of(schema, false)
}

/// Whether a reference stands anywhere from where taking more may mean taking less.
pub(super) fn refers_from_where_less_grows(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return false };
    // What speaks of the same value and takes more may have looked at less of it.
    let counts_what_was_seen =
        ["unevaluatedProperties", "unevaluatedItems"].iter().any(|word| members.contains_key(*word));
    if counts_what_was_seen && !references_of(schema, true).is_empty() {
        return true;
    }
    members.iter().any(|(keyword, value)| {
        let is_growing = GROWING.contains(&keyword.as_str()) || matches!(keyword.as_str(), "$defs" | "definitions");
        children(keyword, value)
            .any(|child| if is_growing { refers_from_where_less_grows(child) } else { !references(child).is_empty() })
    })
}

/// The references in `schema`; with `in_place`, those alone that speak of the same value.
fn references_of(schema: &Value, in_place: bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(schema, in_place, &mut found);
    found
}

fn collect(schema: &Value, in_place: bool, found: &mut BTreeSet<String>) {
    let Value::Object(members) = schema else { return };
    found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
    for (keyword, value) in members {
        let is_counted = !in_place || IN_PLACE.contains(&keyword.as_str());
        if is_counted && !matches!(keyword.as_str(), "$defs" | "definitions") {
            children(keyword, value).for_each(|child| collect(child, in_place, found));
        }
    }
}

/// The schemas that are the value of `keyword`.
fn children<'schema>(keyword: &str, value: &'schema Value) -> Box<dyn Iterator<Item = &'schema Value> + 'schema> {
    if SCHEMA.contains(&keyword) {
        return Box::new(std::iter::once(value));
    }
    match value {
        Value::Object(named) if SCHEMAS_BY_NAME.contains(&keyword) => Box::new(named.values()),
        Value::Array(listed) if SCHEMA_LIST.contains(&keyword) => Box::new(listed.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// `schema` with each schema inside it passed through `change`.
pub(super) fn changed(schema: &Value, change: &mut dyn FnMut(&str, &Value) -> Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let members = members.iter().map(|(keyword, value)| {
        let value = match value {
            _ if SCHEMA.contains(&keyword.as_str()) => change(keyword, value),
            Value::Object(named) if SCHEMAS_BY_NAME.contains(&keyword.as_str()) => {
                Value::Object(named.iter().map(|(name, schema)| (name.clone(), change(keyword, schema))).collect())
            }
            Value::Array(listed) if SCHEMA_LIST.contains(&keyword.as_str()) => {
                listed.iter().map(|schema| change(keyword, schema)).collect()
            }
            other => other.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(members.collect())
}

/// One pair of schemas to be proved: the narrow and the wide.
pub(super) type Obligation = (Value, Value);

/// What has to be proved, each without looking through a cycle of the wide side; none when induction cannot be used.
pub(super) fn obligations(narrow: &Document, wide: &Document) -> Option<Vec<Obligation>> {
    let cycles = endless(wide);
    // What a schema has looked at counts there, so taking more is not all that a replaced reference may do.
    if cycles.is_empty()
        || ["unevaluatedProperties", "unevaluatedItems"].iter().any(|word| mentions(&wide.schema, word))
    {
        return None;
    }
    let known = endless(narrow);
    let mut twins: BTreeMap<String, String> = BTreeMap::new();
    // The same name on both sides is the likeliest twin.
    for reference in &cycles {
        let (_, pointer) = split(reference)?;
        let twin = known.iter().find(|other| split(other).is_some_and(|(_, other)| other == pointer));
        twins.extend(twin.map(|twin| (reference.clone(), twin.clone())));
    }
    let mut pairing = Pairing { narrow, wide, cycles: &cycles, twins, seen: BTreeSet::new() };
    pairing.walk(&narrow.schema, &wide.schema, 0);
    let twins = pairing.twins;
    if twins.is_empty() || !ends_in_place(wide, &cycles) {
        return None;
    }
    let mut obligations = vec![(narrow.schema.clone(), replaced(&wide.schema, &twins))];
    for (reference, twin) in &twins {
        let (body, twin) = (body(wide, reference)?, body(narrow, twin)?);
        obligations.push((twin.clone(), replaced(body, &twins)));
    }
    Some(obligations)
}

/// What a reference stands for, past references to references.
fn body<'document>(document: &'document Document, reference: &str) -> Option<&'document Value> {
    let mut target = document.resolve(reference)?;
    for _ in 0..16 {
        match target.as_object() {
            Some(members) if members.len() == 1 && members.contains_key("$ref") => {
                target = document.resolve(members.get("$ref")?.as_str()?)?;
            }
            _ => return Some(target),
        }
    }
    None
}

/// Whether no chain of references comes back to where it was without a step into the value.
fn ends_in_place(document: &Document, cycles: &BTreeSet<String>) -> bool {
    let next =
        |reference: &String| document.resolve(reference).map(|target| references_of(target, true)).unwrap_or_default();
    without_ends(cycles.iter().map(|reference| (reference.clone(), next(reference))).collect()).is_empty()
}

/// `schema` with its references to twins' wide sides replaced, at the places that only grow.
fn replaced(schema: &Value, twins: &BTreeMap<String, String>) -> Value {
    let mut schema = changed(schema, &mut |keyword, child| {
        if GROWING.contains(&keyword) { replaced(child, twins) } else { child.clone() }
    });
    if let Some(reference) = schema.get_mut("$ref")
        && let Some(twin) = reference.as_str().and_then(|text| twins.get(text))
    {
        *reference = json!(twin);
    }
    schema
}

/// Finds the twin of each cycle by walking both schemas side by side.
struct Pairing<'walk> {
    narrow: &'walk Document,
    wide: &'walk Document,
    cycles: &'walk BTreeSet<String>,
    twins: BTreeMap<String, String>,
    seen: BTreeSet<(String, String)>,
}

impl Pairing<'_> {
    fn walk(&mut self, narrow: &Value, wide: &Value, depth: usize) {
        let (Value::Object(left), Value::Object(right)) = (narrow, wide) else { return };
        if depth > 64 {
            return;
        }
        let reference = |members: &Map<String, Value>| members.get("$ref").and_then(Value::as_str).map(str::to_owned);
        match (reference(left), reference(right)) {
            (Some(one), Some(other)) => {
                if !self.seen.insert((one.clone(), other.clone())) {
                    return;
                }
                if self.cycles.contains(&other) {
                    self.twins.entry(other.clone()).or_insert_with(|| one.clone());
                }
                let targets = (self.narrow.resolve(&one).cloned(), self.wide.resolve(&other).cloned());
                if let (Some(one), Some(other)) = targets {
                    self.walk(&one, &other, depth + 1);
                }
            }
            // A root that is itself the cycle's body, or one side that was written out.
            (Some(one), None) => {
                if self.seen.insert((one.clone(), String::new()))
                    && let Some(target) = self.narrow.resolve(&one).cloned()
                {
                    self.walk(&target, wide, depth + 1);
                }
            }
            (None, Some(other)) => {
                if self.seen.insert((String::new(), other.clone()))
                    && let Some(target) = self.wide.resolve(&other).cloned()
                {
                    self.walk(narrow, &target, depth + 1);
                }
            }
            (None, None) => {}
        }
        for (keyword, value) in left {
            let Some(other) = right.get(keyword) else { continue };
            if let (Value::Object(left), Value::Object(right)) = (value, other)
                && SCHEMAS_BY_NAME.contains(&keyword.as_str())
            {
                for (name, schema) in left {
                    right.get(name).into_iter().for_each(|other| self.walk(schema, other, depth + 1));
                }
                continue;
            }
            for (one, other) in children(keyword, value).zip(children(keyword, other)) {
                self.walk(one, other, depth + 1);
            }
        }
    }
}

/// `document` with every cycle written out `steps` times and ended by `end`: `false` gives a part of what it takes, `true`
/// something that contains it.
pub(super) fn unrolled(document: &Document, steps: usize, end: bool) -> Option<Document> {
    let cycles = endless(document);
    let mut left = LARGEST;
    let schema = unroll(document, &document.schema, &cycles, steps, end, &mut left)?;
    Some(Document { schema, definitions: document.definitions.clone() })
}

fn unroll(
    document: &Document,
    schema: &Value,
    cycles: &BTreeSet<String>,
    steps: usize,
    end: bool,
    left: &mut usize,
) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let mut whole = true;
    let mut inside = changed(schema, &mut |keyword, child| {
        if matches!(keyword, "$defs" | "definitions") {
            return child.clone();
        }
        let child = unroll(document, child, cycles, steps, end, left);
        whole &= child.is_some();
        child.unwrap_or_default()
    });
    if !whole {
        return None;
    }
    let reference = inside.get("$ref").and_then(Value::as_str).filter(|text| cycles.contains(*text)).map(str::to_owned);
    let Some(reference) = reference else { return Some(inside) };
    let target = match steps.checked_sub(1) {
        Some(steps) => unroll(document, document.resolve(&reference)?, cycles, steps, end, left)?,
        None => Value::Bool(end),
    };
    let members = inside.as_object_mut()?;
    members.shift_remove("$ref");
    if members.is_empty() { Some(target) } else { Some(all_of(vec![inside, target])) }
}
