//! The store as a SQLite file: one writer at a time, as many readers as there are, each with what was committed when it
//! began.

mod error;
mod open;
mod query;
mod read;
mod sessions;
mod write;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, TransactionBehavior};

use super::{Applied, Change, Forge, ForgeError, ForgeReader, NewSession, Session, TokenHash};
use error::fault;
use read::Snapshot;

/// Connections that are kept open while nobody uses them.
const MOST_IDLE: usize = 8;

/// A store in one file.
pub(super) struct SqliteForge {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl SqliteForge {
    pub(super) fn open(path: &Path) -> Result<Self, ForgeError> {
        open::make_file(path)?;
        Self::of_file(path)
    }

    pub(super) fn open_existing(path: &Path) -> Result<Option<Self>, ForgeError> {
        if open::is_there(path)? { Self::of_file(path).map(Some) } else { Ok(None) }
    }

    fn of_file(path: &Path) -> Result<Self, ForgeError> {
        let mut first = open::connect(path)?;
        open::bring_up_to_date(&mut first)?;
        Ok(Self { path: path.to_owned(), idle: Mutex::new(vec![first]) })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Result<Connection, ForgeError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| open::connect(&self.path), Ok)
    }

    /// Takes a connection back; one with an open transaction is closed, which ends that.
    fn give_back(&self, connection: Connection) {
        let mut idle = self.idle();
        if connection.is_autocommit() && idle.len() < MOST_IDLE {
            idle.push(connection);
        }
    }

    /// Lends a connection for one transaction that may write.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ForgeError> {
        let mut connection = self.take()?;
        let done = (|| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        self.give_back(connection);
        done.map_err(fault)
    }
}

impl fmt::Debug for SqliteForge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteForge").finish_non_exhaustive()
    }
}

impl Forge for SqliteForge {
    fn read(&self) -> Result<Box<dyn ForgeReader + '_>, ForgeError> {
        Ok(Box::new(Snapshot::begin(self)?))
    }

    fn apply(&self, changes: &[Change]) -> Result<Applied, ForgeError> {
        self.write(|connection| write::apply(connection, changes))
    }

    fn create_session(&self, session: &NewSession) -> Result<i64, ForgeError> {
        self.write(|connection| sessions::create(connection, session))
    }

    fn find_session(&self, token: &TokenHash) -> Result<Option<Session>, ForgeError> {
        let snapshot = Snapshot::begin(self)?;
        sessions::find(snapshot.connection(), token).map_err(fault)
    }

    fn sessions(&self, login: Option<&str>) -> Result<Vec<Session>, ForgeError> {
        let snapshot = Snapshot::begin(self)?;
        sessions::list(snapshot.connection(), login).map_err(fault)
    }

    fn revoke_session(&self, id: i64, at: i64) -> Result<bool, ForgeError> {
        self.write(|connection| sessions::revoke(connection, id, at))
    }

    fn revoke_sessions_of(&self, login: &str, at: i64) -> Result<u64, ForgeError> {
        self.write(|connection| sessions::revoke_of(connection, login, at))
    }

    fn forget_sessions(&self, before: i64) -> Result<u64, ForgeError> {
        self.write(|connection| sessions::forget(connection, before))
    }
}
