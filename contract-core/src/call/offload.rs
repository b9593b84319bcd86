//! Runs a blocking handler where its server says, and waits for it without a runtime of our own.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use super::guard::{drop_guarded, guarded, panicked};
use crate::context::Job;
use crate::error::ToolError;

/// Hands `work` to `run` and waits for what comes of it.
pub(super) async fn offload<T: Send + 'static>(
    run: &(dyn Fn(Job) + Send + Sync),
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    let shared = Arc::new(Mutex::new(Shared { result: None, waker: None }));
    let promise = Promise(Arc::clone(&shared));
    run(Box::new(move || {
        let result = guarded(work).unwrap_or_else(|text| Err(panicked(&text)));
        promise.keep(result);
    }));
    poll_fn(|task| {
        // Wakers are code of the runtime's: none is cloned, dropped or woken under the lock.
        let waker = task.waker().clone();
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let (result, old) = match shared.result.take() {
            Some(result) => (Some(result), shared.waker.take()),
            None => (None, shared.waker.replace(waker)),
        };
        drop(shared);
        drop_guarded(old);
        result.map_or(Poll::Pending, Poll::Ready)
    })
    .await
}

struct Shared<T> {
    result: Option<Result<T, ToolError>>,
    waker: Option<Waker>,
}

/// Keeps the waiting side from waiting for ever when the job is dropped instead of run.
struct Promise<T>(Arc<Mutex<Shared<T>>>);

impl<T> Promise<T> {
    fn keep(&self, result: Result<T, ToolError>) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.result.get_or_insert(result);
        let waker = shared.waker.take();
        // A runtime may poll the call inside `wake`, which takes the lock again.
        drop(shared);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        self.keep(Err(ToolError::unknown("the server is shutting down; try again when it is back")));
    }
}
