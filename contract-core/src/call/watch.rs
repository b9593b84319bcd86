//! Guards that notice the end of a call however it comes: an answer, an error, or nobody waiting any more.

use std::sync::Arc;
use std::time::SystemTime;

use super::guard::guarded;
use crate::context::{CallContext, Clock, Observer, Outcome};
use crate::error::ToolError;
use crate::handler::Cancelled;

/// Tells the observer when a call starts and ends.
pub(super) struct Watch {
    observer: Option<Arc<dyn Observer>>,
    clock: Clock,
    tool: &'static str,
    started: SystemTime,
}

impl Watch {
    pub(super) fn start(context: &CallContext, tool: &'static str) -> Self {
        if let Some(observer) = &context.observer {
            let _ = guarded(|| observer.started(tool));
        }
        let started = time(&context.clock);
        Self { observer: context.observer.clone(), clock: context.clock.clone(), tool, started }
    }

    pub(super) fn end(mut self, outcome: Outcome) {
        self.tell(outcome, None);
    }

    pub(super) fn fail(mut self, error: &ToolError) {
        self.tell(Outcome::Failed(error.code()), error.reason());
    }

    fn tell(&mut self, outcome: Outcome, reason: Option<&str>) {
        if let Some(observer) = self.observer.take() {
            // A clock that was set back measures nothing rather than a panic.
            let duration = time(&self.clock).duration_since(self.started).unwrap_or_default();
            let _ = guarded(|| observer.ended(self.tool, outcome, reason, duration));
        }
    }
}

/// The time, or the beginning of it where the clock itself fails.
fn time(clock: &Clock) -> SystemTime {
    guarded(|| clock.now()).unwrap_or(SystemTime::UNIX_EPOCH)
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.tell(Outcome::Cancelled, None);
    }
}

/// Sets the handler's flag when the call is dropped before the handler is done.
pub(super) struct CancelOnDrop(Option<Cancelled>);

impl CancelOnDrop {
    pub(super) fn new(cancelled: Cancelled) -> Self {
        Self(Some(cancelled))
    }

    pub(super) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(cancelled) = &self.0 {
            cancelled.cancel();
        }
    }
}
