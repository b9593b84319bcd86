//! What a chat's stream says, as it is on the wire.

use serde::Serialize;
use serde_json::{Map, Value};

contract_core::vocabulary! {
    /// Why a chat ended without an answer, for programs.
    pub enum ChatErrorCode: "chat error code" {
        /// No coding agent is set up.
        NoAgent = "no_coding_agent_configured",
        /// Another coding agent is set up, and that one cannot hold a conversation.
        WrongAgent = "chat_requires_agent_sdk_provider",
        /// The agent's program is not there or cannot be started.
        CliUnavailable = "chat_cli_unavailable",
        /// The session would not have offered exactly the miner's tools.
        ToolsUnavailable = "chat_tools_unavailable",
        /// It took too long.
        TimedOut = "chat_timeout",
        /// The server is going away.
        Cancelled = "chat_cancelled",
        /// The session ended with an error, or without a result.
        Failed = "chat_grounding_failed",
    }
}

/// One event. A stream ends with `done`, whatever happened, and has nothing after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChatEvent {
    /// A piece of the answer.
    Text {
        /// It.
        text: String,
    },
    /// The model asks a tool.
    ToolCall {
        /// The tool's name.
        tool: String,
        /// What it is asked.
        input: Map<String, Value>,
    },
    /// What the tool answered.
    ToolResult {
        /// The tool's name.
        tool: String,
        /// Its answer, or the envelope of its error.
        output: Value,
    },
    /// There will be no more of an answer.
    Error {
        /// Why, for programs.
        code: ChatErrorCode,
        /// Why, for people.
        message: String,
    },
    /// The stream is over.
    Done,
}
