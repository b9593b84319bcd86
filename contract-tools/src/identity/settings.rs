//! What a deployment says about its callers, read once when it starts.

use super::lists::{Allowlist, Operators};
use super::secret::TokenHash;
use super::who::StaticActor;

/// The deployment's own tokens, who runs it, and what shared tokens reach.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    tokens: Vec<(StaticActor, TokenHash)>,
    pub(super) operators: Operators,
    pub(super) readable: Allowlist,
}

impl Settings {
    /// Reads an environment, in which the files of secrets are in place already. Only hashes of secrets are kept.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| variable(name).unwrap_or_default();
        let token = |actor: StaticActor| Some((actor, TokenHash::of_configured(&text(actor.variable()))?));
        Self {
            tokens: StaticActor::ALL.into_iter().filter_map(token).collect(),
            operators: Operators::new(&text("ADMIN_GITHUB_IDS"), &text("ADMIN_GITHUB_LOGINS")),
            readable: Allowlist::new(&text("MCP_READ_REPO_ALLOWLIST")),
        }
    }

    /// Whose token this is. Every configured one is compared, so that the time tells nothing.
    pub(super) fn holder(&self, presented: &TokenHash) -> Option<StaticActor> {
        let mut holders: Vec<StaticActor> =
            self.tokens.iter().filter(|(_, token)| token == presented).map(|(actor, _)| *actor).collect();
        holders.reverse();
        holders.pop()
    }
}
