//! MCP's `tools/list` (revision 2025-11-25 and later).

use serde_json::{Map, Value, json};

use crate::definition::ToolDefinition;

/// `{"tools":[…]}`, in order of the names.
pub fn tools_list(tools: &[&ToolDefinition]) -> Value {
    json!({ "tools": tools.iter().map(|tool| Value::Object(self::tool(tool))).collect::<Vec<_>>() })
}

/// One tool as `tools/list` shows it.
pub fn tool(tool: &ToolDefinition) -> Map<String, Value> {
    Map::from_iter([
        ("name".to_owned(), tool.name().into()),
        ("title".to_owned(), tool.title().into()),
        ("description".to_owned(), tool.description().into()),
        ("inputSchema".to_owned(), Value::Object(tool.input_schema().clone())),
        ("outputSchema".to_owned(), Value::Object(tool.output_schema().clone())),
        ("annotations".to_owned(), Value::Object(annotations(tool))),
        ("_meta".to_owned(), Value::Object(meta(tool))),
    ])
}

/// The hints that a client may go by.
pub fn annotations(tool: &ToolDefinition) -> Map<String, Value> {
    let hints = tool.hints();
    let stated = [
        ("readOnlyHint", Some(hints.read_only)),
        ("destructiveHint", Some(hints.destructive)),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ];
    stated.into_iter().filter_map(|(name, hint)| Some((name.to_owned(), hint?.into()))).collect()
}

/// The contract's own words, under bare keys.
pub fn meta(tool: &ToolDefinition) -> Map<String, Value> {
    let mut meta = Map::from_iter([
        ("category".to_owned(), tool.category().into()),
        ("auth".to_owned(), tool.auth().as_str().into()),
        ("locality".to_owned(), tool.locality().as_str().into()),
        ("availability".to_owned(), tool.availability().as_str().into()),
    ]);
    meta.extend(tool.deprecated().map(|advice| ("deprecated".to_owned(), advice.into())));
    meta
}
