//! What the test targets share: clients that speak to real processes, corpora, helpers that clean up after themselves.

mod complaints;
pub mod fake_server;
pub mod http_client;
pub mod github;
pub mod markdown;
pub mod seen;
pub mod signals;
pub mod stdio_client;
pub mod store_digest;
pub mod workspace;
pub mod vectors;
#[cfg(doctest)]
mod documents;

/// Writes one line to stdout, for the programs of this crate whose result is that line.
pub fn print_line(line: &str) {
    use std::io::Write as _;
    // A reader that went away needs nothing any more.
    let _ = writeln!(std::io::stdout(), "{line}");
}
