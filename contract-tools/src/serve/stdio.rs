//! `loopover stdio`: the tools of a contributor's machine over stdin and stdout, for the person who started it. Those on
//! shared data are asked of the configured server.
//!
//! stdin → lines → `read_frame` → `Relay` → rmcp → `Relay` → one writer → stdout. rmcp runs the protocol and sees no
//! frame that was not read here first. What ends the process:
//!
//! - The end of stdin, once what was accepted is answered; after [`DRAIN`] the rest is told that the server is shutting down.
//! - Nobody left to read stdout: at once, whatever is being worked on.
//! - `SIGTERM` or `SIGINT`: at once; what is ready is written, and those who still wait are told the same.
//!
//! However it ends, it takes along every git that it started; only a `SIGKILL` leaves it no time to.
//!
//! Memory is bounded because reading waits: for a client that does not read its answers, and for the calls that are being
//! worked on. A client that does not read progress loses all but the newest of it, never a reply.

mod input;
mod link;
mod output;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use contract_core::rmcp::{RegistryServer, ServerIdentity};
use contract_core::{Clock, Locality, Provided, Registry, ToolFilter, TrustProcessOwner, Upstream};
use rmcp::service::serve_directly;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use self::link::{Link, Wire};
use self::output::Output;
use super::admin;
use super::forward::Forwarder;
use super::signals::Signals;
use crate::config::CliEnvironment;
use crate::contract;
use crate::git;

const INSTRUCTIONS: &str = "Tools about the git working tree on this machine, and tools about repositories that the configured \
                            LoopOver server answers. They read and never write; no source code leaves the machine.";

/// How long calls that were accepted may go on when stdin has ended.
pub const DRAIN: Duration = Duration::from_secs(10);

/// How long answers that are ready may take to be written when the process has to end.
const FLUSH: Duration = Duration::from_secs(1);

/// Why a server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client is done.
    Done,
    /// A signal said so; the process exits with this code.
    Signalled(u8),
}

/// The tools that this server offers. Administrative ones are never used from somebody else's machine.
pub fn slice() -> ToolFilter {
    admin::slice(ToolFilter::new().locality(Locality::LocalGit).locality(Locality::Remote), false)
}

/// Serves the local tools, and carries calls of the others to the configured server, until the client is done.
///
/// # Errors
/// When a variable names a secret's file that cannot be read, the binary lost tools at link time, a handler needs what this
/// server does not provide, or the runtime cannot start.
pub fn serve(registry: Registry, clock: Clock) -> Result<Ending, String> {
    contract::require_roster(&registry).map_err(|error| error.to_string())?;
    let identity = ServerIdentity {
        name: "loopover-local".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: Some(INSTRUCTIONS.to_owned()),
    };
    let environment = CliEnvironment::with_secret_files()?;
    let forwarder = Forwarder::new(environment.clone(), clock.clone());
    let provided = super::of_process().with(environment);
    serve_forwarding(registry, slice(), identity, provided, forwarder, clock)
}

/// Serves any slice of any registry to the person who started this process, until the client is done.
///
/// Takes stdout for the protocol: from here on everything else that prints, prints to stderr.
///
/// # Errors
/// When a handler needs what is not in `provided`, or the runtime cannot start.
pub fn serve_slice(
    registry: Registry,
    slice: ToolFilter,
    identity: ServerIdentity,
    provided: Provided,
    clock: Clock,
) -> Result<Ending, String> {
    run(registry, slice, identity, provided, None, clock)
}

/// As [`serve_slice`], with the tools that `forwarder` answers carried to its server.
///
/// # Errors
/// As [`serve_slice`].
pub fn serve_forwarding(
    registry: Registry,
    slice: ToolFilter,
    identity: ServerIdentity,
    provided: Provided,
    forwarder: Forwarder,
    clock: Clock,
) -> Result<Ending, String> {
    run(registry, slice, identity, provided, Some(Arc::new(forwarder)), clock)
}

fn run(
    registry: Registry,
    slice: ToolFilter,
    identity: ServerIdentity,
    provided: Provided,
    upstream: Option<Arc<dyn Upstream>>,
    clock: Clock,
) -> Result<Ending, String> {
    let stdout = output::take_stdout().map_err(|error| format!("stdout cannot be used: {error}"))?;
    match &upstream {
        Some(upstream) => registry.require_provided_beside(&**upstream, &slice, &provided),
        None => registry.require_provided(&slice, &provided),
    }
    .map_err(|error| error.to_string())?;
    let provided = Arc::new(provided);
    let lent = Arc::clone(&provided);
    let context = move || {
        let context = super::context(&clock, &provided, super::CALL_DEADLINE);
        match &upstream {
            Some(upstream) => context.with_upstream(Arc::clone(upstream)),
            None => context,
        }
    };
    let server = RegistryServer::new(registry, slice, TrustProcessOwner, identity, context)
        .map_err(|error| error.to_string())?
        .with_roots(move |context, roots| context.with_provided(super::with_roots(&lent, roots)));
    let runtime = super::runtime().map_err(|error| error.to_string())?;
    let ending = runtime.block_on(async {
        let signals = Signals::listen()?;
        let link = Arc::new(Link::default());
        let output = Output::start(stdout, Arc::clone(&link))?;
        Ok(session(server, link, output, signals).await)
    });
    // Threads that still read stdin or run a handler must not keep the process alive, nor may their git outlive it.
    git::stop_all();
    runtime.shutdown_background();
    ending.map_err(|error: std::io::Error| error.to_string())
}

async fn session(server: RegistryServer, link: Arc<Link>, mut output: Output, mut signals: Signals) -> Ending {
    let (wire, messages) = Wire::new(Arc::clone(&link), output.lines());
    // rmcp's own handshake ends the process at a first message that it does not expect; the relay keeps that door instead.
    let running = serve_directly(server, wire, None);
    let lines = output.lines();
    let mut stopped = pin!(running.waiting());
    tokio::select! {
        () = input::read(tokio::io::stdin(), &link, &messages, &lines) => {}
        // Only a fault in rmcp itself comes here; what it leaves is answered all the same.
        _ = &mut stopped => return given_up(&link, &lines, Ending::Done).await,
        () = output.gone() => return Ending::Done,
        code = signals.any() => return given_up(&link, &lines, Ending::Signalled(code)).await,
    }
    tokio::select! {
        drained = timeout(DRAIN, link.answered()) => match drained {
            Ok(()) => Ending::Done,
            Err(_) => given_up(&link, &lines, Ending::Done).await,
        },
        () = output.gone() => Ending::Done,
        code = signals.any() => given_up(&link, &lines, Ending::Signalled(code)).await,
    }
}

/// Tells those who still wait that no answer will come, and writes what is ready, within reason.
async fn given_up(link: &Link, lines: &Sender<String>, ending: Ending) -> Ending {
    let told = async {
        link.abandon(lines).await;
        link.written_all().await;
    };
    let _ = timeout(FLUSH, told).await;
    ending
}
