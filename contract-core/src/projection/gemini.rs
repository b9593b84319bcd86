//! Gemini: `functionDeclarations` with `parameters` in the API's OpenAPI 3.0 subset, where an unknown keyword refuses the
//! whole request.

use serde_json::{Map, Value, json};

use super::dialect::{Rewrite, const_to_enum, find, for_each_node, is_map, is_tuple, one_of_to_any_of};
use super::{Loss, Projection};
use crate::definition::ToolDefinition;
use crate::schema::nullable_inner;

/// `{"functionDeclarations":[{name, description, parameters}]}`.
///
/// A map or a tuple has no form in the subset: such a tool says `parametersJsonSchema`, the API's other field, which takes
/// them. A tool that neither field can describe is left out and listed among the losses.
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
    } else if let Some(place) = find(schema, |node| is_map(node) || is_tuple(node)) {
        rewrite.lose(&place, "a map or a tuple has no form in `parameters`, so the tool uses `parametersJsonSchema`");
        Some(("parametersJsonSchema", schema.clone()))
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
        null_to_nullable(node);
        // An object of the subset is neither open nor closed; the door closes it.
        node.shift_remove("additionalProperties");
        first_example(node);
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

/// The subset marks nullability beside the type.
fn null_to_nullable(node: &mut Map<String, Value>) {
    let Some(inner) = nullable_inner(node).cloned() else { return };
    node.shift_remove("anyOf");
    let described = std::mem::replace(node, inner);
    node.extend(described);
    node.insert("nullable".to_owned(), true.into());
}

/// The subset takes one example, not a list.
fn first_example(node: &mut Map<String, Value>) {
    if let Some(Value::Array(examples)) = node.shift_remove("examples") {
        node.extend(examples.into_iter().next().map(|example| ("example".to_owned(), example)));
    }
}

/// What the subset knows (the API's `Schema` message, March 2026).
fn is_known(keyword: &str, value: &Value) -> bool {
    match keyword {
        "format" => value.as_str().is_some_and(|format| ["date-time", "enum"].contains(&format)),
        "enum" => value.as_array().is_some_and(|words| words.iter().all(Value::is_string)),
        _ => [
            "type",
            "description",
            "nullable",
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
            "example",
        ]
        .contains(&keyword),
    }
}
