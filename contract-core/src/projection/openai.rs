//! OpenAI: Chat Completions and Responses, loose and strict.

use serde_json::{Map, Value, json};

use super::dialect::{Rewrite, find, for_each_node, is_map, one_of_to_any_of, or_null};
use super::{Loss, Projection, TooManyTools, within};
use crate::definition::ToolDefinition;

/// How many functions a request takes.
const LIMIT: usize = 128;
/// How deep objects of a strict schema may nest, and how many properties and enum words all of it may have.
const STRICT_DEPTH: usize = 10;
const STRICT_PROPERTIES: usize = 5000;
const STRICT_WORDS: usize = 1000;

/// Chat Completions: `[{type: "function", function: {name, description, parameters}}]`.
///
/// # Errors
/// When there are more than 128 tools.
pub fn tools(tools: &[&ToolDefinition]) -> Result<Value, TooManyTools> {
    within("OpenAI", LIMIT, tools.len())?;
    let spec = |tool: &&ToolDefinition| {
        json!({ "type": "function", "function": {
            "name": tool.name(), "description": tool.description(), "parameters": tool.input_schema(),
        } })
    };
    Ok(Value::Array(tools.iter().map(spec).collect()))
}

/// Responses: `[{type: "function", name, description, parameters, strict: false}]`.
///
/// # Errors
/// When there are more than 128 tools.
pub fn responses_tools(tools: &[&ToolDefinition]) -> Result<Value, TooManyTools> {
    within("OpenAI", LIMIT, tools.len())?;
    let spec = |tool: &&ToolDefinition| {
        json!({
            "type": "function", "name": tool.name(), "description": tool.description(),
            "parameters": tool.input_schema(), "strict": false,
        })
    };
    Ok(Value::Array(tools.iter().map(spec).collect()))
}

/// Chat Completions with `strict: true`: every object closed, every member required, an optional one nullable.
///
/// The door takes the null of an optional member as absent, so it accepts what a strict client sends. A tool that the strict
/// subset cannot describe says `strict: false` and keeps its own schema.
///
/// # Errors
/// When there are more than 128 tools.
pub fn strict_tools(tools: &[&ToolDefinition]) -> Result<Projection, TooManyTools> {
    within("OpenAI", LIMIT, tools.len())?;
    let mut losses = Vec::new();
    let specs = tools.iter().map(|tool| strict_spec(tool, &mut losses)).collect();
    Ok(Projection { document: Value::Array(specs), losses })
}

fn strict_spec(tool: &ToolDefinition, losses: &mut Vec<Loss>) -> Value {
    let mut rewrite = Rewrite { tool: tool.name(), losses };
    let parameters = match no_strict_form(tool.input_schema()) {
        Some((place, message)) => {
            rewrite.lose(&place, format!("{message}, so the tool is not strict"));
            None
        }
        None => Some(strict_schema(tool.input_schema(), &mut rewrite)),
    };
    let strict = parameters.is_some();
    let parameters = parameters.as_ref().unwrap_or(tool.input_schema());
    json!({ "type": "function", "function": {
        "name": tool.name(), "description": tool.description(), "strict": strict, "parameters": parameters,
    } })
}

/// Where and why a schema is outside the strict subset.
fn no_strict_form(schema: &Map<String, Value>) -> Option<(String, &'static str)> {
    if let Some(place) = find(schema, is_map) {
        return Some((place, "a map has no strict form"));
    }
    let (mut properties, mut words) = (0, 0);
    for_each_node(&mut schema.clone(), "", &mut |node, _| {
        properties += node.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        words += node.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
    });
    if properties > STRICT_PROPERTIES || words > STRICT_WORDS {
        return Some((String::new(), "it has more than 5000 properties or 1000 enum words"));
    }
    (depth(&Value::Object(schema.clone())) > STRICT_DEPTH)
        .then(|| (String::new(), "its objects nest deeper than 10 levels"))
}

/// How many objects lie within each other.
fn depth(schema: &Value) -> usize {
    match schema {
        Value::Object(node) => {
            let here = usize::from(node.contains_key("properties"));
            here + node.values().map(depth).max().unwrap_or(0)
        }
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn strict_schema(schema: &Map<String, Value>, rewrite: &mut Rewrite<'_>) -> Map<String, Value> {
    let mut schema = schema.clone();
    for_each_node(&mut schema, "", &mut |node, place| {
        one_of_to_any_of(node);
        // The limits of a string are no part of the subset; what a default would do, null does.
        rewrite.keep(node, place, is_strict);
        require_every_member(node);
    });
    schema
}

/// What the strict subset knows ("Structured Outputs, supported schemas", February 2026).
pub(crate) fn is_strict(keyword: &str, value: &Value) -> bool {
    match keyword {
        "format" => value.as_str().is_some_and(|format| {
            ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"].contains(&format)
        }),
        _ => [
            "type",
            "description",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "anyOf",
            "pattern",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
        ]
        .contains(&keyword),
    }
}

fn require_every_member(node: &mut Map<String, Value>) {
    let required: Vec<Value> = node.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = node.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut() {
        if let Value::Object(property) = property
            && !required.contains(&Value::from(name.as_str()))
        {
            *property = or_null(property);
        }
    }
    let names = properties.keys().cloned().map(Value::from).collect();
    node.insert("required".to_owned(), Value::Array(names));
}
