//! Runs a blocking handler where its server says, and waits for it without a runtime of our own.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

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
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(super::panicked(&*panic)));
        promise.keep(result);
    }));
    poll_fn(|task| {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = shared.result.take() {
            return Poll::Ready(result);
        }
        shared.waker = Some(task.waker().clone());
        Poll::Pending
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
        if let Some(waker) = shared.waker.take() {
            waker.wake();
        }
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        self.keep(Err(ToolError::unknown("the server is shutting down; try again when it is back")));
    }
}
