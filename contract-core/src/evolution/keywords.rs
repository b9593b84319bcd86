//! What single keywords of a schema ask, as far as two of them can be held against each other alone.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::dialect::{Bearing, bearing};
use super::words::key;

/// Keywords that say together what parts of a value are.
pub(super) const TOGETHER: [&[&str]; 2] =
    [&["properties", "patternProperties", "additionalProperties"], &["prefixItems", "items"]];

pub(super) fn named<'map>(
    schema: &'map Map<String, Value>,
    keyword: &str,
    none: &'map Map<String, Value>,
) -> &'map Map<String, Value> {
    schema.get(keyword).and_then(Value::as_object).unwrap_or(none)
}

pub(super) fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn only_reference(schema: &Map<String, Value>) -> Option<&str> {
    let is_only = schema.keys().all(|keyword| {
        keyword == "$ref"
            || bearing(keyword) == Bearing::Annotates
            || matches!(keyword.as_str(), "$defs" | "definitions")
    });
    if is_only { schema.get("$ref").and_then(Value::as_str) } else { None }
}

pub(super) fn types(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Value::String(kind) => Box::new(std::iter::once(kind.as_str())),
        Value::Array(kinds) => Box::new(kinds.iter().filter_map(Value::as_str)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Whether no value of `schema` is of one of `kinds`.
pub(super) fn takes_none_of(schema: &Map<String, Value>, kinds: &[&str]) -> bool {
    schema
        .get("type")
        .is_some_and(|named| types(named).next().is_some() && types(named).all(|kind| !kinds.contains(&kind)))
}

pub(super) fn names(value: Option<&Value>) -> BTreeSet<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether `low <= high`, for certain.
pub(super) fn is_at_most(low: &Value, high: &Value) -> bool {
    let whole = |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    match (whole(low), whole(high)) {
        (Some(low), Some(high)) => low <= high,
        _ => match (low.as_f64(), high.as_f64()) {
            // Past this a double is not the number that was written.
            (Some(low), Some(high)) => low <= high && low.abs() < 9e15 && high.abs() < 9e15,
            _ => false,
        },
    }
}

/// Counts begin at nothing anyway.
pub(super) fn is_no_bound(keyword: &str, bound: &Value) -> bool {
    matches!(keyword, "minLength" | "minItems" | "minProperties") && key(bound) == "0"
}
