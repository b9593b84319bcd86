//! The laws that need no call: what every schema looks like.

use serde_json::{Map, Value, json};

use crate::registry::Tool;
use crate::schema::STANDARD_FORMATS;
use crate::validator;

pub(super) fn compile(tool: &Tool) -> Vec<String> {
    let wrong = sides(tool).into_iter().filter_map(|(side, schema)| {
        let schema = Value::Object(schema.clone());
        let invalid = jsonschema::meta::validate(&schema).err().map(|error| error.to_string());
        let broken = invalid.or_else(|| validator::compile(&schema).err().map(|error| error.to_string()));
        broken.map(|error| format!("the {side} schema is not valid draft 2020-12: {error}"))
    });
    wrong.collect()
}

pub(super) fn inputs_closed(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for_each_node(tool.definition().input_schema(), &mut |node| {
        if node.contains_key("properties") && node.get("additionalProperties") != Some(&json!(false)) {
            wrong.push("an input object is open, so a misspelt key would pass in silence".to_owned());
        }
    });
    wrong
}

pub(super) fn outputs_open(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for_each_node(tool.definition().output_schema(), &mut |node| {
        if node.get("additionalProperties") == Some(&json!(false)) || node.contains_key("unevaluatedProperties") {
            wrong.push("an output object is closed, so a new member would break strict clients".to_owned());
        }
    });
    wrong
}

pub(super) fn portable(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (side, schema) in sides(tool) {
        for_each_node(schema, &mut |node| {
            for banned in ["$ref", "$defs", "$schema", "$id", "title"] {
                if node.contains_key(banned) {
                    wrong.push(format!("the {side} schema has `{banned}`, which some client cannot take"));
                }
            }
            let members = node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
            if members.chain(node.get("items")).any(Value::is_boolean) {
                wrong.push(format!("the {side} schema has a boolean sub-schema, which some client cannot take"));
            }
            if node.get("type").is_some_and(Value::is_array) {
                wrong.push(format!("the {side} schema has a list of types, which some client drops"));
            }
            let format = node.get("format").and_then(Value::as_str);
            if let Some(format) = format.filter(|format| !STANDARD_FORMATS.contains(format)) {
                wrong.push(format!("the {side} schema has the format `{format}`, which no standard defines"));
            }
        });
    }
    wrong
}

fn sides(tool: &Tool) -> [(&'static str, &Map<String, Value>); 2] {
    [("input", tool.definition().input_schema()), ("output", tool.definition().output_schema())]
}

/// Calls `each` with every object in a schema that is itself a schema.
fn for_each_node(schema: &Map<String, Value>, each: &mut impl FnMut(&Map<String, Value>)) {
    each(schema);
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let single = ["items", "additionalProperties", "not", "if", "then", "else", "contains"];
    let single = single.iter().filter_map(|keyword| schema.get(*keyword));
    let listed = ["prefixItems", "oneOf", "anyOf", "allOf"];
    let listed = listed.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    for child in members.chain(single).chain(listed).filter_map(Value::as_object) {
        for_each_node(child, each);
    }
}
