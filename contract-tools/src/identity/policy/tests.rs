//! The truth table of levels and the reach of each identity, spelled out.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract_core::Auth;

use super::super::{SessionIdentity, SessionToken, StoredSession, TokenHash};
use super::*;
use crate::forge::ForgeReason;

/// Accounts in memory.
#[derive(Default)]
pub(in super::super) struct People {
    sessions: BTreeMap<String, StoredSession>,
    maintainers: Vec<(&'static str, &'static str)>,
    is_unavailable: bool,
}

impl People {
    pub(in super::super) fn maintaining(login: &'static str, repository: &'static str) -> Self {
        Self { maintainers: vec![(login, repository)], ..Self::default() }
    }

    pub(in super::super) fn unavailable() -> Self {
        Self { is_unavailable: true, ..Self::default() }
    }

    pub(in super::super) fn with_session(mut self, token: &SessionToken, session: StoredSession) -> Self {
        self.sessions.insert(token.hash().to_hex(), session);
        self
    }

    fn ask<T>(&self, answer: T) -> Result<T, AccountsUnavailable> {
        if self.is_unavailable { Err(AccountsUnavailable { reason: ForgeReason::Corrupt }) } else { Ok(answer) }
    }
}

impl Accounts for People {
    fn session(&self, token: &TokenHash) -> Result<Option<StoredSession>, AccountsUnavailable> {
        self.ask(self.sessions.get(&token.to_hex()).cloned())
    }

    fn maintains(&self, login: &str, repository: &str) -> Result<bool, AccountsUnavailable> {
        let is_it = |(name, it): &(&str, &str)| name.eq_ignore_ascii_case(login) && it.eq_ignore_ascii_case(repository);
        self.ask(self.maintainers.iter().any(is_it))
    }

    fn maintains_any(&self, login: &str) -> Result<bool, AccountsUnavailable> {
        self.ask(self.maintainers.iter().any(|(name, _)| name.eq_ignore_ascii_case(login)))
    }
}

fn session(login: &str, is_operator: bool, is_maintainer: bool) -> Identity {
    let login = login.to_owned();
    Identity::Session(SessionIdentity { id: "1".to_owned(), login, user_id: None, is_operator, is_maintainer })
}

fn policy(readable: &'static str) -> Policy {
    let find = move |name: &str| (name == "MCP_READ_REPO_ALLOWLIST").then(|| readable.to_owned());
    Policy::new(Arc::new(Settings::from_environment(find)), Arc::new(People::maintaining("octo", "acme/widgets")))
}

#[test]
fn each_level_lets_in_whom_the_table_names() {
    let fixed = |actor| Some(Identity::Static(actor));
    let callers = [
        ("anonymous", None),
        ("api", fixed(StaticActor::Api)),
        ("mcp-admin", fixed(StaticActor::McpAdmin)),
        ("mcp", fixed(StaticActor::Mcp)),
        ("internal", fixed(StaticActor::Internal)),
        ("session", Some(session("hexa", false, false))),
        ("maintainer", Some(session("octo", false, true))),
        ("operator", Some(session("root", true, true))),
    ];
    let table = [
        (Auth::Public, "anonymous api mcp-admin mcp internal session maintainer operator"),
        (Auth::Token, "api mcp internal session maintainer operator"),
        (Auth::Session, "session maintainer operator"),
        (Auth::Maintainer, "api mcp maintainer operator"),
        (Auth::Operator, "api operator"),
        (Auth::McpAdmin, "mcp-admin"),
        (Auth::Internal, "api internal"),
    ];
    let policy = policy("acme/widgets");
    for (level, expected) in table {
        let let_in = callers.iter().filter(|(_, identity)| policy.admits(identity.as_ref(), level));
        let names: Vec<&str> = let_in.map(|(name, _)| *name).collect();
        assert_eq!(names.join(" "), expected, "{level}");
    }
    let nothing_readable = Policy::new(Arc::default(), Arc::new(People::default()));
    assert!(!nothing_readable.admits(fixed(StaticActor::Mcp).as_ref(), Auth::Maintainer));
}

#[test]
fn each_identity_reaches_what_is_its_own() {
    let reaches = |policy: &Policy, identity: &Identity, repository: &str, login: &str| {
        let repository = policy.reaches_repository(Some(identity), repository).unwrap();
        (repository, policy.reaches_login(Some(identity), login))
    };
    let some = policy("acme/widgets");
    for (identity, expected) in [
        (Identity::Static(StaticActor::Api), (true, true)),
        (Identity::Static(StaticActor::Internal), (true, true)),
        (Identity::Static(StaticActor::McpAdmin), (false, false)),
        (Identity::Static(StaticActor::Mcp), (true, false)),
        (session("OCTO", false, true), (true, true)),
        (session("hexa", false, false), (false, false)),
        (session("root", true, true), (true, false)),
    ] {
        assert_eq!(reaches(&some, &identity, "Acme/Widgets", "octo"), expected, "{identity:?}");
    }
    let mcp = Identity::Static(StaticActor::Mcp);
    assert_eq!(reaches(&policy("*"), &mcp, "any/thing", "anyone"), (true, true));
    assert_eq!(reaches(&some, &mcp, "acme/gears", "octo"), (false, false));
    assert_eq!(reaches(&some, &session("octo", false, true), "acme/gears", "octo"), (false, true));
    assert_eq!(some.reaches_repository(None, "acme/widgets"), Ok(false));
    assert!(!some.reaches_login(None, "octo"));
}

#[test]
fn a_call_is_judged_by_all_that_it_names() {
    let policy = policy("");
    let judged = |identity: &Identity, repository: Option<&str>, login: Option<&str>| {
        let asked = Asked { repository: repository.map(str::to_owned), login: login.map(str::to_owned) };
        policy.within(Some(identity), &asked) == Decision::Allow
    };
    let octo = session("octo", false, true);
    assert!(judged(&octo, Some("acme/widgets"), Some("Octo")) && judged(&octo, None, Some("octo")));
    assert!(!judged(&octo, Some("acme/widgets"), Some("hexa")) && !judged(&octo, Some("acme/gears"), Some("octo")));
    // What names nothing is open to those alone who reach everything.
    assert!(!judged(&octo, None, None) && judged(&session("root", true, true), None, None));
}

#[test]
fn each_caller_is_told_what_would_help_them() {
    let policy = policy("acme/widgets");
    let refused = |identity: Option<&Identity>| {
        let asked = Asked { repository: None, login: Some("kim".to_owned()) };
        match policy.within(identity, &asked) {
            Decision::Deny(message) => message,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(Some(&session("octo", false, true))).contains("your own login"));
    // A token has no login of its own.
    let token = refused(Some(&Identity::Static(StaticActor::Mcp)));
    assert!(token.contains("`mcp` token") && !token.contains("own login"), "{token}");
    for level in [Auth::McpAdmin, Auth::Internal] {
        assert!(!opens(level).contains("a session of"), "{level}");
    }
}

#[test]
fn a_store_that_cannot_be_asked_is_no_verdict() {
    let policy = Policy::new(Arc::default(), Arc::new(People::unavailable()));
    let asked = Asked { repository: Some("acme/widgets".to_owned()), login: None };
    let decision = policy.within(Some(&session("octo", false, true)), &asked);
    let Decision::Fail(ErrorCode::StoreUnavailable, message) = decision else { panic!("{decision:?}") };
    assert!(message.contains("corrupt"), "{message}");
}
