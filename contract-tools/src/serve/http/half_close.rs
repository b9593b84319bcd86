//! A client that has closed its side: it may be gone, or wait for the answer of what it asked.
//!
//! On the wire the two are the same until something is sent. A half close is no abort (RFC 9112, 9.6), and a client that is
//! gone should cost nothing, so the end of what is read is held back for a while as long as an answer is owed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

#[cfg(target_os = "linux")]
use tokio::io::Interest;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep, timeout};

/// What a connection owes its client; shared between its stream and its requests.
#[derive(Clone, Default)]
pub(super) struct Debt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    owed: Owed,
    reader: Option<Waker>,
}

/// What it can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Owed {
    /// Nothing was asked, or all of it is answered.
    #[default]
    Nothing,
    /// An answer that will come to its end.
    Answer,
    /// A stream for as long as somebody is there to read it.
    Stream,
}

impl Debt {
    /// What is owed from now on.
    pub(super) fn is(&self, owed: Owed) {
        let mut state = self.lock();
        state.owed = owed;
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        self.0.changed.notify_waiters();
    }

    /// Whether an answer is; whoever reads hears of it when that changes.
    fn watch(&self, task: &Context<'_>) -> bool {
        let mut state = self.lock();
        state.reader = Some(task.waker().clone());
        state.owed == Owed::Answer
    }

    /// Waits until a client that has closed its side is gone for all that is owed to it: at once while that is a stream, after
    /// `patience` with one answer. What else it sent is still to be read while nothing is owed.
    pub(super) async fn outlived(&self, patience: Duration) {
        loop {
            let changed = self.0.changed.notified();
            let owed = self.lock().owed;
            match owed {
                Owed::Stream => return,
                Owed::Nothing => changed.await,
                Owed::Answer => {
                    if timeout(patience, changed).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the client has closed its side or reset the connection, also behind bytes that nobody has read: hyper reads
/// nothing while bytes of a next request wait in its buffer, so it hears of no end behind them. Behind more than the
/// system's buffers hold there is none to hear of, until something is written.
pub(super) async fn closed(stream: &OwnedReadHalf) {
    // Of what there is to wait for, this alone is not met by bytes that can be read. It takes in a closed side; urgent bytes, its
    // own meaning, are not asked for when a socket is registered.
    #[cfg(target_os = "linux")]
    let _ = stream.ready(Interest::PRIORITY).await;
    #[cfg(not(target_os = "linux"))]
    {
        let _ = stream;
        std::future::pending::<()>().await;
    }
}

/// The end of what a client sends, from when it is there.
pub(super) struct HeldEnd {
    debt: Debt,
    patience: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl HeldEnd {
    pub(super) fn new(debt: Debt, patience: Duration) -> Self {
        Self { debt, patience, timer: None }
    }

    pub(super) fn is_there(&self) -> bool {
        self.timer.is_some()
    }

    /// Ready when the end may be told: nothing is owed, or has been for too long.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Poll<()> {
        let patience = self.patience;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(patience)));
        if self.debt.watch(task) { timer.as_mut().poll(task) } else { Poll::Ready(()) }
    }
}
