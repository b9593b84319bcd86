//! The servers: each states its slice of the registry and its policy, and knows no handler.

pub mod admin;
pub mod http;
pub mod demo;
pub mod forward;
pub mod miner;
pub mod remote;
pub(crate) mod signals;
pub mod stdio;

use std::sync::Arc;
use std::time::Duration;

use contract_core::{CallContext, Clock, Provided};

use crate::config::{CliEnvironment, Environment, PrivateConfig};
use crate::forge::SharedForge;
use crate::git::Workspace;
use crate::miner::MinerHome;

/// How long any call may take before it answers `timeout`, unless the server says otherwise.
pub const CALL_DEADLINE: Duration = Duration::from_mins(1);

/// The runtime that every command uses.
pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// What a process on a person's own machine lends to tools.
pub(crate) fn of_process() -> Provided {
    Provided::new().with(Workspace::of_process()).with(CliEnvironment::of_process()).with(MinerHome::of_process())
}

/// What tools on shared data need beside: the store, and the deployment's private configuration.
pub(crate) fn on_shared_data(provided: Provided, forge: Option<SharedForge>, environment: &Environment) -> Provided {
    let provided = provided.with(PrivateConfig::from_environment(environment));
    match forge {
        Some(forge) => provided.with(forge),
        None => provided,
    }
}

/// The same states for a client that exposes folders.
pub(crate) fn with_roots(provided: &Provided, roots: Vec<String>) -> Provided {
    let states = provided.clone();
    match provided.get::<Workspace>() {
        Some(workspace) => states.with(Workspace { roots, ..Workspace::clone(&workspace) }),
        None => states,
    }
}

/// What a call borrows here: the clock, the states, a deadline, threads to block on. Must be asked for inside the runtime.
pub(crate) fn context(clock: &Clock, provided: &Arc<Provided>, deadline: Duration) -> CallContext {
    CallContext::new(clock.clone())
        .with_provided(Arc::clone(provided))
        .with_deadline(tokio::time::sleep(deadline))
        .with_blocking(|job| drop(tokio::task::spawn_blocking(job)))
}
