//! The servers: each states its slice of the registry and its policy, and knows no handler.

pub mod stdio;

use std::time::Duration;

use contract_core::{CallContext, Clock};

/// How long any call may take before it answers `timeout`.
pub const CALL_DEADLINE: Duration = Duration::from_mins(1);

/// The runtime that every command uses.
pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// What a call borrows here: the clock, a deadline, threads to block on. Must be asked for inside the runtime.
pub(crate) fn context(clock: &Clock) -> CallContext {
    CallContext::new(clock.clone())
        .with_deadline(tokio::time::sleep(CALL_DEADLINE))
        .with_blocking(|job| drop(tokio::task::spawn_blocking(job)))
}
