//! `loopover session`: who may ask the server, made and ended on the machine that keeps its store.

use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};
use clap::{ArgGroup, Subcommand, ValueEnum};
use contract_core::Clock;
use serde_json::{Value, json};

use super::store::Store;
use super::{Failure, Output, complain};
use crate::forge::{NewSession, Session, WritableForge};
use crate::identity::{SESSION_LIFETIME, SessionToken};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a session and print its token, which is shown this once
    Create {
        /// Login of whom it is for
        #[arg(value_parser = login)]
        login: String,
        /// The number of their GitHub account, by which operators are known
        #[arg(long, value_name = "NUMBER")]
        user_id: Option<u64>,
        /// For how many days it counts
        #[arg(long, value_name = "DAYS", default_value_t = SESSION_LIFETIME.as_secs() / DAY, value_parser = clap::value_parser!(u64).range(1..=365))]
        days: u64,
        #[command(flatten)]
        store: Store,
    },
    /// List sessions, newest first
    List {
        /// Only those of this login
        #[arg(long, value_parser = login)]
        login: Option<String>,
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        #[command(flatten)]
        store: Store,
    },
    /// End a session, or all of a login
    #[command(group = ArgGroup::new("whom").required(true).args(["session", "login"]))]
    Revoke {
        /// Number of the session, as `session list` shows it
        #[arg(value_parser = number)]
        session: Option<i64>,
        /// End all sessions of this login
        #[arg(long, value_parser = login)]
        login: Option<String>,
        #[command(flatten)]
        store: Store,
    },
}

/// How sessions are printed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// A line each
    Text,
    /// JSON
    Json,
}

const DAY: u64 = 24 * 60 * 60;

/// The longest login that a GitHub account, or its app, can have.
const LONGEST_LOGIN: usize = 100;

fn login(text: &str) -> Result<String, &'static str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'[' | b']');
    if text.is_empty() || text.len() > LONGEST_LOGIN || !text.bytes().all(is_allowed) {
        return Err("a login has letters, digits and `-`");
    }
    Ok(text.to_owned())
}

fn number(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "a session has a number, which `session list` shows; `--login LOGIN` ends all of a login")
}

pub(crate) fn run(command: Command, clock: &Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let now = milliseconds(clock.now());
    match command {
        Command::Create { login, user_id, days, store } => {
            let token = SessionToken::generate()
                .map_err(|_| Failure::Failed("this machine has no randomness to make a token of".to_owned()))?;
            let lifetime = milliseconds(UNIX_EPOCH + Duration::from_secs(days * DAY));
            let session = NewSession {
                token: (&token.hash()).into(),
                login,
                github_id: user_id,
                created_at: now,
                expires_at: now.saturating_add(lifetime),
            };
            let id = store.open()?.create_session(&session)?;
            complain(&format!(
                "session {id} of {} counts until {}; its token is shown this once",
                session.login,
                shown(session.expires_at)
            ));
            output.text(token.expose()).map_err(Failure::from)
        }
        Command::List { login, format, store } => {
            let sessions = match store.existing()? {
                Some(forge) => forge.read(|reader| reader.sessions(login.as_deref()))?,
                None => Vec::new(),
            };
            match format {
                Format::Text => output.text(&lines(&sessions, now))?,
                Format::Json => output.json(&Value::Array(sessions.iter().map(|it| to_json(it, now)).collect()))?,
            }
            Ok(())
        }
        Command::Revoke { session, login, store } => {
            let Some(forge) = store.open_existing()? else {
                return Err(Failure::Failed("there is no store, and so no session".to_owned()));
            };
            revoke(&forge, session, login.as_deref(), now)
        }
    }
}

fn revoke(forge: &WritableForge, session: Option<i64>, login: Option<&str>, now: i64) -> Result<(), Failure> {
    let (ended, none) = match (session, login) {
        (Some(id), _) => (u64::from(forge.revoke_session(id, now)?), format!("no session {id} goes on")),
        (None, Some(login)) => (forge.revoke_sessions_of(login, now)?, format!("no session of {login} goes on")),
        (None, None) => return Err(Failure::Usage("say which session, or whose with `--login`".to_owned())),
    };
    if ended == 0 {
        return Err(Failure::Failed(format!("{none}; `loopover session list` shows those that do")));
    }
    complain(&format!("{ended} session{} ended", if ended == 1 { "" } else { "s" }));
    Ok(())
}

fn state(session: &Session, now: i64) -> &'static str {
    match session.revoked_at {
        Some(_) => "revoked",
        None if session.is_valid(now) => "valid",
        None => "expired",
    }
}

fn lines(sessions: &[Session], now: i64) -> String {
    if sessions.is_empty() {
        return "there are no sessions".to_owned();
    }
    let line = |it: &Session| {
        format!(
            "{}\t{}\t{}\tuntil {}\n",
            it.id,
            it.login,
            state(it, now),
            shown(it.revoked_at.unwrap_or(it.expires_at))
        )
    };
    sessions.iter().map(line).collect()
}

fn to_json(session: &Session, now: i64) -> Value {
    json!({
        "id": session.id,
        "login": session.login,
        "userId": session.github_id,
        "state": state(session, now),
        "createdAt": shown(session.created_at),
        "expiresAt": shown(session.expires_at),
        "revokedAt": session.revoked_at.map(shown),
    })
}

fn milliseconds(moment: SystemTime) -> i64 {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn shown(milliseconds: i64) -> String {
    DateTime::<Utc>::from_timestamp_millis(milliseconds).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}
