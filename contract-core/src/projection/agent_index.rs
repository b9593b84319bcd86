//! The agent tools index: one document from which an agent without MCP finds, describes and calls the tools.

use serde_json::{Value, json};

use super::{TooManyTools, anthropic, openai};
use crate::definition::ToolDefinition;

/// The index of `tools`, which are called at `endpoint` (the URL of a Streamable HTTP server).
///
/// # Errors
/// When there are more tools than a provider takes.
pub fn agent_index(tools: &[&ToolDefinition], endpoint: &str) -> Result<Value, TooManyTools> {
    Ok(json!({
        "schema_version": 1,
        "executor": { "transport": "mcp-streamable-http", "endpoint": endpoint, "jsonrpc_method": "tools/call" },
        "tools": tools.iter().map(|tool| tool.name()).collect::<Vec<_>>(),
        "openai": openai::tools(tools)?,
        "anthropic": anthropic::tools(tools),
    }))
}
