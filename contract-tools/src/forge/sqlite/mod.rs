//! The store as a SQLite file: one writer at a time, as many readers as there are, each with what was committed when it
//! began. Who only reads has [`ReadOnlyForge`], which opens the file for each reading and leaves no trace; who writes has
//! [`SqliteForge`].

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
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::{Applied, Change, Forge, ForgeError, ForgeReader, ForgeReason, ForgeWriter, NewSession, Work};
use crate::database::{self, Limits};
use error::fault;
use open::Held;
use read::{Lent, Snapshot};

/// Connections that are kept open while nobody uses them.
const MOST_IDLE: usize = 8;

/// How long a reading may wait. The second is for a store that somebody made to journal in another way than we do.
const READING: Limits = Limits { patience: Duration::from_secs(2), holding_up: Duration::from_secs(4) };

/// A store in one file, to be read. Nothing is open between two readings.
pub(super) struct ReadOnlyForge {
    path: PathBuf,
}

impl ReadOnlyForge {
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }
}

impl fmt::Debug for ReadOnlyForge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOnlyForge").finish_non_exhaustive()
    }
}

impl Forge for ReadOnlyForge {
    fn lend(&self, work: &mut Work<'_>) -> Result<(), ForgeError> {
        let lent = database::read(&self.path, READING, |connection| {
            open::require_filled(connection)?;
            work(&Snapshot::of(connection))
        });
        lent?.unwrap_or_else(|| Err(ForgeError::new(ForgeReason::Missing)))
    }
}

/// A store in one file, to be written.
pub(super) struct SqliteForge {
    path: PathBuf,
    idle: Mutex<Vec<Held>>,
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
        let forge = Self { path: path.to_owned(), idle: Mutex::default() };
        forge.give_back(forge.take()?);
        Ok(forge)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Held>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection to the file that stands at the path now, whatever stood there before.
    fn take(&self) -> Result<Held, ForgeError> {
        let file = open::file_at(&self.path)?;
        {
            let mut idle = self.idle();
            idle.retain(|held| held.file == file);
            if let Some(held) = idle.pop() {
                return Ok(held);
            }
        }
        let mut held = open::connect(&self.path)?;
        open::bring_up_to_date(&mut held.connection)?;
        Ok(held)
    }

    /// Takes a connection back; one with an open transaction is closed, which ends that.
    fn give_back(&self, held: Held) {
        let mut idle = self.idle();
        if held.connection.is_autocommit() && idle.len() < MOST_IDLE {
            idle.push(held);
        }
    }

    /// Lends a connection for one transaction that may write.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ForgeError> {
        let mut held = self.take()?;
        let done = (|| {
            let transaction = held.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        self.give_back(held);
        done.map_err(fault)
    }
}

impl fmt::Debug for SqliteForge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteForge").finish_non_exhaustive()
    }
}

impl ForgeWriter for SqliteForge {
    fn read(&self) -> Result<Box<dyn ForgeReader + '_>, ForgeError> {
        Ok(Box::new(Snapshot::of(Lent::by(self)?)))
    }

    fn apply(&self, changes: &[Change]) -> Result<Applied, ForgeError> {
        self.write(|connection| write::apply(connection, changes))
    }

    fn create_session(&self, session: &NewSession) -> Result<i64, ForgeError> {
        self.write(|connection| sessions::create(connection, session))
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
