//! Who is calling and what that opens: the texts that a deployment writes, credentials, and the gates.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contract_core::Auth;
use contract_tests::vectors::Vector;
use contract_tools::identity::{
    Accounts, AccountsUnavailable, Allowlist, Authenticator, Identity, Operators, Policy, Reach, Settings, StaticActor,
    StoredSession, TokenHash, bearer_token, is_on, logins, same_secret, user_ids,
};
use serde_json::{Value, json};

use super::World;
use super::world::NOW;

/// The repository and the contributor that the gates are asked about.
const REPOSITORY: &str = "acme/widgets";
const CONTRIBUTOR: &str = "octo";

pub(crate) fn auth_primitives(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    Ok(if let Some(header) = input.get("authorization") {
        json!({ "token": header.as_str().and_then(bearer_token) })
    } else if input.get("actual").is_some() {
        json!({ "equal": same_secret(text("actual"), text("expected")) })
    } else if input.get("githubUserId").is_some() {
        let environment = environment(&input["env"])?;
        let list = |name: &str| environment.get(name).map(String::as_str).unwrap_or_default();
        let operators = Operators::new(list("ADMIN_GITHUB_IDS"), list("ADMIN_GITHUB_LOGINS"));
        json!({ "operator": operators.include(text("login"), input["githubUserId"].as_i64()) })
    } else if input.get("ADMIN_GITHUB_IDS").is_some() {
        json!({ "ids": user_ids(text("ADMIN_GITHUB_IDS")) })
    } else if input.get("ADMIN_GITHUB_LOGINS").is_some() {
        json!({ "logins": logins(text("ADMIN_GITHUB_LOGINS")) })
    } else if input.get("allowlist").is_some() {
        let list = Allowlist::new(text("allowlist"));
        let includes = list.includes(text("repo"));
        json!({ "read": includes, "actuate": includes, "unscoped": list.is_everything() })
    } else if input.get("LOOPOVER_PER_REPO_ADMIN").is_some() {
        json!({ "on": is_on(text("LOOPOVER_PER_REPO_ADMIN")) })
    } else {
        return Err("this asks for something that nothing here answers".to_owned());
    })
}

pub(crate) fn auth_identity(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    if vector.case == "session-touch" {
        // Accounts can be asked and have no way to be told that somebody was seen.
        return Ok(json!({ "touched": false }));
    }
    let accounts: Arc<dyn Accounts> = Arc::new(StatedSessions(stated(input["sessions"].as_str().unwrap_or_default())));
    let mut private = environment(&input["env"])?;
    // The original has two doors, and one of them knows this token alone.
    let internal = private.remove_entry(StaticActor::Internal.variable()).into_iter().collect();
    let token = input["token"].as_str().unwrap_or_default();
    let identify = |variables: BTreeMap<String, String>, accounts: &Arc<dyn Accounts>| {
        let authenticator = Authenticator::new(Arc::new(settings(variables)), Arc::clone(accounts));
        authenticator.identity(token, now()).ok().map(|identity| match identity {
            Identity::Static(actor) => json!({ "kind": "static", "actor": actor.as_str() }),
            Identity::Session(session) => {
                json!({ "kind": "session", "actor": session.login, "githubUserId": session.user_id })
            }
        })
    };
    let nobody: Arc<dyn Accounts> = Arc::new(StatedSessions(Vec::new()));
    Ok(json!({ "private": identify(private, &accounts), "internal": identify(internal, &nobody) }))
}

pub(crate) fn auth_gates(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let settings = settings(environment(&input["env"])?);
    let policy = Policy::new(Arc::new(settings), Arc::new(StatedSessions(Vec::new())));
    let actor = input["identity"]["actor"].as_str().unwrap_or_default();
    let actor = StaticActor::ALL.into_iter().find(|it| it.as_str() == actor).ok_or("an identity of another kind")?;
    let identity = Identity::Static(actor);
    let identity = Some(&identity);
    let allowed = match input["gate"].as_str().unwrap_or_default() {
        "requireContributorAccess" => policy.reaches_login(identity, CONTRIBUTOR),
        "requireRepoAccess" => policy.reaches_repository(identity, REPOSITORY).map_err(|_| "no store")?,
        "requireOperatorAccess" => matches!(policy.reach(identity), Reach::Everything | Reach::Operator),
        "requireOperator" => policy.admits(identity, Auth::Operator),
        "requireInternal" => policy.admits(identity, Auth::Internal),
        "requireMcpAdmin" => policy.admits(identity, Auth::McpAdmin),
        gate => return Err(format!("no gate `{gate}`")),
    };
    Ok(json!({ "allowed": allowed }))
}

fn environment(value: &Value) -> Result<BTreeMap<String, String>, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

fn settings(variables: BTreeMap<String, String>) -> Settings {
    Settings::from_environment(move |name| variables.get(name).cloned())
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW)
}

/// The sessions that a vector states in words: `s-live valid; s-expired past; …`.
fn stated(words: &str) -> Vec<(String, StoredSession)> {
    let session = |words: &str| {
        let (token, state) = words.trim().split_once(' ')?;
        let end = match state {
            "valid" | "revoked" => Some(now() + Duration::from_mins(1)),
            "past" => Some(now() - Duration::from_mins(1)),
            _ => None,
        };
        let session = StoredSession {
            id: token.to_owned(),
            login: "Octo".to_owned(),
            user_id: Some(42),
            expires_at: end,
            is_revoked: state == "revoked",
        };
        Some((token.to_owned(), session))
    };
    words.split(';').filter_map(session).collect()
}

struct StatedSessions(Vec<(String, StoredSession)>);

impl Accounts for StatedSessions {
    fn session(&self, token: &TokenHash) -> Result<Option<StoredSession>, AccountsUnavailable> {
        Ok(self.0.iter().find(|(it, _)| TokenHash::of(it) == *token).map(|(_, session)| session.clone()))
    }

    fn maintains(&self, _: &str, _: &str) -> Result<bool, AccountsUnavailable> {
        Ok(false)
    }

    fn maintains_any(&self, _: &str) -> Result<bool, AccountsUnavailable> {
        Ok(false)
    }
}
