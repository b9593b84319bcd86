//! LoopOver itself: its tools, the servers that offer them and the `loopover` binary.
//!
//! Tools are annotated functions in [`tools`]; what they know comes from plain readers beside it. Servers know the registry
//! and never a handler. The command line is in [`cli`].

pub mod chat;
pub mod cli;
pub mod config;
pub mod contract;
mod database;
mod document;
pub mod engine;
pub mod forge;
pub mod git;
pub mod identity;
pub mod miner;
pub mod privacy;
mod scratch;
pub mod serve;
pub mod tools;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::SystemTime;

use contract_core::Clock;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run(std::env::args_os(), Clock::new(SystemTime::now))
}

/// Runs the command line `arguments` (the program's name first) by the given clock.
pub fn run(arguments: impl IntoIterator<Item = OsString>, clock: Clock) -> ExitCode {
    quiet_panics();
    cli::run(arguments, clock)
}

/// A panic's text may hold anything a caller sent; the place is enough to find it.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        cli::complain(&format!("a part of the program failed unexpectedly at {place}"));
    }));
}
