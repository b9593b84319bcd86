//! Promises of the running program, seen from outside: a real process, a real client, real files.

/// `loopover` at a prompt: what it prints, where, and its exit codes.
mod commands;
/// Breaks that are meant.
mod contract_allow;
/// Two lists of tools compared.
mod contract_diff;
/// One list held against providers' limits.
mod contract_lint;
/// Lists whose texts try to command whoever shows them.
mod contract_texts;
/// Setting up: client configurations, the doctor, completions.
mod setup;
/// Frames that are wrong, strange or huge, and what each is answered.
mod frames;
/// What clients really send as arguments.
mod arguments;
/// How a session opens, and what the revisions have in common and have not.
mod session;
/// Calls that take a while: side by side, with progress, cancelled, panicking.
mod calls;
/// How a server ends, and that it always does.
mod ending;
/// The folders that a client exposes.
mod client_roots;
/// One field of one output is changed in one place, and every surface says so.
mod drill;
/// Calls that are carried to another server, and all that may go wrong there.
mod forwarding;
/// Sessions of those who may ask the server: made, listed, ended.
mod sessions;
/// `loopover stdio`: a session over stdin and stdout.
mod stdio;

use contract_tests::stdio_client::StdioClient;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// The same server over tools that wait, panic, print and report.
const DOOR: &str = env!("CARGO_BIN_EXE_door-server");

/// A client of [`DOOR`].
fn door() -> StdioClient {
    StdioClient::start(DOOR, &[], &std::env::temp_dir())
}

/// A client of [`DOOR`] in an open session of revision 2025-11-25.
fn opened_door() -> StdioClient {
    let mut client = door();
    client.initialize();
    client
}
