//! A reference page per tool, for people.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::definition::ToolDefinition;
use crate::schema::{nullable_inner, union};

/// All pages in one document, in order of the names.
pub fn document(tools: &[&ToolDefinition]) -> String {
    tools.iter().map(|tool| page(tool)).collect::<Vec<_>>().join("\n")
}

/// One tool: what it does, its words, what it takes and answers, a call.
pub fn page(tool: &ToolDefinition) -> String {
    let mut page = String::new();
    let hints = tool.hints();
    let effect = if hints.read_only {
        "reads only"
    } else if hints.destructive {
        "may destroy"
    } else {
        "writes"
    };
    // Writing to a String cannot fail.
    let _ = write!(
        page,
        "# `{}`\n\n**{}**\n\n{}\n\n| category | auth | locality | availability | effect |\n| --- | --- | --- | --- | --- |\n\
         | {} | {} | {} | {} | {effect} |\n\n## Input\n\n{}\n## Output\n\n{}",
        tool.name(),
        cell(tool.title()),
        tool.description(),
        tool.category(),
        tool.auth(),
        tool.locality(),
        tool.availability(),
        table(tool.input_schema(), "Takes no arguments.\n"),
        table(tool.output_schema(), ""),
    );
    if let Some(example) = tool.examples().ok().and_then(|examples| examples.into_iter().next_back()) {
        let _ = write!(page, "\n## Example\n\n```json\n{example:#}\n```\n");
    }
    page
}

fn table(schema: &Map<String, Value>, when_empty: &str) -> String {
    let mut rows = Vec::new();
    collect_rows(schema, "", &mut rows);
    if rows.is_empty() {
        return when_empty.to_owned();
    }
    format!("| member | type | required | description |\n| --- | --- | --- | --- |\n{}\n", rows.join("\n"))
}

/// One row a property, those of nested objects under their parent's.
fn collect_rows(schema: &Map<String, Value>, place: &str, rows: &mut Vec<String>) {
    let none = Map::new();
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (name, property) in schema.get("properties").and_then(Value::as_object).unwrap_or(&none) {
        let Value::Object(property) = property else { continue };
        // A tag is named with its branch.
        if property.contains_key("const") {
            continue;
        }
        let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        let needed = if required.iter().any(|required| required == name) { "yes" } else { "no" };
        let description = property.get("description").and_then(Value::as_str).unwrap_or_default();
        rows.push(format!("| `{place}` | {} | {needed} | {} |", cell(&kind(property)), cell(description)));
        nested(property, &place, rows);
    }
}

fn nested(property: &Map<String, Value>, place: &str, rows: &mut Vec<String>) {
    if let Some(inner) = nullable_inner(property) {
        return nested(inner, place, rows);
    }
    collect_rows(property, place, rows);
    for (keyword, suffix) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(Value::Object(child)) = property.get(keyword) {
            nested(child, &format!("{place}{suffix}"), rows);
        }
    }
    for branch in ["oneOf", "anyOf"].iter().filter_map(|keyword| property.get(*keyword)?.as_array()).flatten() {
        let Value::Object(branch) = branch else { continue };
        // Which members go together is what a reader of a union has to know first.
        if let Some(name) = union::name_of(branch) {
            let description = branch.get("description").and_then(Value::as_str).unwrap_or_default();
            rows.push(format!("| `{place}` as {} | {} | | {} |", cell(&name), cell(&kind(branch)), cell(description)));
        }
        collect_rows(branch, place, rows);
    }
}

/// A type and its bounds, in a few words.
fn kind(schema: &Map<String, Value>) -> String {
    if let Some(inner) = nullable_inner(schema) {
        return format!("{} or null", kind(inner));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    }
    if let Some(word) = schema.get("const") {
        return format!("`{word}`");
    }
    if let Some(branches) = ["oneOf", "anyOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array()) {
        return branches.iter().filter_map(Value::as_object).map(kind).collect::<Vec<_>>().join(" or ");
    }
    let name = match (schema.get("type").and_then(Value::as_str).unwrap_or("any"), schema.get("items")) {
        ("array", Some(Value::Object(item))) => format!("array of {}", kind(item)),
        (name, _) => name.to_owned(),
    };
    let bounds: Vec<String> = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "pattern",
        "format",
        "default",
    ]
    .iter()
    .filter_map(|keyword| Some(format!("{keyword} {}", schema.get(*keyword)?)))
    .collect();
    if bounds.is_empty() { name } else { format!("{name}, {}", bounds.join(", ")) }
}

/// Text that cannot break out of a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}
