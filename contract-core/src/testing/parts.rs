//! A value taken apart along its schema: every place in it that a law can change.

use serde_json::{Map, Value};

use crate::arguments::join;
use crate::schema::{nullable_inner, union};

/// One place in a value and the schema that holds there.
pub(super) struct Part<'schema> {
    /// JSON pointer to the place.
    pub(super) pointer: String,
    /// What holds there; of a nullable value and of a union, the branch that the value is of.
    pub(super) schema: &'schema Map<String, Value>,
    /// The member by which a union knows this branch: without it the value is of no branch, so it misses nothing.
    mark: Option<&'schema str>,
}

impl<'schema> Part<'schema> {
    /// The names of the members that must be there.
    pub(super) fn required(&self) -> impl Iterator<Item = &'schema str> + use<'schema> {
        let mark = self.mark;
        let required = self.schema.get("required").and_then(Value::as_array).into_iter().flatten();
        required.filter_map(Value::as_str).filter(move |name| Some(*name) != mark)
    }

    /// The names of the members that may be left out.
    pub(super) fn optional(&self) -> Vec<&'schema str> {
        let required: Vec<&str> = self.required().chain(self.mark).collect();
        let members = self.schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        members.map(String::as_str).filter(|name| !required.contains(name)).collect()
    }
}

/// Every part of `value`, itself last.
pub(super) fn parts<'schema>(schema: &'schema Map<String, Value>, value: &Value) -> Vec<Part<'schema>> {
    let mut all = Vec::new();
    walk(schema, value, String::new(), None, &mut all);
    all
}

fn walk<'schema>(
    schema: &'schema Map<String, Value>,
    value: &Value,
    pointer: String,
    mark: Option<&'schema str>,
    all: &mut Vec<Part<'schema>>,
) {
    if let Some(inner) = nullable_inner(schema) {
        if !value.is_null() {
            walk(inner, value, pointer, mark, all);
        }
        return;
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        if let Some(branch) = union::branch_meant(branches, value) {
            walk(branch, value, pointer, union::key_of(branch), all);
        }
        return;
    }
    let child_of_key = |key: &str| {
        schema
            .get("properties")
            .and_then(|properties| properties.get(key))
            .or_else(|| schema.get("additionalProperties"))
    };
    for (key, member) in value.as_object().into_iter().flatten() {
        // A tag is the union's business: another word means another branch, not a wrong value.
        if let Some(Value::Object(child)) = child_of_key(key)
            && !child.contains_key("const")
        {
            walk(child, member, join(&pointer, key), None, all);
        }
    }
    if let (Some(Value::Object(child)), Some(items)) = (schema.get("items"), value.as_array()) {
        for (at, item) in items.iter().enumerate() {
            walk(child, item, join(&pointer, at), None, all);
        }
    }
    all.push(Part { pointer, schema, mark });
}
