//! `loopover miner mcp`: the miner's read-only tools over stdin and stdout, for the person who started it.
//!
//! Which tools those are is a rule and no list: a tool of the miner's that changes nothing.

use contract_core::rmcp::ServerIdentity;
use contract_core::{Clock, Locality, Provided, Registry, ToolFilter};

use super::stdio::{Ending, serve_slice};
use crate::contract;
use crate::miner::MinerHome;

const INSTRUCTIONS: &str = "Tools about the miner on this machine: its queue, claims, plans, events and decisions. They read and \
                            never write, and none of them shows money matters or standing.";

/// The tools that this server offers.
pub fn slice() -> ToolFilter {
    ToolFilter::new().locality(Locality::Miner).read_only()
}

/// Serves the miner's tools until the client is done.
///
/// # Errors
/// When a variable names a secret's file that cannot be read, the binary lost tools at link time, a handler needs what this
/// server does not provide, or the runtime cannot start.
pub fn serve(registry: Registry, clock: Clock) -> Result<Ending, String> {
    contract::require_roster(&registry).map_err(|error| error.to_string())?;
    let mut home = MinerHome::of_process();
    home.resolve_secret_files()?;
    let identity = ServerIdentity {
        name: "loopover-miner".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: Some(INSTRUCTIONS.to_owned()),
    };
    serve_slice(registry, slice(), identity, Provided::new().with(home), clock)
}
