//! `loopover client-config`: what to paste into an MCP client, and where.

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::{Failure, Output, complain};

/// What the server is called in a client. Short, since clients put it before every tool's name and count both together.
const SERVER_NAME: &str = "loopover";

/// A client that starts MCP servers itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum McpClient {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex CLI
    Codex,
}

impl McpClient {
    /// Where the client looks for it.
    fn place(self) -> &'static str {
        match self {
            Self::ClaudeCode => "the project's .mcp.json (for you alone: `claude mcp add`)",
            Self::ClaudeDesktop => {
                "claude_desktop_config.json (Settings, Developer, Edit Config; on Linux ~/.config/Claude/, on macOS \
                 ~/Library/Application Support/Claude/)"
            }
            Self::Cursor => ".cursor/mcp.json of the project, or ~/.cursor/mcp.json",
            Self::Vscode => ".vscode/mcp.json of the workspace",
            Self::Codex => "~/.codex/config.toml",
        }
    }

    /// The text to paste, for a server that is started as `program stdio`.
    fn text(self, program: &str) -> String {
        let server = json!({ "command": program, "args": ["stdio"] });
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => {
                pretty(&json!({ "mcpServers": { SERVER_NAME: server } }))
            }
            Self::Vscode => {
                let server = json!({ "type": "stdio", "command": program, "args": ["stdio"] });
                pretty(&json!({ "servers": { SERVER_NAME: server } }))
            }
            // A JSON string is a TOML basic string: both escape with a backslash and \uXXXX.
            Self::Codex => {
                format!("[mcp_servers.{SERVER_NAME}]\ncommand = {}\nargs = [\"stdio\"]\n", Value::from(program))
            }
        }
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

pub(crate) fn run(client: McpClient, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let program = std::env::current_exe()?;
    let program = program.to_str().ok_or_else(|| not_text(&program))?;
    // The text alone goes to stdout, so that it can be piped; where it belongs is for people.
    complain(&format!("paste this into {}", client.place()));
    output.text(&client.text(program)).map_err(Failure::from)
}

fn not_text(program: &Path) -> Failure {
    let shown = program.display();
    Failure::Failed(format!(
        "the path of this program is not UTF-8 ({shown}); move it to one that a configuration can hold"
    ))
}

#[cfg(test)]
mod tests {
    use super::McpClient;

    #[test]
    fn a_path_with_odd_characters_stays_one_string() {
        let text = McpClient::Codex.text("/opt/\"odd\"\\path/loopover");
        assert!(text.contains(r#"command = "/opt/\"odd\"\\path/loopover""#), "{text}");
        let json: serde_json::Value = serde_json::from_str(&McpClient::Vscode.text("/a b/loopover")).unwrap();
        assert_eq!(json["servers"]["loopover"]["command"], "/a b/loopover");
    }
}
