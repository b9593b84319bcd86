//! A client that has closed its side: it may be gone, or wait for the answer of what it asked.
//!
//! On the wire the two are the same until something is sent. A half close is no abort (RFC 9112, 9.6), and a client that is
//! gone should cost nothing, so the end of what is read is held back for a while as long as an answer is owed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// What a connection owes its client; shared between its stream and its requests.
#[derive(Clone, Default)]
pub(super) struct Debt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_owed: bool,
    reader: Option<Waker>,
}

impl Debt {
    /// An answer that will come to its end is owed from now on, or no longer.
    pub(super) fn is_owed(&self, is_owed: bool) {
        let mut state = self.lock();
        state.is_owed = is_owed;
        if let Some(reader) = state.reader.take() {
            reader.wake();
        }
    }

    /// Whether it is; whoever reads hears of it when that changes.
    fn watch(&self, task: &Context<'_>) -> bool {
        let mut state = self.lock();
        state.reader = Some(task.waker().clone());
        state.is_owed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
