//! Tools on shared data, asked of the server that this machine's configuration names, over MCP and with its credential.
//!
//! The door holds the arguments and the answer against the contract of this program; here the call is only carried. Each
//! call is a conversation of its own, so nothing is left over when a server restarts, and dropping a call ends it.

mod address;
mod conversation;
mod failure;
pub(crate) mod listing;
mod told;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use contract_core::{Auth, BoxFuture, Clock, Forwarded, Locality, ToolDefinition, ToolError, Upstream};
use serde_json::Value;

use self::address::Address;
pub(crate) use self::address::check;
use self::failure::Failure;
use crate::config::CliEnvironment;

/// How long a connection may take to come about; what is left of the call's time is the server's.
const CONNECT: Duration = Duration::from_secs(10);

/// Carries calls to the configured server.
#[derive(Clone)]
pub struct Forwarder(Arc<Inner>);

struct Inner {
    environment: CliEnvironment,
    clock: Clock,
    http: OnceLock<Result<reqwest::Client, String>>,
}

impl Forwarder {
    /// By the configuration of `environment`, which is read again at each call: who logs in meanwhile is logged in.
    pub fn new(environment: CliEnvironment, clock: Clock) -> Self {
        Self(Arc::new(Inner { environment, clock, http: OnceLock::new() }))
    }

    async fn carry(&self, call: Forwarded) -> Result<Value, ToolError> {
        let this = self.clone();
        let address = tokio::task::spawn_blocking(move || Address::find(&this.0.environment, this.0.clock.now()));
        let address = address.await.map_err(|_| ToolError::unknown("the configuration could not be read"))??;
        let address = Arc::new(address);
        if address.token.is_none() && call.auth != Auth::Public {
            return Err(Failure::NoToken.tell(&address));
        }
        let http = match self.0.http.get_or_init(http_client) {
            Ok(http) => http.clone(),
            Err(why) => return Err(Failure::NoTls.tell(&address).caused_by(why.as_str())),
        };
        let asked = tokio::time::timeout(address.timeout, conversation::ask(http, &address, call));
        match asked.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(failure)) => Err(failure.tell(&address)),
            Err(_) => Err(Failure::Slow.tell(&address)),
        }
    }
}

impl Upstream for Forwarder {
    fn answers(&self, tool: &ToolDefinition) -> bool {
        tool.locality() == Locality::Remote
    }

    fn ask(&self, call: Forwarded) -> BoxFuture<Result<Value, ToolError>> {
        let this = self.clone();
        Box::pin(async move { this.carry(call).await })
    }
}

impl std::fmt::Debug for Forwarder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Forwarder").field("environment", &self.0.environment).finish_non_exhaustive()
    }
}

/// A client that talks to whom it is told and to nobody else: it follows no redirect and asks no proxy, since either could
/// hand the credential to a host that the configuration does not name.
fn http_client() -> Result<reqwest::Client, String> {
    // Fails when a provider is in place already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT)
        .user_agent(concat!("loopover/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| error.to_string())
}
