//! Rewriting a schema into the part of JSON Schema that a provider understands, and noting what that part lacks.

use serde_json::{Map, Value, json};

use super::Loss;
use crate::schema::nullable_inner;

/// A rewrite in progress: whose tool it is and what got lost so far.
pub(super) struct Rewrite<'losses> {
    pub(super) tool: &'static str,
    pub(super) losses: &'losses mut Vec<Loss>,
}

impl Rewrite<'_> {
    pub(super) fn lose(&mut self, place: &str, message: impl Into<String>) {
        self.losses.push(Loss { tool: self.tool, place: place.to_owned(), message: message.into() });
    }

    /// Takes off every keyword that `keeps` does not keep and says it in words instead, so that a model still reads it.
    pub(super) fn keep(&mut self, node: &mut Map<String, Value>, place: &str, keeps: impl Fn(&str, &Value) -> bool) {
        let mut said = Vec::new();
        let mut kept = Map::new();
        for (keyword, value) in std::mem::take(node) {
            if keeps(&keyword, &value) {
                kept.insert(keyword, value);
            } else if !matches!(keyword.as_str(), "examples" | "deprecated") && !keyword.starts_with("x-") {
                said.push(format!("{keyword}: {value}"));
                self.lose(place, format!("`{keyword}` is said in the description alone"));
            }
        }
        if !said.is_empty() {
            let words = format!("{{{}}}", said.join(", "));
            let text = match kept.shift_remove("description") {
                Some(Value::String(text)) => format!("{text}\n\n{words}"),
                _ => words,
            };
            kept.insert("description".to_owned(), text.into());
        }
        *node = kept;
    }
}

/// Visits every node of a normalised input schema, children first.
pub(super) fn for_each_node(
    node: &mut Map<String, Value>,
    place: &str,
    visit: &mut impl FnMut(&mut Map<String, Value>, &str),
) {
    if let Some(Value::Object(properties)) = node.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            if let Value::Object(property) = property {
                for_each_node(property, &place, visit);
            }
        }
    }
    for (keyword, suffix) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(Value::Object(child)) = node.get_mut(keyword) {
            for_each_node(child, &format!("{place}{suffix}"), visit);
        }
    }
    for keyword in ["oneOf", "anyOf"] {
        for child in node.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Value::Object(child) = child {
                for_each_node(child, place, visit);
            }
        }
    }
    visit(node, place);
}

/// The first place that `is` holds of.
pub(super) fn find(schema: &Map<String, Value>, is: impl Fn(&Map<String, Value>) -> bool) -> Option<String> {
    let mut found = None;
    for_each_node(&mut schema.clone(), "", &mut |node, place| {
        if found.is_none() && is(node) {
            found = Some(place.to_owned());
        }
    });
    found
}

/// Whether `node` is a map: an object whose keys are the caller's own.
pub(super) fn is_map(node: &Map<String, Value>) -> bool {
    node.get("type").is_some_and(|kind| kind == "object")
        && node.get("additionalProperties") != Some(&Value::Bool(false))
}

/// The branches of a tagged union never overlap, so `anyOf` says the same of them as `oneOf`.
pub(super) fn one_of_to_any_of(node: &mut Map<String, Value>) {
    if let Some(branches) = node.shift_remove("oneOf") {
        node.insert("anyOf".to_owned(), branches);
    }
}

/// A constant is an enum of one.
pub(super) fn const_to_enum(node: &mut Map<String, Value>) {
    if let Some(word) = node.shift_remove("const") {
        node.insert("enum".to_owned(), json!([word]));
    }
}

/// The same value or null; what describes the member stays outside.
pub(super) fn or_null(node: &Map<String, Value>) -> Map<String, Value> {
    if nullable_inner(node).is_some() {
        return node.clone();
    }
    let mut inner = node.clone();
    let description = inner.shift_remove("description");
    let mut branches = match inner.get("anyOf").and_then(Value::as_array) {
        // One level of union is easier on a model than two.
        Some(branches) if inner.len() == 1 => branches.clone(),
        _ => vec![Value::Object(inner)],
    };
    branches.push(json!({ "type": "null" }));
    let mut outer = Map::from_iter([("anyOf".to_owned(), Value::Array(branches))]);
    outer.extend(description.map(|text| ("description".to_owned(), text)));
    outer
}
