//! From the header of a request to who is calling.

use std::sync::Arc;
use std::time::SystemTime;

use contract_core::Caller;

use super::accounts::{Accounts, AccountsUnavailable, StoredSession};
use super::bearer::bearer_token;
use super::secret::TokenHash;
use super::settings::Settings;
use super::who::{Identity, SessionIdentity};
use crate::forge::ForgeReason;

/// Why a request is answered before anything in it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is a credential and it stands for nobody: 401, whatever is wrong with it.
    WrongCredential,
    /// Whether it stands for somebody cannot be found out now, since the store cannot be used for this reason: 503.
    Unavailable(ForgeReason),
}

/// Finds out who is calling.
#[derive(Clone)]
pub struct Authenticator {
    settings: Arc<Settings>,
    accounts: Arc<dyn Accounts>,
}

impl Authenticator {
    /// Over these tokens and these sessions.
    pub fn new(settings: Arc<Settings>, accounts: Arc<dyn Accounts>) -> Self {
        Self { settings, accounts }
    }

    /// Who sent a request with this `Authorization` header; without one it is an anonymous caller. May block its thread.
    ///
    /// # Errors
    /// When there is a header and it does not stand for anybody, or the store cannot be asked.
    pub fn identify(&self, authorization: Option<&str>, now: SystemTime) -> Result<Caller, Refusal> {
        let Some(authorization) = authorization else { return Ok(Caller::anonymous()) };
        let token = bearer_token(authorization).ok_or(Refusal::WrongCredential)?;
        self.identity(token, now).map(Caller::authenticated)
    }

    /// Who holds this token.
    ///
    /// # Errors
    /// As [`Authenticator::identify`].
    pub fn identity(&self, token: &str, now: SystemTime) -> Result<Identity, Refusal> {
        let hash = TokenHash::of(token);
        if let Some(actor) = self.settings.holder(&hash) {
            return Ok(Identity::Static(actor));
        }
        let unavailable = |unavailable: AccountsUnavailable| Refusal::Unavailable(unavailable.reason);
        let stored = self.accounts.session(&hash).map_err(unavailable)?.ok_or(Refusal::WrongCredential)?;
        if stored.is_revoked || stored.expires_at.is_none_or(|end| end <= now) {
            return Err(Refusal::WrongCredential);
        }
        let is_operator = self.settings.operators.include(&stored.login, stored.user_id);
        let is_maintainer = is_operator || self.accounts.maintains_any(&stored.login).map_err(unavailable)?;
        let StoredSession { id, login, user_id, expires_at: _, is_revoked: _ } = stored;
        Ok(Identity::Session(SessionIdentity { id, login, user_id, is_operator, is_maintainer }))
    }
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::super::policy::tests::People;
    use super::super::{SessionToken, StaticActor};
    use super::*;

    const NOW: SystemTime = UNIX_EPOCH;

    fn authenticator(variables: &'static [(&str, &str)], people: People) -> Authenticator {
        let find = |name: &str| variables.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        Authenticator::new(Arc::new(Settings::from_environment(find)), Arc::new(people))
    }

    #[test]
    fn no_header_is_anonymous_and_a_wrong_one_is_nobody() {
        let authenticator =
            authenticator(&[("LOOPOVER_API_TOKEN", " a\n"), ("LOOPOVER_MCP_TOKEN", " ")], People::default());
        assert!(authenticator.identify(None, NOW).unwrap().is_anonymous());
        let caller = authenticator.identify(Some("bearer a"), NOW).unwrap();
        assert_eq!(caller.identity(), Some(&Identity::Static(StaticActor::Api)));
        for header in ["", "Bearer", "Bearer  ", "Bearer b", "Basic a", "a", "Bearer A"] {
            let refused = authenticator.identify(Some(header), NOW).unwrap_err();
            assert_eq!(refused, Refusal::WrongCredential, "{header:?}");
        }
    }

    #[test]
    fn equal_secrets_are_the_first_of_them() {
        let same = authenticator(&[("LOOPOVER_MCP_TOKEN", "s"), ("LOOPOVER_MCP_ADMIN_TOKEN", "s")], People::default());
        assert_eq!(same.identity("s", NOW), Ok(Identity::Static(StaticActor::McpAdmin)));
    }

    #[test]
    fn a_session_counts_until_its_end_and_says_who_it_is() {
        let token = SessionToken::generate().unwrap();
        let session = StoredSession {
            id: "7".to_owned(),
            login: "Octo".to_owned(),
            user_id: Some(42),
            expires_at: Some(NOW + Duration::from_secs(1)),
            is_revoked: false,
        };
        let identify = |session: StoredSession, people: People, at: u64| {
            let authenticator = authenticator(&[("ADMIN_GITHUB_IDS", "9")], people.with_session(&token, session));
            authenticator.identity(token.expose(), NOW + Duration::from_secs(at))
        };
        let Ok(Identity::Session(octo)) = identify(session.clone(), People::maintaining("octo", "acme/widgets"), 0)
        else {
            panic!("a session")
        };
        assert!(octo.login == "Octo" && octo.is_maintainer && !octo.is_operator);
        let operator = StoredSession { user_id: Some(9), ..session.clone() };
        let Ok(Identity::Session(operator)) = identify(operator, People::default(), 0) else { panic!("a session") };
        assert!(operator.is_operator && operator.is_maintainer);
        let ended = StoredSession { is_revoked: true, ..session.clone() };
        let endless = StoredSession { expires_at: None, ..session.clone() };
        for (session, at) in [(session.clone(), 1), (ended, 0), (endless, 0)] {
            assert_eq!(identify(session, People::default(), at), Err(Refusal::WrongCredential));
        }
        assert_eq!(identify(session, People::unavailable(), 0), Err(Refusal::Unavailable(ForgeReason::Corrupt)));
    }

    #[test]
    fn nothing_prints_a_secret() {
        let authenticator = authenticator(&[("LOOPOVER_API_TOKEN", "hush-hush")], People::default());
        let caller = authenticator.identify(Some("Bearer hush-hush"), NOW).unwrap();
        assert!(!format!("{authenticator:?} {caller:?}").contains("hush"));
    }
}
