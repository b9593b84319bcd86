//! The command line that a session is restricted by, and the one line of its input.
//!
//! Every piece is needed; what goes wrong without one was measured:
//!
//! - `--tools=`: without it the built-in tools are offered, and some of them run without asking.
//! - `--strict-mcp-config`: without it the user's other servers are offered.
//! - `--allowedTools=` with exact names: the server's name alone would allow whatever it ever offers.
//! - `--permission-mode=dontAsk`: what is not allowed is denied, and no settings decide otherwise.
//! - `--setting-sources=` and `--settings=`: without them the user's and the directory's settings, hooks and instructions
//!   apply; `Read(//**)` also keeps `@file` in a text from being read.
//! - `--disable-slash-commands`: without it `/cost` and the like are answered by the program itself.

use std::path::Path;

use serde_json::json;

use super::SERVER;
use crate::chat::prompt::Prompt;

/// The most rounds of the model.
const MOST_TURNS: u32 = 12;

/// What a session calls a tool of the server.
pub(super) fn tool(name: &str) -> String {
    format!("mcp__{SERVER}__{name}")
}

/// The arguments. Each has its value behind a `=`: some of them would swallow whatever follows.
pub(super) fn of(prompt: &Prompt, tools: &[String], servers: &Path) -> Vec<String> {
    let allowed: Vec<String> = tools.iter().map(|name| tool(name)).collect();
    let settings = json!({ "permissions": { "deny": ["Read(//**)"] }, "disableAllHooks": true });
    vec![
        "-p".to_owned(),
        "--input-format=stream-json".to_owned(),
        "--output-format=stream-json".to_owned(),
        "--verbose".to_owned(),
        "--include-partial-messages".to_owned(),
        format!("--system-prompt={}", prompt.system),
        "--tools=".to_owned(),
        "--strict-mcp-config".to_owned(),
        format!("--mcp-config={}", servers.display()),
        format!("--allowedTools={}", allowed.join(",")),
        "--permission-mode=dontAsk".to_owned(),
        "--setting-sources=".to_owned(),
        format!("--settings={settings}"),
        "--disable-slash-commands".to_owned(),
        "--no-session-persistence".to_owned(),
        format!("--max-turns={MOST_TURNS}"),
    ]
}

/// The one message, as one line. `client_composed` says that nothing in it is a mention or a command.
pub(super) fn input(prompt: &Prompt) -> Vec<u8> {
    let content = json!([{ "type": "text", "text": prompt.user }]);
    let message = json!({ "type": "user", "client_composed": true, "message": { "role": "user", "content": content } });
    format!("{message}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_restricts_the_session() {
        let prompt = Prompt { system: "s".to_owned(), user: "a\nb".to_owned() };
        let arguments = of(&prompt, &["one".to_owned(), "two".to_owned()], Path::new("/p/servers.json"));
        for argument in [
            "--tools=",
            "--strict-mcp-config",
            "--mcp-config=/p/servers.json",
            "--allowedTools=mcp__loopover-miner__one,mcp__loopover-miner__two",
            "--permission-mode=dontAsk",
            "--setting-sources=",
            r#"--settings={"permissions":{"deny":["Read(//**)"]},"disableAllHooks":true}"#,
            "--disable-slash-commands",
            "--no-session-persistence",
            "--max-turns=12",
            "--system-prompt=s",
        ] {
            assert!(arguments.iter().any(|found| found == argument), "{argument}: {arguments:?}");
        }
        let line = String::from_utf8(input(&prompt)).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        assert!(line.contains(r#""client_composed":true"#) && line.contains(r#""text":"a\nb""#), "{line}");
    }
}
