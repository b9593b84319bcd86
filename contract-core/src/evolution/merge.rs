//! Takes a schema apart into plain ones: no reference, no combination, each a list of keywords that hold together.
//!
//! It serves the search for values alone. What it makes may be too wide (a `not`, an exclusive union), never by itself a
//! verdict: every value is held against the whole schema afterwards.

use serde_json::{Map, Value, json};

use super::document::Document;
use super::effort::Effort;

/// The most plain schemas that one is taken apart into.
const BRANCHES: usize = 48;

/// Every combination of branches of `schema`, as plain schemas. `depth` bounds references that lead back without a step down.
pub(super) fn plain_schemas(
    document: &Document,
    schema: &Map<String, Value>,
    depth: usize,
    effort: &Effort<'_>,
) -> Vec<Map<String, Value>> {
    if !effort.affords(1 + schema.len() as u64 / 4) {
        return Vec::new();
    }
    let mut base = schema.clone();
    let combining = ["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"];
    base.retain(|keyword, _| !combining.contains(&keyword.as_str()));
    if let Some(word) = base.shift_remove("const") {
        base = merged(&base, &Map::from_iter([("enum".to_owned(), json!([word]))])).unwrap_or_default();
    }
    let mut plain = vec![base];
    if depth == 0 {
        return plain;
    }
    let apart = |schema: &Value| -> Vec<Map<String, Value>> {
        match schema {
            Value::Object(members) => plain_schemas(document, members, depth - 1, effort),
            Value::Bool(true) => vec![Map::new()],
            _ => Vec::new(),
        }
    };
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| document.resolve(reference)) {
        plain = crossed(&plain, &apart(target), effort);
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        plain = crossed(&plain, &apart(part), effort);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(union).and_then(Value::as_array) {
            let branches: Vec<_> = branches.iter().flat_map(apart).take(BRANCHES).collect();
            plain = crossed(&plain, &branches, effort);
        }
    }
    if let Some(condition) = schema.get("if") {
        let open = Value::Bool(true);
        let both = json!({ "allOf": [condition, schema.get("then").unwrap_or(&open)] });
        let mut cases = apart(&both);
        cases.extend(apart(schema.get("else").unwrap_or(&open)));
        plain = crossed(&plain, &cases, effort);
    }
    for (name, dependent) in schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flatten() {
        let with = json!({ "allOf": [{ "required": [name] }, dependent] });
        let mut cases = vec![Map::new()];
        cases.extend(apart(&with));
        plain = crossed(&plain, &cases, effort);
    }
    plain
}

fn crossed(one: &[Map<String, Value>], other: &[Map<String, Value>], effort: &Effort<'_>) -> Vec<Map<String, Value>> {
    let pairs = one.iter().flat_map(|left| other.iter().map(move |right| (left, right)));
    let afforded = pairs.take_while(|(left, right)| effort.affords(1 + (left.len() + right.len()) as u64 / 8));
    afforded.filter_map(|(left, right)| merged(left, right)).take(BRANCHES).collect()
}

/// Both at once; none when that is plainly impossible.
fn merged(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut all = one.clone();
    for (keyword, right) in other {
        let Some(left) = one.get(keyword) else {
            all.insert(keyword.clone(), right.clone());
            continue;
        };
        let together = match keyword.as_str() {
            "type" => types(left, right)?,
            "enum" => words(left, right)?,
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" | "minContains" => {
                if left.as_f64() >= right.as_f64() { left.clone() } else { right.clone() }
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" | "maxContains" => {
                if left.as_f64() <= right.as_f64() { left.clone() } else { right.clone() }
            }
            "required" => json!(union(left, right)),
            "properties" | "patternProperties" | "dependentRequired" => by_name(keyword, left, right),
            "prefixItems" => places(left, right),
            "items" | "additionalProperties" | "propertyNames" | "contains" => json!({ "allOf": [left, right] }),
            "not" => json!({ "anyOf": [left, right] }),
            "pattern" => json!(union(&listed(left), &listed(right))),
            "uniqueItems" => json!(left == &json!(true) || right == &json!(true)),
            _ => right.clone(),
        };
        all.insert(keyword.clone(), together);
    }
    Some(all)
}

fn listed(value: &Value) -> Value {
    if value.is_array() { value.clone() } else { json!([value]) }
}

fn union(left: &Value, right: &Value) -> Vec<Value> {
    let mut all = left.as_array().cloned().unwrap_or_default();
    all.extend(
        right.as_array().into_iter().flatten().filter(|one| !left.as_array().is_some_and(|l| l.contains(one))).cloned(),
    );
    all
}

fn words(left: &Value, right: &Value) -> Option<Value> {
    let right = right.as_array()?;
    let both: Vec<&Value> = left.as_array()?.iter().filter(|word| right.contains(word)).collect();
    if both.is_empty() { None } else { Some(json!(both)) }
}

/// The types that both name; an integer is a number.
fn types(left: &Value, right: &Value) -> Option<Value> {
    let (left, right) = (listed(left), listed(right));
    let (left, right) = (left.as_array()?, right.as_array()?);
    let mut both: Vec<Value> = left.iter().filter(|kind| right.contains(kind)).cloned().collect();
    let is_integer =
        |one: &[Value], other: &[Value]| one.contains(&json!("integer")) && other.contains(&json!("number"));
    if (is_integer(left, right) || is_integer(right, left)) && !both.contains(&json!("number")) {
        both.push(json!("integer"));
        both.dedup();
    }
    if both.is_empty() { None } else { Some(Value::Array(both)) }
}

fn by_name(keyword: &str, left: &Value, right: &Value) -> Value {
    let mut all = left.as_object().cloned().unwrap_or_default();
    for (name, right) in right.as_object().into_iter().flatten() {
        let together = match all.get(name) {
            Some(left) if keyword == "dependentRequired" => json!(union(left, right)),
            Some(left) => json!({ "allOf": [left, right] }),
            None => right.clone(),
        };
        all.insert(name.clone(), together);
    }
    Value::Object(all)
}

fn places(left: &Value, right: &Value) -> Value {
    let (left, right) = (left.as_array().cloned().unwrap_or_default(), right.as_array().cloned().unwrap_or_default());
    let length = left.len().max(right.len());
    let place = |index: usize| match (left.get(index), right.get(index)) {
        (Some(left), Some(right)) => json!({ "allOf": [left, right] }),
        (Some(only), None) | (None, Some(only)) => only.clone(),
        (None, None) => Value::Bool(true),
    };
    (0..length).map(place).collect()
}
