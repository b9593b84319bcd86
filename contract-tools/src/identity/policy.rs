//! The rules about who may call what. What no rule here allows is denied.

use std::sync::Arc;

use contract_core::{Auth, Authorize, BoxFuture, Caller, Decision, ErrorCode, ToolDefinition};
use serde_json::{Map, Value};

use super::accounts::{Accounts, AccountsUnavailable};
use super::limits::{Limit, RateLimits, limit_of};
use super::lists::Allowlist;
use super::scope::Scope;
use super::settings::Settings;
use super::who::{Identity, StaticActor};

/// Judges callers that an [`Authenticator`](super::Authenticator) found.
#[derive(Clone)]
pub struct Policy {
    settings: Arc<Settings>,
    accounts: Arc<dyn Accounts>,
    limits: Option<Arc<RateLimits>>,
}

/// Which of the repositories an identity may ask about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach<'policy> {
    /// Every one, and every contributor.
    Everything,
    /// Those on a list.
    Listed(&'policy Allowlist),
    /// Every one, and of contributors oneself.
    Operator,
    /// Those that one maintains, and of contributors oneself.
    Maintained,
    /// None.
    Nothing,
}

impl Policy {
    /// Over the same settings and accounts as the authenticator.
    pub fn new(settings: Arc<Settings>, accounts: Arc<dyn Accounts>) -> Self {
        Self { settings, accounts, limits: None }
    }

    /// Counts calls, and lets none on past the limit of its tool.
    #[must_use]
    pub fn with_limits(mut self, limits: RateLimits) -> Self {
        self.limits = Some(Arc::new(limits));
        self
    }

    /// Whether this identity may see and enter tools of this level.
    pub fn admits(&self, identity: Option<&Identity>, level: Auth) -> bool {
        use StaticActor::{Api, Internal, Mcp, McpAdmin};
        let Some(identity) = identity else { return level == Auth::Public };
        match (level, identity) {
            (Auth::Public, _)
            | (Auth::Token, Identity::Static(Api | Mcp | Internal) | Identity::Session(_))
            | (Auth::Session, Identity::Session(_))
            | (Auth::Maintainer | Auth::Operator | Auth::Internal, Identity::Static(Api))
            | (Auth::McpAdmin, Identity::Static(McpAdmin))
            | (Auth::Internal, Identity::Static(Internal)) => true,
            (Auth::Maintainer, Identity::Static(Mcp)) => !self.settings.readable.is_empty(),
            (Auth::Maintainer, Identity::Session(session)) => session.is_maintainer || session.is_operator,
            (Auth::Operator, Identity::Session(session)) => session.is_operator,
            (_, _) => false,
        }
    }

    /// Which repositories this identity may ask about.
    pub fn reach(&self, identity: Option<&Identity>) -> Reach<'_> {
        match identity {
            Some(Identity::Static(StaticActor::Api | StaticActor::Internal)) => Reach::Everything,
            Some(Identity::Static(StaticActor::Mcp)) if self.settings.readable.is_everything() => Reach::Everything,
            Some(Identity::Static(StaticActor::Mcp)) => Reach::Listed(&self.settings.readable),
            Some(Identity::Session(session)) if session.is_operator => Reach::Operator,
            Some(Identity::Session(_)) => Reach::Maintained,
            Some(Identity::Static(StaticActor::McpAdmin)) | None => Reach::Nothing,
        }
    }

    /// Whether this identity may ask about a repository, `owner/repo`. May block its thread.
    ///
    /// # Errors
    /// When the store has to be asked and cannot be.
    pub fn reaches_repository(
        &self,
        identity: Option<&Identity>,
        repository: &str,
    ) -> Result<bool, AccountsUnavailable> {
        match (self.reach(identity), identity) {
            (Reach::Everything | Reach::Operator, _) => Ok(true),
            (Reach::Listed(list), _) => Ok(list.includes(repository)),
            (Reach::Maintained, Some(Identity::Session(session))) => {
                self.accounts.maintains(&session.login, repository)
            }
            (Reach::Maintained | Reach::Nothing, _) => Ok(false),
        }
    }

    /// Whether this identity may ask about a contributor.
    pub fn reaches_login(&self, identity: Option<&Identity>, login: &str) -> bool {
        match (self.reach(identity), identity) {
            (Reach::Everything, _) => true,
            (_, Some(Identity::Session(session))) => session.login.to_lowercase() == login.to_lowercase(),
            (_, _) => false,
        }
    }

    /// The scope, for an identity that the level let in.
    fn within(&self, identity: Option<&Identity>, asked: &Asked) -> Decision {
        if asked.login.as_deref().is_some_and(|login| !self.reaches_login(identity, login)) {
            return Decision::Deny(match identity {
                Some(Identity::Session(_)) => {
                    "`login` must be your own login: a session asks about nobody else".to_owned()
                }
                Some(identity) => format!(
                    "{identity} stands for nobody, so it asks about no contributor; ask with the session of that login, or \
                     with the API's token"
                ),
                None => "a contributor asks about themselves, by a session; send its token".to_owned(),
            });
        }
        if let Some(repository) = &asked.repository {
            return match self.reaches_repository(identity, repository) {
                Ok(true) => Decision::Allow,
                Ok(false) => Decision::Deny(
                    "this credential does not reach that repository; name one that you maintain, or ask the server's \
                     operator for access"
                        .to_owned(),
                ),
                Err(AccountsUnavailable { reason }) => Decision::Fail(
                    ErrorCode::StoreUnavailable,
                    format!(
                        "whether this credential reaches that repository cannot be found out now, since the store cannot be \
                         used ({reason}); try again later"
                    ),
                ),
            };
        }
        if asked.login.is_some() || matches!(self.reach(identity), Reach::Everything | Reach::Operator) {
            return Decision::Allow;
        }
        Decision::Deny(
            "this call names no repository and no login that this credential could be held against".to_owned(),
        )
    }
}

/// Which credential opens a level, in words for somebody who has none.
fn opens(level: Auth) -> &'static str {
    match level {
        Auth::Public | Auth::Token => "a credential of this server, such as a session that its operator makes",
        Auth::Session => "a session, which the server's operator makes",
        Auth::Maintainer => "a session of somebody who maintains a repository here, which the server's operator makes",
        Auth::Operator => "the session of an operator of this server",
        Auth::Internal => "the credential of this server's own jobs",
        Auth::McpAdmin => "the credential of this server's administrator, which no session is",
    }
}

/// What a call asks about, taken out of its arguments.
struct Asked {
    repository: Option<String>,
    login: Option<String>,
}

impl Authorize for Policy {
    fn level(&self, caller: &Caller, tool: &ToolDefinition) -> Decision {
        let identity = caller.identity::<Identity>();
        if self.admits(identity, tool.auth()) {
            return Decision::Allow;
        }
        let (name, level) = (tool.name(), tool.auth());
        Decision::Deny(match identity {
            Some(identity) => format!("`{name}` is for level `{level}`, and {identity} does not open that"),
            None => format!("`{name}` needs {}; send its token as `Authorization: Bearer TOKEN`", opens(level)),
        })
    }

    fn admit(&self, caller: &Caller, tool: &ToolDefinition) -> Decision {
        let (Some(limits), Some(limit)) = (&self.limits, limit_of(tool)) else { return Decision::Allow };
        let Err(wait) = limits.count(caller.identity(), tool.name(), limit) else { return Decision::Allow };
        let Limit { calls, within } = limit;
        // Rounded up: who waits as long as it says gets on.
        let seconds = wait.as_millis().div_ceil(1000).max(1);
        let message = format!(
            "`{}` takes {calls} calls in {} seconds from one caller; wait {seconds} seconds",
            tool.name(),
            within.as_secs()
        );
        Decision::Fail(ErrorCode::RateLimited, message)
    }

    fn scope(&self, caller: &Caller, tool: &ToolDefinition, arguments: &Map<String, Value>) -> BoxFuture<Decision> {
        if !Scope::is_owed_by(tool) {
            return Box::pin(std::future::ready(Decision::Allow));
        }
        let scope = Scope::of(tool);
        let asked = Asked { repository: scope.repository(arguments), login: scope.login(arguments).map(str::to_owned) };
        let identity = caller.identity::<Identity>().cloned();
        let policy = self.clone();
        Box::pin(async move {
            let judged = tokio::task::spawn_blocking(move || policy.within(identity.as_ref(), &asked)).await;
            judged.unwrap_or_else(|_| {
                Decision::Deny("the server could not judge this call; tell its operator".to_owned())
            })
        })
    }
}

impl std::fmt::Debug for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Policy").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(super) mod tests;
