//! What the test targets share: clients that speak to real processes, corpora, helpers that clean up after themselves.

pub mod stdio_client;
pub mod workspace;
pub mod vectors;
#[cfg(doctest)]
mod documents;
