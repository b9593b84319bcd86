//! The routes of an HTTP server over any registry, from its socket to its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use contract_core::projection::agent_index::agent_index;
use contract_core::rmcp::{RegistryServer, ServerIdentity};
use contract_core::{Authorize, Caller, Clock, Provided, Registry, ToolFilter};
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderMap, StatusCode};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::log;
use super::metrics::Metrics;
use super::public_url::{ENDPOINT, PublicUrl};
use crate::git;
use crate::serve::CALL_DEADLINE;
use crate::serve::http::guard::{self, Gate, Guard};
use crate::serve::http::listener::{self, Limits};
use crate::serve::http::mcp::{self, Identify, SessionLimits};
use crate::serve::signals::Signals;
use crate::serve::stdio::Ending;

/// Says whether what tools answer from can be used now, or in one of the words of its errors why not. May block its thread.
pub type Readiness = Arc<dyn Fn() -> Result<(), &'static str> + Send + Sync>;

/// What is served.
pub struct Site {
    /// All tools there are.
    pub registry: Registry,
    /// Those that are served.
    pub slice: ToolFilter,
    /// What the server says about itself.
    pub identity: ServerIdentity,
    /// What its tools need.
    pub provided: Provided,
    /// Who may call what.
    pub policy: Arc<dyn Authorize>,
    /// Who calls.
    pub identify: Arc<dyn Identify>,
    /// Whether what its tools answer from can be used now.
    pub readiness: Readiness,
    /// What time it is.
    pub clock: Clock,
}

/// Where it is served, and what it grants.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address; port 0 is any that is free.
    pub address: SocketAddr,
    /// The names that it answers to besides its own.
    pub hosts: Vec<String>,
    /// The foreign web pages that may ask it.
    pub origins: Vec<String>,
    /// Where clients reach it, when a proxy stands in front of it. They name its host too.
    pub public_url: Option<PublicUrl>,
    /// What connections may take.
    pub limits: Limits,
    /// What sessions may take.
    pub sessions: SessionLimits,
    /// How long a call may take.
    pub calls: Duration,
}

impl Listening {
    /// At this address, with the usual limits.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            address,
            hosts: Vec::new(),
            origins: Vec::new(),
            public_url: None,
            limits: Limits::default(),
            sessions: SessionLimits::default(),
            calls: CALL_DEADLINE,
        }
    }
}

/// Serves until a signal says to stop; what is being answered then is answered.
///
/// # Errors
/// When a handler needs what is not provided, the address cannot be used, or the runtime cannot start.
pub fn serve_site(
    site: Site,
    listening: Listening,
    announce: impl FnOnce(SocketAddr) -> std::io::Result<()>,
) -> Result<Ending, String> {
    site.registry.require_provided(&site.slice, &site.provided).map_err(|error| error.to_string())?;
    log::start();
    let runtime = crate::serve::runtime().map_err(|error| error.to_string())?;
    let ending = runtime.block_on(run(site, listening, announce));
    // Threads that still run a handler must not keep the process alive, nor may their git outlive it.
    git::stop_all();
    runtime.shutdown_background();
    ending
}

async fn run(
    site: Site,
    listening: Listening,
    announce: impl FnOnce(SocketAddr) -> std::io::Result<()>,
) -> Result<Ending, String> {
    let mut signals = Signals::listen().map_err(|error| error.to_string())?;
    let socket = TcpListener::bind(listening.address)
        .await
        .map_err(|error| format!("{} cannot be listened at: {error}", listening.address))?;
    let address = socket.local_addr().map_err(|error| error.to_string())?;
    let Listening { address: _, hosts, origins, public_url, limits, sessions, calls } = listening;
    let mut guard = Guard::new(address, &hosts, &origins)?;
    if let Some(url) = &public_url {
        guard = guard.behind(url.origin())?;
    }
    let readiness = Arc::clone(&site.readiness);
    let ending = CancellationToken::new();
    let router = routes(site, guard, sessions, calls, public_url, &ending)?;
    announce(address).map_err(|error| format!("the address cannot be told: {error}"))?;
    tracing::info!(target: log::TARGET, %address, "listening");
    let serving = tokio::spawn(listener::serve(socket, router, limits, ending.clone()));
    if let Ok(Err(reason)) = tokio::task::spawn_blocking(move || readiness()).await {
        tracing::warn!(target: log::TARGET, reason, "the store cannot be used yet");
    }
    let code = signals.any().await;
    tracing::info!(target: log::TARGET, "ending");
    ending.cancel();
    tokio::select! {
        _ = serving => {}
        // Whoever asks twice does not want to wait.
        _ = signals.any() => {}
    }
    Ok(Ending::Signalled(code))
}

/// What the routes beside the protocol's need.
struct Shared {
    registry: Registry,
    slice: ToolFilter,
    policy: Arc<dyn Authorize>,
    metrics: Arc<Metrics>,
    readiness: Readiness,
    public_url: Option<PublicUrl>,
    ending: CancellationToken,
}

fn routes(
    site: Site,
    guard: Guard,
    sessions: SessionLimits,
    calls: Duration,
    public_url: Option<PublicUrl>,
    ending: &CancellationToken,
) -> Result<Router, String> {
    let Site { registry, slice, identity, provided, policy, identify, readiness, clock } = site;
    let metrics = Arc::new(Metrics::new());
    let (provided, observer) = (Arc::new(provided), Arc::clone(&metrics));
    let context = move || crate::serve::context(&clock, &provided, calls).with_observer(Arc::clone(&observer) as _);
    let server = RegistryServer::new(registry.clone(), slice.clone(), Arc::clone(&policy), identity, context)
        .map_err(|error| error.to_string())?;
    let shared = Arc::new(Shared { registry, slice, policy, metrics, readiness, public_url, ending: ending.clone() });
    let beside = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(measured))
        .route("/.well-known/agent-tools.json", get(index))
        .with_state(shared);
    let gate = Gate { guard: Arc::new(guard), answer: mcp::refuse };
    Ok(mcp::routes(ENDPOINT, mcp::known_by_sender(server), identify, sessions, ending.clone())
        .merge(beside)
        .layer(middleware::from_fn_with_state(gate, guard::layer)))
}

/// Whether requests should be sent here: not when the end has begun, nor while there is nothing to answer from.
async fn ready(State(shared): State<Arc<Shared>>) -> Response {
    if shared.ending.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "ending\n").into_response();
    }
    let readiness = Arc::clone(&shared.readiness);
    let reason = match tokio::task::spawn_blocking(move || readiness()).await {
        Ok(Ok(())) => return "ready\n".into_response(),
        Ok(Err(reason)) => reason,
        Err(_) => "unknown",
    };
    (StatusCode::SERVICE_UNAVAILABLE, format!("the store cannot be used: {reason}\n")).into_response()
}

async fn measured(State(shared): State<Arc<Shared>>) -> Response {
    match shared.metrics.text() {
        Ok(text) => ([(CONTENT_TYPE, Metrics::CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// What an agent without a credential finds here.
async fn index(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let tools = shared.registry.list_for(&shared.slice, &Caller::anonymous(), &*shared.policy);
    let endpoint = shared.public_url.as_ref().map_or_else(
        || {
            // The guard has looked at it. Which scheme a proxy speaks, no request is asked.
            let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            format!("http://{host}{ENDPOINT}")
        },
        PublicUrl::endpoint,
    );
    match agent_index(&tools, &endpoint) {
        Ok(index) => Json(index).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
