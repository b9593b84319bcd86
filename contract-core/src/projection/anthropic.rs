//! Anthropic's Messages API: `tools`, loose and strict.

use serde_json::{Map, Value, json};

use super::dialect::{Rewrite, find, for_each_node, is_map, one_of_to_any_of};
use super::{Loss, Projection};
use crate::definition::ToolDefinition;

/// `[{name, description, input_schema}]`: the API checks the schema of nothing that it does not have to.
pub fn tools(tools: &[&ToolDefinition]) -> Value {
    let spec = |tool: &&ToolDefinition| json!({ "name": tool.name(), "description": tool.description(), "input_schema": tool.input_schema() });
    Value::Array(tools.iter().map(spec).collect())
}

/// The same with `strict: true`, where the API guarantees arguments of this form.
///
/// A tool that the strict subset cannot describe stays loose and says so. The subset is that of the SDK's own converter
/// (`anthropic` 2.14, `lib/_parse/_transform.py`); the budget is that of one request.
pub fn strict_tools(tools: &[&ToolDefinition]) -> Projection {
    let mut losses = Vec::new();
    let mut budget = Budget::default();
    let specs = tools.iter().map(|tool| spec(tool, &mut budget, &mut losses)).collect();
    Projection { document: Value::Array(specs), losses }
}

fn spec(tool: &ToolDefinition, budget: &mut Budget, losses: &mut Vec<Loss>) -> Value {
    let mut rewrite = Rewrite { tool: tool.name(), losses };
    let loosely = |rewrite: &mut Rewrite<'_>, place: &str, message: &str| {
        rewrite.lose(place, format!("{message}, so the tool is not strict"));
        json!({ "name": tool.name(), "description": tool.description(), "strict": false, "input_schema": tool.input_schema() })
    };
    if let Some(place) = find(tool.input_schema(), is_map) {
        return loosely(&mut rewrite, &place, "a map has no strict form");
    }
    if !budget.takes(tool.input_schema()) {
        return loosely(
            &mut rewrite,
            "",
            "the strict budget of one request (20 tools, 24 optional and 16 union members) is spent",
        );
    }
    let mut schema = tool.input_schema().clone();
    for_each_node(&mut schema, "", &mut |node, place| {
        one_of_to_any_of(node);
        rewrite.keep(node, place, is_strict);
    });
    json!({ "name": tool.name(), "description": tool.description(), "strict": true, "input_schema": schema })
}

/// What the strict subset knows.
pub(crate) fn is_strict(keyword: &str, value: &Value) -> bool {
    match keyword {
        "format" => value.as_str().is_some_and(|format| {
            ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]
                .contains(&format)
        }),
        "minItems" => value.as_u64().is_some_and(|bound| bound <= 1),
        _ => {
            ["type", "description", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"]
                .contains(&keyword)
        }
    }
}

/// What one request may hold of strict tools.
struct Budget {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { tools: 20, optional: 24, unions: 16 }
    }
}

impl Budget {
    /// Takes the cost of `schema`, if there is enough left for all of it.
    fn takes(&mut self, schema: &Map<String, Value>) -> bool {
        let (mut optional, mut unions) = (0, 0);
        for_each_node(&mut schema.clone(), "", &mut |node, _| {
            let members = node.get("properties").and_then(Value::as_object).map_or(0, Map::len);
            let required = node.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            optional += members.saturating_sub(required);
            unions += usize::from(node.contains_key("anyOf") || node.contains_key("oneOf"));
        });
        let left = (self.tools.checked_sub(1), self.optional.checked_sub(optional), self.unions.checked_sub(unions));
        let (Some(tools), Some(optional), Some(unions)) = left else { return false };
        *self = Self { tools, optional, unions };
        true
    }
}
