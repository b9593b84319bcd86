//! A session: a conversation that outlives its connections, with bounds on what it may hold.

use std::time::Duration;

use contract_core::Caller;
use contract_core::wire::Frame;
use http::StatusCode;
use tokio::time::Instant;

use super::conversation::{Conversation, Taken, UNASKED};
use super::event_log::{EventLog, Events};
use super::headers::Owner;
use super::reply::KEEP_ALIVE;
use crate::serve::http::body::Held;

/// Requests that may be worked on at once.
const MOST_REQUESTS: usize = 64;

/// The same in bytes.
const MOST_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// Answers that are kept for a client that lost its connection.
const MOST_ANSWERS: usize = 16;

/// The same in bytes.
const MOST_ANSWER_BYTES: usize = 1024 * 1024;

/// What sessions may take.
#[derive(Clone, Copy, Debug)]
pub struct SessionLimits {
    /// Sessions at once. A new one takes the place of one that has been unused for long; an anonymous one only of another
    /// anonymous one.
    pub sessions: usize,
    /// How long a session may be unused: nothing asked, nothing read, nothing being worked on.
    pub unused: Duration,
    /// How long an answer is kept for a client that lost its connection.
    pub answers: Duration,
    /// After so much silence a client is told that it is still connected; whoever listens must then still be known.
    pub keep_alive: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { sessions: 512, unused: Duration::from_mins(15), answers: Duration::from_mins(1), keep_alive: KEEP_ALIVE }
    }
}

/// Why a session does not do what it is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unavailable {
    /// It works on as much as it may.
    Busy,
    /// What was missed is no longer there.
    Forgotten,
    /// Every session that there may be is in use.
    Full,
}

impl Unavailable {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Forgotten => StatusCode::BAD_REQUEST,
            Self::Full => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Busy => "this session has too many requests under way; wait for some of their answers",
            Self::Forgotten => "what followed that event is no longer kept; send the request again",
            Self::Full => "the server has too many sessions in use; try again later",
        }
    }
}

/// One client's session.
pub(super) struct Session {
    id: String,
    owner: Owner,
    conversation: Conversation,
}

impl Session {
    pub(super) fn new(id: String, owner: Owner, conversation: Conversation) -> Self {
        conversation.shared().lock().logs.insert(UNASKED, EventLog::default());
        Self { id, owner, conversation }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    /// Takes a frame.
    pub(super) async fn take(&self, frame: Frame<'_>, caller: Caller, held: Held) -> Result<Taken, Unavailable> {
        {
            let mut state = self.conversation.shared().lock();
            if state.relay.in_flight() >= MOST_REQUESTS || state.relay.held() >= MOST_REQUEST_BYTES {
                return Err(Unavailable::Busy);
            }
            let over = |logs: &std::collections::BTreeMap<i64, EventLog>| {
                let over = logs.iter().filter(|(_, log)| log.is_over());
                over.fold((0, 0, None), |(count, bytes, first), (number, log)| {
                    (count + 1, bytes + log.bytes(), first.or(Some(*number)))
                })
            };
            // The answers that were read are the oldest, so those go first.
            while let (count, bytes, Some(oldest)) = over(&state.logs)
                && (count >= MOST_ANSWERS || bytes > MOST_ANSWER_BYTES)
            {
                state.logs.remove(&oldest);
            }
        }
        Ok(self.conversation.take(frame, caller, held).await)
    }

    /// What the server says unasked. Whoever listens last hears it.
    pub(super) fn listen(&self) -> Result<Events, Unavailable> {
        let shared = self.conversation.shared();
        let last = shared.lock().logs.get(&UNASKED).map_or(0, EventLog::last);
        Events::of(shared, UNASKED, last).map(Events::resumable_from_here).ok_or(Unavailable::Forgotten)
    }

    /// What followed the event `index` of `stream`.
    pub(super) fn resume(&self, stream: i64, index: u64) -> Result<Events, Unavailable> {
        let events = Events::of(self.conversation.shared(), stream, index);
        events.map(Events::resumable_from_here).ok_or(Unavailable::Forgotten)
    }

    /// Since when nobody has used it; none while somebody does.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        let state = self.conversation.shared().lock();
        let is_used = state.relay.in_flight() > 0 || state.logs.values().any(|log| log.readers() > 0);
        (!is_used).then_some(state.used)
    }

    /// How little it is used: whether somebody listens, and since when nobody asks; none while it works or is read.
    pub(super) fn idleness(&self) -> Option<(bool, Instant)> {
        let state = self.conversation.shared().lock();
        let mut read = state.logs.iter().filter(|(_, log)| log.readers() > 0).map(|(stream, _)| *stream);
        let is_listened_to = read.next();
        let is_used = state.relay.in_flight() > 0 || is_listened_to.is_some_and(|stream| stream != UNASKED);
        (!is_used && read.next().is_none()).then_some((is_listened_to.is_some(), state.used))
    }

    /// Forgets answers that are older than that.
    pub(super) fn forget(&self, age: Duration) {
        self.conversation.shared().lock().logs.retain(|_, log| !log.is_older_than(age));
    }
}

impl Drop for Session {
    /// Whoever still reads learns that there is nothing more.
    fn drop(&mut self) {
        let shared = self.conversation.shared();
        shared.lock().logs.clear();
        shared.wake();
    }
}
