//! `loopover serve`: the remote tools over HTTP, and a demonstration that needs nothing but the program.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use contract_core::{Availability, Clock, Provided, Registry};
use serde_json::{Value, json};

use super::store::Store;
use super::{Failure, Output};
use crate::config::{CliEnvironment, Environment, FOLDER_VARIABLE};
use crate::identity::{ForgeAccounts, RateLimits, Settings};
use crate::serve::demo::{self, Demo};
use crate::serve::http::guard;
use crate::serve::remote::log;
use crate::serve::remote::{self, Deployment, Listening, PublicUrl};
use crate::serve::stdio::Ending;
use crate::serve::{admin, on_shared_data};

const PORT: u16 = 8787;

/// What `serve` may be told.
#[derive(Args)]
pub(crate) struct Command {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)))]
    bind: SocketAddr,
    /// Which kind of deployment this is; it decides which tools there are
    #[arg(long, value_enum, default_value_t = Kind::Selfhost)]
    deployment: Kind,
    #[command(flatten)]
    store: Store,
    /// Serve an invented repository out of a store that is gone afterwards, and print a token for it
    #[arg(long, conflicts_with = "place")]
    demo: bool,
    /// Whether calls are limited per caller and tool; in the demonstration they are not
    #[arg(long, value_enum, default_value_t = Switch::On)]
    rate_limits: Switch,
    /// A name that the server answers to besides its loopback names; repeat it for more
    #[arg(long = "allowed-host", value_name = "NAME[:PORT]", value_parser = guard::host)]
    hosts: Vec<String>,
    /// A web page's origin that may ask the server; repeat it for more
    #[arg(long = "allowed-origin", value_name = "ORIGIN", value_parser = guard::origin)]
    origins: Vec<String>,
    /// Where clients reach the server, when a proxy stands in front of it; what it says about itself names this address
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
}

/// Whether something is done.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// It is
    On,
    /// It is not
    Off,
}

/// A kind of deployment.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Run for everybody
    Cloud,
    /// Run for oneself
    Selfhost,
}

pub(crate) fn run(command: Command, clock: Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let Command { bind, deployment, store, demo, rate_limits, hosts, origins, public_url } = command;
    let environment = CliEnvironment::with_secret_files().map_err(Failure::Failed)?.environment;
    let demo = if demo { Some(Demo::new(clock.now()).map_err(Failure::Failed)?) } else { None };
    let (forge, settings) = match &demo {
        Some(demo) => (demo.forge(), demo::settings()),
        None => (store.reading()?, settings(&environment)?),
    };
    let deployment = Deployment {
        kind: match deployment {
            Kind::Cloud => Availability::Cloud,
            Kind::Selfhost => Availability::Selfhost,
        },
        provided: on_shared_data(Provided::new(), Some(forge.clone()), &environment),
        accounts: Arc::new(ForgeAccounts::new(forge.clone())),
        readiness: Arc::new(move || {
            forge.read(|reader| reader.repositories(None, 1)).map(drop).map_err(|error| error.reason.as_str())
        }),
        settings: Arc::new(settings),
        admin: admin::is_enabled(&environment),
        rate_limits: (demo.is_none() && rate_limits == Switch::On).then(RateLimits::of_process),
    };
    let listening = Listening { hosts, origins, public_url, ..Listening::at(bind) };
    let announce = |address: SocketAddr| {
        let url = format!("http://{address}/mcp");
        output.text(&url)?;
        let Some(demo) = &demo else { return Ok(()) };
        output.text(demo.token())?;
        output.text(&call_by_curl(&url, demo.token()))
    };
    match remote::serve(Registry::collect()?, clock, deployment, listening, announce).map_err(Failure::Failed)? {
        Ending::Done => Ok(()),
        Ending::Signalled(code) => Err(Failure::Signalled(code)),
    }
}

/// What the environment says about callers. What is odd about it, but counts, stands in the log.
fn settings(environment: &Environment) -> Result<Settings, Failure> {
    let read = Settings::of_deployment(|name| environment.get(name).cloned());
    let (settings, short) = read.map_err(Failure::Failed)?;
    log::start();
    for variable in short {
        tracing::warn!(target: log::TARGET, variable, "a token of fewer than 16 characters can be guessed");
    }
    let folder = environment.get(FOLDER_VARIABLE).map(|folder| folder.trim()).filter(|folder| !folder.is_empty());
    if folder.is_some_and(|folder| !Path::new(folder).is_dir()) {
        tracing::warn!(target: log::TARGET, variable = FOLDER_VARIABLE, "there is no such folder; no private configuration counts");
    }
    Ok(settings)
}

/// One line that calls a tool, for somebody who has just seen the token.
fn call_by_curl(url: &str, token: &str) -> String {
    let tool = "loopover_get_repo_context";
    let message = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": tool, "arguments": arguments(), "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        } },
    });
    format!(
        "curl -sS {url} -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' \
         -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: {tool}' -d '{message}'"
    )
}

/// The repository of the demonstration, as tools take it.
fn arguments() -> Value {
    let (owner, repo) = demo::REPOSITORY.split_once('/').unwrap_or_default();
    json!({ "owner": owner, "repo": repo })
}
