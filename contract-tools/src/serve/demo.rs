//! A deployment that needs nothing: an invented repository in a store of its own, and one session to ask about it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::forge::{self, NewSession, SharedForge};
use crate::identity::{SESSION_LIFETIME, SessionToken, Settings};
use crate::scratch::{Kind, Scratch};

pub use crate::forge::demo::REPOSITORY;

const STORE: &str = "forge.sqlite3";

/// Where such stores lie: a process that is killed leaves its own, and the next one clears it.
const STORES: Kind = Kind {
    prefix: "loopover-demo-",
    holds: &[STORE, "forge.sqlite3-wal", "forge.sqlite3-shm", "forge.sqlite3-journal"],
};

/// Who asks.
const LOGIN: &str = "demo";

/// The store is gone when this is dropped.
pub struct Demo {
    forge: SharedForge,
    token: SessionToken,
    _directory: Scratch,
}

impl Demo {
    /// Fills a fresh store as of `now`, the way `import` does.
    ///
    /// # Errors
    /// When there is no place for it, or no randomness for its token.
    pub fn new(now: SystemTime) -> Result<Self, String> {
        STORES.sweep(&std::env::temp_dir());
        let directory = STORES.make();
        let directory = directory.map_err(|error| format!("there is no place for a temporary store: {error}"))?;
        let token =
            SessionToken::generate().map_err(|_| "this machine has no randomness to make a token of".to_owned())?;
        let path = directory.path().join(STORE);
        let writer = forge::open(&path).map_err(|error| error.to_string())?;
        forge::demo::fill(&*writer, now.into()).map_err(|error| error.to_string())?;
        let session = NewSession {
            token: (&token.hash()).into(),
            login: LOGIN.to_owned(),
            github_id: None,
            created_at: milliseconds(now),
            expires_at: milliseconds(now + SESSION_LIFETIME),
        };
        writer.create_session(&session).map_err(|error| error.to_string())?;
        Ok(Self { forge: forge::reading(&path), token, _directory: directory })
    }

    /// The store.
    pub fn forge(&self) -> SharedForge {
        self.forge.clone()
    }

    /// The session's token, to be shown once.
    pub fn token(&self) -> &str {
        self.token.expose()
    }
}

/// Whoever asks runs the deployment, and nobody else has a token, whatever the environment says.
pub fn settings() -> Settings {
    Settings::from_environment(|name| (name == "ADMIN_GITHUB_LOGINS").then(|| LOGIN.to_owned()))
}

fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
