//! What the `claude` program says, one JSON line at a time. Everything that is not needed is left out, and a kind of line
//! that is not known is nothing to worry about: there are more with every version.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// One line.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Message {
    System(System),
    StreamEvent(Streamed),
    Assistant(Assistant),
    User(User),
    Result(Finished),
    RateLimitEvent,
    #[serde(other)]
    Unknown,
}

/// What the program says of itself that shows it at work.
const AT_WORK: [&str; 7] = [
    "init",
    "status",
    "api_retry",
    "permission_denied",
    "thinking_tokens",
    "informational",
    "model_refusal_no_fallback",
];

impl Message {
    /// Whether it is a line of this protocol, and not anything that happens to be JSON: only such a one is a sign of life.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Self::System(system) => AT_WORK.contains(&system.subtype.as_str()),
            Self::StreamEvent(streamed) => streamed.event.is_known(),
            Self::Assistant(_) | Self::User(_) | Self::Result(_) | Self::RateLimitEvent => true,
            Self::Unknown => false,
        }
    }
}

/// What the program says of itself; of all subtypes, only `init` counts.
#[derive(Debug, Deserialize)]
pub(super) struct System {
    pub(super) subtype: String,
    #[serde(default)]
    pub(super) tools: Vec<String>,
    #[serde(default)]
    pub(super) mcp_servers: Vec<Server>,
    #[serde(default, rename = "permissionMode")]
    pub(super) permission_mode: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) status: String,
}

/// A piece of a message, as it comes.
#[derive(Debug, Deserialize)]
pub(super) struct Streamed {
    pub(super) event: Piece,
    #[serde(default)]
    pub(super) parent_tool_use_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Piece {
    MessageStart,
    ContentBlockStart,
    ContentBlockDelta {
        delta: Delta,
    },
    MessageDelta {
        delta: Closing,
    },
    MessageStop,
    ContentBlockStop,
    Ping,
    Error,
    #[serde(other)]
    Unknown,
}

impl Piece {
    fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::ContentBlockDelta { delta: Delta::Unknown })
    }
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
pub(super) enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Input,
    #[serde(rename = "thinking_delta")]
    Thinking,
    #[serde(rename = "signature_delta")]
    Signature,
    #[serde(rename = "citations_delta")]
    Citations,
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize)]
pub(super) struct Closing {
    #[serde(default)]
    pub(super) stop_reason: Option<String>,
}

/// A part of a message, whole.
#[derive(Debug, Deserialize)]
pub(super) struct Assistant {
    pub(super) message: Spoken,
    #[serde(default)]
    pub(super) parent_tool_use_id: Option<String>,
    /// Which kind of error this message is, if it is one.
    #[serde(default)]
    pub(super) error: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub(super) is_api_error_message: bool,
    #[serde(default, deserialize_with = "flag")]
    pub(super) aborted: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Spoken {
    #[serde(default, deserialize_with = "lenient")]
    pub(super) model: String,
    #[serde(default)]
    pub(super) content: Vec<Block>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Unknown,
}

impl Block {
    /// What it says, if it is text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::ToolUse { .. } | Self::Unknown => None,
        }
    }
}

/// What the model is told: answers of tools, and the program's own nudges.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) message: Told,
    #[serde(default)]
    pub(super) parent_tool_use_id: Option<String>,
    #[serde(default)]
    pub(super) tool_use_result: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Told {
    pub(super) content: Content,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Blocks(Vec<Answer>),
    /// Text, which only the program's own nudges are.
    Nudge(IgnoredAny),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Answer {
    ToolResult {
        tool_use_id: String,
        #[serde(default)]
        content: Value,
        #[serde(default, deserialize_with = "flag")]
        is_error: bool,
    },
    #[serde(other)]
    Unknown,
}

/// The end.
#[derive(Debug, Deserialize)]
pub(super) struct Finished {
    pub(super) subtype: String,
    #[serde(default, deserialize_with = "flag")]
    pub(super) is_error: bool,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) terminal_reason: Option<String>,
    #[serde(default, deserialize_with = "status")]
    pub(super) api_error_status: Option<u16>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) total_cost_usd: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) num_turns: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) usage: Tokens,
}

/// How many tokens went where.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    #[serde(rename = "input_tokens", deserialize_with = "lenient")]
    pub(super) input: u64,
    #[serde(rename = "cache_creation_input_tokens", deserialize_with = "lenient")]
    pub(super) input_to_cache: u64,
    #[serde(rename = "cache_read_input_tokens", deserialize_with = "lenient")]
    pub(super) input_from_cache: u64,
    #[serde(rename = "output_tokens", deserialize_with = "lenient")]
    pub(super) output: u64,
}

/// A figure that decides nothing: what cannot be read is as good as not said.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Value::deserialize(deserializer).map(|value| serde_json::from_value(value).unwrap_or_default())
}

/// A mark of something wrong: whatever stands there is one, but for what says that there is none.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Value::deserialize(deserializer).map(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

/// A status of HTTP, as a number or as its digits.
fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    Value::deserialize(deserializer).map(|value| match value {
        Value::String(digits) => digits.parse().ok(),
        other => serde_json::from_value(other).unwrap_or_default(),
    })
}
