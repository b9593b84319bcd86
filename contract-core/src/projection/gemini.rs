//! Gemini: `functionDeclarations` with `parameters` in the API's OpenAPI 3.0 subset, where an unknown keyword refuses the
//! whole request.

use serde_json::{Map, Value, json};

use super::dialect::{Rewrite, const_to_enum, find, for_each_node, is_map, one_of_to_any_of};
use super::{Loss, Projection};
use crate::definition::ToolDefinition;
use crate::schema::nullable_inner;

/// `{"functionDeclarations":[{name, description, parameters}]}`.
///
/// A map has no form in the subset: such a tool says `parametersJsonSchema`, the API's other field, which takes it. A tool that
/// neither field can describe is left out and listed among the losses.
pub fn function_declarations(tools: &[&ToolDefinition]) -> Projection {
    let mut losses = Vec::new();
    let declarations = tools.iter().filter_map(|tool| declaration(tool, &mut losses)).collect::<Vec<_>>();
    Projection { document: json!({ "functionDeclarations": declarations }), losses }
}

fn declaration(tool: &ToolDefinition, losses: &mut Vec<Loss>) -> Option<Value> {
    let mut rewrite = Rewrite { tool: tool.name(), losses };
    let schema = tool.input_schema();
    if let Some(place) = find(schema, has_union_items) {
        rewrite.lose(&place, "the API refuses a union among the items of an array, so the tool is left out");
        return None;
    }
    let parameters = if schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty) {
        // The API refuses an object without properties; no parameters is how a function without arguments is declared.
        None
    } else if let Some(place) = find(schema, is_map) {
        rewrite.lose(&place, "a map has no form in `parameters`, so the tool uses `parametersJsonSchema`");
        Some(("parametersJsonSchema", without_examples(schema)))
    } else {
        Some(("parameters", in_subset(schema, &mut rewrite)))
    };
    let mut declaration = Map::from_iter([
        ("name".to_owned(), tool.name().into()),
        ("description".to_owned(), tool.description().into()),
    ]);
    declaration.extend(parameters.map(|(field, schema)| (field.to_owned(), Value::Object(schema))));
    Some(Value::Object(declaration))
}

fn in_subset(schema: &Map<String, Value>, rewrite: &mut Rewrite<'_>) -> Map<String, Value> {
    let mut schema = schema.clone();
    for_each_node(&mut schema, "", &mut |node, place| {
        one_of_to_any_of(node);
        const_to_enum(node);
        without_null(node, place, rewrite);
        // An object of the subset is neither open nor closed; the door closes it.
        node.shift_remove("additionalProperties");
        rewrite.keep(node, place, is_known);
    });
    schema
}

fn has_union_items(node: &Map<String, Value>) -> bool {
    let items = node.get("items").and_then(Value::as_object);
    items.is_some_and(|items| {
        items.contains_key("oneOf") || (items.contains_key("anyOf") && nullable_inner(items).is_none())
    })
}

/// Null among the values is not offered: what a model sends then is still valid, and only one of the API's two fields knows the
/// word for it.
fn without_null(node: &mut Map<String, Value>, place: &str, rewrite: &mut Rewrite<'_>) {
    let Some(inner) = nullable_inner(node).cloned() else { return };
    rewrite.lose(place, "null is not offered");
    node.shift_remove("anyOf");
    let described = std::mem::replace(node, inner);
    node.extend(described);
}

/// Neither field takes JSON Schema's list of examples.
fn without_examples(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = schema.clone();
    for_each_node(&mut schema, "", &mut |node, _| {
        node.shift_remove("examples");
    });
    schema
}

/// What the subset knows (the API's `Schema` message, March 2026).
pub(crate) fn is_known(keyword: &str, value: &Value) -> bool {
    match keyword {
        "format" => value.as_str().is_some_and(|format| ["date-time", "enum"].contains(&format)),
        "enum" => value.as_array().is_some_and(|words| words.iter().all(Value::is_string)),
        _ => [
            "type",
            "description",
            "properties",
            "required",
            "items",
            "anyOf",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "pattern",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "default",
        ]
        .contains(&keyword),
    }
}
