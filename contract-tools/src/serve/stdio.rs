//! `loopover stdio`: the tools of a contributor's machine over stdin and stdout, for the person who started it.

use std::sync::Arc;

use contract_core::rmcp::{RegistryServer, ServerIdentity};
use contract_core::{Clock, Locality, Registry, ToolFilter, TrustProcessOwner};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use crate::contract;

const INSTRUCTIONS: &str = "Tools about the git working tree on this machine. They read and never write; no source code leaves the \
                            machine.";

/// The tools that this server offers.
pub fn slice() -> ToolFilter {
    ToolFilter::new().locality(Locality::LocalGit)
}

/// Serves until stdin ends.
///
/// # Errors
/// When the binary lost tools at link time, a handler needs what this server does not provide, or the runtime cannot start.
pub fn serve(registry: Registry, clock: Clock) -> Result<(), String> {
    contract::require_roster(&registry).map_err(|error| error.to_string())?;
    let provided = Arc::new(super::of_process());
    registry.require_provided(&slice(), &provided).map_err(|error| error.to_string())?;
    let identity = ServerIdentity {
        name: "loopover-local".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: Some(INSTRUCTIONS.to_owned()),
    };
    let server =
        RegistryServer::new(registry, slice(), TrustProcessOwner, identity, move || super::context(&clock, &provided))
            .map_err(|error| error.to_string())?;
    let runtime = super::runtime().map_err(|error| error.to_string())?;
    let ended = runtime.block_on(async {
        match server.serve(rmcp::transport::io::stdio()).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
            // A client that closes before it says anything wanted nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(format!("the client did not open the session: {error}")),
        }
    });
    // A thread that still reads stdin must not keep the process alive.
    runtime.shutdown_background();
    ended
}
