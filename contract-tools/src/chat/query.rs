//! The seam between a chat and whatever answers it. Tests answer themselves; the program drives a coding agent.

use std::pin::Pin;

use futures_util::Stream;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::failure::Failure;
use super::prompt::Prompt;

/// Something that answers.
pub trait ChatQuery: Send + Sync + 'static {
    /// Starts one session. Dropping what it returns ends the session and everything that belongs to it; the seat is given
    /// back when nothing is left of it.
    fn start(&self, prompt: Prompt, seat: Seat) -> QueryStream;
}

/// The right to run a session.
pub type Seat = OwnedSemaphorePermit;

/// One session. It is over with its first [`QueryItem::Ended`]; without one it has failed.
pub type QueryStream = Pin<Box<dyn Stream<Item = QueryItem> + Send>>;

/// What comes of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryItem {
    /// Something to pass on.
    Event(QueryEvent),
    /// Nothing to pass on, but a sign of life.
    Alive,
    /// The end.
    Ended(Ended),
}

/// A piece of an answer, as it was said.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryEvent {
    /// Text.
    Text(String),
    /// A tool is asked.
    ToolCall {
        /// Its name.
        tool: String,
        /// What it is asked.
        input: Map<String, Value>,
    },
    /// A tool has answered.
    ToolResult {
        /// Its name.
        tool: String,
        /// Its answer.
        output: Value,
    },
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Whether with an answer.
    pub outcome: Result<(), Failure>,
    /// What it used.
    pub usage: Usage,
}

impl Ended {
    /// It failed, and nothing is known about what it used.
    pub fn failed(failure: Failure) -> Self {
        Self { outcome: Err(failure), usage: Usage::default() }
    }
}

/// What a session used, as far as it said so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens read, from a cache or not.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// In US dollars.
    pub cost: Option<f64>,
    /// Rounds of the model.
    pub turns: u64,
}
