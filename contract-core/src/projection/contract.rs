//! The committed contract: canonical bytes of everything that a client can see, so that a change is a diff.

use serde_json::{Map, Value, json};

use super::mcp;
use crate::definition::ToolDefinition;

/// `{"tools":[…]}` with every object's keys sorted, two spaces a level and a final newline. `required` and `enum` keep their
/// declared order, which clients see.
pub fn canonical(tools: &[&ToolDefinition]) -> String {
    let tools: Vec<Value> = tools.iter().map(|tool| sorted(Value::Object(mcp::tool(tool)))).collect();
    let mut text = format!("{:#}", json!({ "tools": tools }));
    text.push('\n');
    text
}

/// The names of a canonical contract: the roster that a binary of it must have.
///
/// # Errors
/// When `text` is no contract.
pub fn roster(text: &str) -> Result<Vec<String>, serde_json::Error> {
    #[derive(serde::Deserialize)]
    #[serde(crate = "serde")]
    struct Contract {
        tools: Vec<Named>,
    }
    #[derive(serde::Deserialize)]
    #[serde(crate = "serde")]
    struct Named {
        name: String,
    }
    Ok(serde_json::from_str::<Contract>(text)?.tools.into_iter().map(|tool| tool.name).collect())
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> =
                members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(Map::from_iter(members))
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
