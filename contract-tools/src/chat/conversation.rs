//! One chat from its question to `done`: what a session says is redacted and passed on, within its time, and the session ends
//! with it, whoever goes first.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::agent::Agent;
use super::event::ChatEvent;
use super::failure::Failure;
use super::prompt::Prompt;
use super::query::{ChatQuery, QueryEvent, QueryItem, Seat, Usage};
use super::redaction::Redaction;
use super::telemetry::{ChatOutcome, ChatRecord, ChatTelemetry};

/// How long a chat may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// All of it.
    pub whole: Duration,
    /// Without a sign of life from its session.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { whole: Duration::from_mins(2), idle: Duration::from_secs(45) }
    }
}

/// Holds chats with one agent.
#[derive(Clone)]
pub struct Conversations {
    /// Who answers.
    pub query: Arc<dyn ChatQuery>,
    /// Who is told when one is over.
    pub telemetry: Arc<dyn ChatTelemetry>,
    /// How long one may take.
    pub patience: Patience,
    /// Fires when the server ends.
    pub ending: CancellationToken,
}

/// What came of a chat so far.
#[derive(Default)]
struct Progress {
    usage: Usage,
    tool_calls: u64,
}

impl Conversations {
    /// Holds one chat. Its events go to `events`, `done` last; nothing is sent when nobody listens any more.
    /// `seat` is given back once nothing is left of the session, however slowly its last words are read.
    pub async fn hold(&self, agent: Result<Agent, Failure>, prompt: Prompt, events: Sender<ChatEvent>, seat: Seat) {
        let agent = match agent {
            Ok(agent) => agent,
            Err(failure) => {
                drop(seat);
                return end(&events, None, Some(failure)).await;
            }
        };
        let started = Instant::now();
        let mut redaction = Redaction::default();
        let mut progress = Progress::default();
        let outcome = {
            let answered = self.answer((prompt, seat), &mut redaction, &mut progress, &events);
            // A reader that is too slow holds the session up, so the time for all of it covers the passing on as well.
            tokio::select! {
                outcome = timeout(self.patience.whole, answered) => {
                    outcome.unwrap_or(ChatOutcome::Failed(Failure::TimedOut))
                }
                () = events.closed() => ChatOutcome::Abandoned,
                () = self.ending.cancelled() => ChatOutcome::Failed(Failure::Cancelled),
            }
        };
        // The session was told to end by now, and is told of before a slow reader is waited for.
        self.telemetry.chat_is_over(&ChatRecord {
            provider: agent.provider,
            model: agent.model.unwrap_or_else(|| agent.provider.as_str().to_owned()),
            duration: started.elapsed(),
            usage: progress.usage,
            tool_calls: progress.tool_calls,
            outcome,
        });
        match outcome {
            ChatOutcome::Answered => end(&events, redaction.finish(), None).await,
            ChatOutcome::Failed(failure) => end(&events, redaction.finish(), Some(failure)).await,
            ChatOutcome::Abandoned => {}
        }
    }

    async fn answer(
        &self,
        (prompt, seat): (Prompt, Seat),
        redaction: &mut Redaction,
        progress: &mut Progress,
        events: &Sender<ChatEvent>,
    ) -> ChatOutcome {
        let mut session = self.query.start(prompt, seat);
        loop {
            let item = tokio::select! {
                item = session.next() => item,
                () = sleep(self.patience.idle) => return ChatOutcome::Failed(Failure::Stalled),
            };
            match item {
                Some(QueryItem::Event(event)) => {
                    progress.tool_calls += u64::from(matches!(event, QueryEvent::ToolCall { .. }));
                    redaction.pass(event, events).await;
                }
                Some(QueryItem::Alive) => {}
                Some(QueryItem::Ended(ended)) => {
                    progress.usage = ended.usage;
                    return ended.outcome.map_or_else(ChatOutcome::Failed, |()| ChatOutcome::Answered);
                }
                None => return ChatOutcome::Failed(Failure::NoResult),
            }
        }
    }
}

/// The last events of a chat; there is nobody to tell when they cannot be sent.
async fn end(events: &Sender<ChatEvent>, text: Option<ChatEvent>, failure: Option<Failure>) {
    let last = text.into_iter().chain(failure.map(Failure::event)).chain([ChatEvent::Done]);
    for event in last {
        let _ = events.send(event).await;
    }
}
