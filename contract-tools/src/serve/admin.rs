//! When administrative tools exist: the one rule that every server and the command line keep.

use contract_core::{ToolDefinition, ToolFilter};

use crate::config::Environment;
use crate::identity::is_on;

/// What only those who run a deployment may use.
pub const CATEGORY: &str = "admin";

/// The variable that says whether administrative tools exist; they do not, unless it does.
pub const VARIABLE: &str = "LOOPOVER_MCP_ADMIN_ENABLED";

/// Whether administrative tools exist here.
pub fn is_enabled(environment: &Environment) -> bool {
    environment.get(VARIABLE).is_some_and(|value| is_on(value))
}

/// The slice with administrative tools where they exist, else without. What is left out is an unknown tool.
pub fn slice(slice: ToolFilter, is_enabled: bool) -> ToolFilter {
    if is_enabled { slice } else { slice.without_category(CATEGORY) }
}

/// Whether a tool is left out by [`slice()`] where administrative tools are not enabled.
pub fn is_administrative(tool: &ToolDefinition) -> bool {
    tool.category() == CATEGORY
}

/// What somebody at this machine should know about a tool that is left out; a caller from elsewhere hears of none.
pub fn explanation(tool: &ToolDefinition) -> String {
    format!("`{}` exists only where {VARIABLE} is `true`", tool.name())
}
