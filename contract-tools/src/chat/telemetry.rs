//! What is told about a chat when it is over: numbers and outcome, nothing of what was said.

use std::time::Duration;

use super::failure::Failure;
use super::query::Usage;
use crate::miner::status::Provider;
use crate::serve::remote::log::TARGET;

/// One chat that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRecord {
    /// Who answered.
    pub provider: Provider,
    /// With which model; without one that was asked for, the provider's name.
    pub model: String,
    /// How long it took.
    pub duration: Duration,
    /// What it used.
    pub usage: Usage,
    /// How many tools were asked.
    pub tool_calls: u64,
    /// Whether with an answer; none when whoever asked went away.
    pub outcome: ChatOutcome,
}

/// How a chat ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatOutcome {
    /// With an answer.
    Answered,
    /// Without one.
    Failed(Failure),
    /// Nobody waited for it any more.
    Abandoned,
}

impl ChatOutcome {
    /// In a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Failed(failure) => failure.code().as_str(),
            Self::Abandoned => "abandoned",
        }
    }
}

/// Who is told. It is called once for each chat that was begun with a provider.
pub trait ChatTelemetry: Send + Sync + 'static {
    /// A chat is over.
    fn chat_is_over(&self, record: &ChatRecord);
}

/// Tells the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogTelemetry;

impl ChatTelemetry for LogTelemetry {
    fn chat_is_over(&self, record: &ChatRecord) {
        let reason = match record.outcome {
            ChatOutcome::Failed(failure) => format!("{failure:?}"),
            ChatOutcome::Answered | ChatOutcome::Abandoned => String::new(),
        };
        tracing::info!(
            target: TARGET,
            provider = record.provider.as_str(),
            model = record.model,
            milliseconds = u64::try_from(record.duration.as_millis()).unwrap_or(u64::MAX),
            input_tokens = record.usage.input_tokens,
            output_tokens = record.usage.output_tokens,
            cost = record.usage.cost.unwrap_or_default(),
            turns = record.usage.turns,
            tool_calls = record.tool_calls,
            outcome = record.outcome.as_str(),
            reason,
            "a chat is over"
        );
    }
}
