//! Promises of the running program, seen from outside: a real process, a real client, real files.

/// `loopover` at a prompt: what it prints, where, and its exit codes.
mod commands;
/// Setting up: client configurations, the doctor, completions.
mod setup;
/// `loopover stdio`: a session over stdin and stdout.
mod stdio;

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");
