//! `loopover serve`: the remote tools over HTTP, for whoever has a credential, and the public ones for everybody.
//!
//! Which tools those are is a rule: their data lives with the server, and this kind of deployment offers them. `site.rs` puts
//! the routes together, `metrics.rs` counts, `log.rs` tells; none of the three knows what was asked or answered.

pub(crate) mod log;
mod metrics;
mod public_url;
mod site;

pub use self::public_url::PublicUrl;
pub use self::site::{Listening, Readiness, Site, serve_site};

use std::sync::Arc;

use contract_core::rmcp::ServerIdentity;
use contract_core::{Availability, BoxFuture, Caller, Clock, Locality, Provided, Registry, ToolFilter};

use super::http::mcp::{Identify, Unidentified};
use super::stdio::Ending;
use crate::contract;
use crate::identity::{Accounts, Authenticator, Policy, RateLimits, Refusal, Settings};

const INSTRUCTIONS: &str = "Tools about repositories, their queues and pull requests, as LoopOver knows them. What is listed is what \
                            your credential opens.";

/// The tools that this kind of deployment offers; administrative ones only where they are enabled.
pub fn slice(deployment: Availability, admin: bool) -> ToolFilter {
    super::admin::slice(ToolFilter::new().locality(Locality::Remote).availability(deployment), admin)
}

/// What a deployment is made of.
pub struct Deployment {
    /// Of which kind it is.
    pub kind: Availability,
    /// What its tools need.
    pub provided: Provided,
    /// Who is known to it.
    pub accounts: Arc<dyn Accounts>,
    /// Its tokens, and who runs it.
    pub settings: Arc<Settings>,
    /// Whether administrative tools exist.
    pub admin: bool,
    /// How often a caller may call a tool; none is as often as they want.
    pub rate_limits: Option<RateLimits>,
    /// Whether its store can be used now.
    pub readiness: Readiness,
}

/// Serves until a signal says to stop. `announce` is told the address as soon as requests are taken.
///
/// # Errors
/// When the binary lost tools at link time, a handler needs what is not provided, the address cannot be used, or the runtime
/// cannot start.
pub fn serve(
    registry: Registry,
    clock: Clock,
    deployment: Deployment,
    listening: Listening,
    announce: impl FnOnce(std::net::SocketAddr) -> std::io::Result<()>,
) -> Result<Ending, String> {
    contract::require_roster(&registry).map_err(|error| error.to_string())?;
    let Deployment { kind, provided, accounts, settings, admin, rate_limits, readiness } = deployment;
    let authenticator = Authenticator::new(Arc::clone(&settings), Arc::clone(&accounts));
    let mut policy = Policy::new(settings, accounts);
    if let Some(limits) = rate_limits {
        policy = policy.with_limits(limits);
    }
    let site = Site {
        slice: slice(kind, admin),
        identity: ServerIdentity {
            name: "loopover".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: Some(INSTRUCTIONS.to_owned()),
        },
        provided,
        policy: Arc::new(policy),
        identify: Arc::new(ByCredential { authenticator, clock: clock.clone() }),
        registry,
        readiness,
        clock,
    };
    serve_site(site, listening, announce)
}

/// Asks the deployment's accounts, on a thread that may block.
struct ByCredential {
    authenticator: Authenticator,
    clock: Clock,
}

impl Identify for ByCredential {
    fn identify(&self, authorization: Option<&str>) -> BoxFuture<Result<Caller, Unidentified>> {
        let Some(authorization) = authorization.map(str::to_owned) else {
            return Box::pin(std::future::ready(Ok(Caller::anonymous())));
        };
        let (authenticator, now) = (self.authenticator.clone(), self.clock.now());
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || authenticator.identify(Some(&authorization), now)).await;
            match asked {
                Ok(Ok(caller)) => Ok(caller),
                Ok(Err(Refusal::WrongCredential)) => Err(Unidentified::WrongCredential),
                Ok(Err(Refusal::Unavailable(reason))) => Err(unavailable(reason.as_str())),
                Err(_) => Err(unavailable("unknown")),
            }
        })
    }
}

/// No tool is called then, so nothing else would tell the operator.
fn unavailable(reason: &'static str) -> Unidentified {
    tracing::warn!(target: log::TARGET, reason, "who asks cannot be found out");
    Unidentified::Unavailable(reason)
}
