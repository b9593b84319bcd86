//! What was said in answer to one request, kept until it has been read: a reader that broke off can be followed by another.
//!
//! Writing never waits. A reader takes events at its own speed, and one that is slow loses progress, never an answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ProgressToken;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::conversation::{Conversation, Shared};
use crate::serve::http::body::Held;

/// As many messages before the answer are kept; then the oldest go.
const MOST_EVENTS: usize = 256;

/// The same in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// One event of a log.
#[derive(Clone)]
pub(super) struct Event {
    index: u64,
    /// Nothing for the one that only opens a stream.
    text: Option<Arc<str>>,
    /// Of the answer, when that is an error.
    error: Option<i32>,
    is_answer: bool,
}

impl Event {
    pub(super) fn index(&self) -> u64 {
        self.index
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The text, when it is about to be written whole.
    pub(super) fn into_text(self) -> String {
        self.text.map_or_else(String::new, |text| text.as_ref().to_owned())
    }

    /// Whether nothing follows it.
    pub(super) fn is_answer(&self) -> bool {
        self.is_answer
    }

    /// The code of the error that it is.
    pub(super) fn error(&self) -> Option<i32> {
        self.error
    }
}

/// The events of one stream.
#[derive(Default)]
pub(super) struct EventLog {
    events: VecDeque<Event>,
    /// What the request calls its progress.
    pub(super) token: Option<ProgressToken>,
    /// The room that the request takes while it is worked on.
    held: Option<Held>,
    last: u64,
    bytes: usize,
    ended: Option<Instant>,
    readers: usize,
    /// The newest reader; those before it end.
    newest: u64,
}

impl EventLog {
    /// For a request that calls its progress `token` and takes that room.
    pub(super) fn of(token: Option<ProgressToken>, held: Held) -> Self {
        Self { token, held: Some(held), ..Self::default() }
    }

    pub(super) fn say(&mut self, text: String) {
        self.push(text, None, false);
        while self.events.len() > MOST_EVENTS || self.bytes > MOST_BYTES {
            let Some(oldest) = self.events.pop_front() else { break };
            self.bytes -= oldest.text().map_or(0, str::len);
        }
    }

    /// Says the last word.
    pub(super) fn answer(&mut self, text: String, error: Option<i32>) {
        self.push(text, error, true);
        self.end();
    }

    /// Ends it without one: a request that was cancelled.
    pub(super) fn end(&mut self) {
        self.ended = Some(Instant::now());
        self.token = None;
        self.held = None;
    }

    fn push(&mut self, text: String, error: Option<i32>, is_answer: bool) {
        self.last += 1;
        self.bytes += text.len();
        self.events.push_back(Event { index: self.last, text: Some(text.into()), error, is_answer });
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nobody reads it and nothing more is going to be said.
    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some() && self.readers == 0
    }

    /// Whether it has been over for longer than that.
    pub(super) fn is_older_than(&self, age: Duration) -> bool {
        self.is_over() && self.ended.is_some_and(|ended| ended.elapsed() > age)
    }

    pub(super) fn readers(&self) -> usize {
        self.readers
    }

    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// What follows the event `index`, if it is there; `Err` when nothing ever will.
    fn after(&self, index: u64, reader: u64) -> Result<Option<Event>, ()> {
        if reader != self.newest {
            return Err(());
        }
        match self.events.iter().find(|event| event.index > index) {
            Some(event) => Ok(Some(event.clone())),
            None if self.ended.is_some() => Err(()),
            None => Ok(None),
        }
    }
}

/// One reader of one log.
pub(super) struct Events {
    shared: Arc<Shared>,
    stream: i64,
    reader: u64,
    after: u64,
    /// The event that opens the stream has not been given out.
    opening: bool,
    resumable: bool,
    /// A conversation of one request ends with its reader.
    conversation: Option<Conversation>,
    until: Option<CancellationToken>,
}

impl Events {
    /// Reads `stream` from after the event `after`, in place of whoever reads it now. None when there is no such log.
    pub(super) fn of(shared: &Arc<Shared>, stream: i64, after: u64) -> Option<Self> {
        let mut state = shared.lock();
        let log = state.logs.get_mut(&stream)?;
        log.readers += 1;
        log.newest += 1;
        let reader = log.newest;
        drop(state);
        shared.wake();
        let shared = Arc::clone(shared);
        Some(Self { shared, stream, reader, after, opening: false, resumable: false, conversation: None, until: None })
    }

    /// Lets a client come back for what it missed: events get ids, and one before all others says so.
    pub(super) fn resumable_from_here(mut self) -> Self {
        self.opening = true;
        self.resumable = true;
        self
    }

    /// Lets the conversation end with this reader.
    pub(super) fn ending(mut self, conversation: Conversation) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// Ends the reading, not the log, when `until` fires.
    pub(super) fn until(mut self, until: CancellationToken) -> Self {
        self.until = Some(until);
        self
    }

    /// Lets `event`, which was given out last, be given out once more.
    pub(super) fn again(&mut self, event: &Event) {
        self.after = event.index - 1;
    }

    /// The stream's name, when a client may come back to it.
    pub(super) fn resumable(&self) -> Option<i64> {
        self.resumable.then_some(self.stream)
    }

    /// The next event, when there is one.
    pub(super) async fn next(&mut self) -> Option<Event> {
        if std::mem::take(&mut self.opening) {
            return Some(Event { index: self.after, text: None, error: None, is_answer: false });
        }
        let until = self.until.clone();
        match until {
            Some(until) => until.run_until_cancelled(self.wait()).await.flatten(),
            None => self.wait().await,
        }
    }

    async fn wait(&mut self) -> Option<Event> {
        loop {
            let changed = self.shared.changed();
            let found = self.shared.lock().logs.get(&self.stream)?.after(self.after, self.reader).ok()?;
            if let Some(event) = found {
                self.after = event.index;
                return Some(event);
            }
            changed.await;
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        if let Some(log) = state.logs.get_mut(&self.stream) {
            log.readers -= 1;
        }
        state.used = Instant::now();
    }
}
