//! Opening: what stands at the path is looked at before SQLite is, versions before anything else.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::error::fault;
use crate::database::{FileId, Place};
use crate::forge::{ForgeError, ForgeReason};

/// How long another writer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Statements that a connection keeps ready.
const STATEMENTS: usize = 128;

/// What marks a database file as this program's: `LOOP` in ASCII.
const APPLICATION: i64 = 0x4C4F_4F50;

/// What brings a store from each version to the next; the first makes one.
const MIGRATIONS: [&str; 1] = [include_str!("schema-1.sql")];

/// The newest version.
const VERSION: i64 = 1;

const _: () = assert!(VERSION.unsigned_abs() == MIGRATIONS.len() as u64, "a version is one migration");

/// Whether a file is there.
pub(super) fn is_there(path: &Path) -> Result<bool, ForgeError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(ForgeError::new(ForgeReason::NotAFile)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A link to nothing is something.
            if fs::symlink_metadata(path).is_ok() { Err(ForgeError::new(ForgeReason::NotAFile)) } else { Ok(false) }
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(ForgeError::new(ForgeReason::NotAFile)),
        Err(_) => Err(ForgeError::new(ForgeReason::Unreadable)),
    }
}

/// Makes the file and its directories when they are not there, for their owner alone.
pub(super) fn make_file(path: &Path) -> Result<(), ForgeError> {
    if is_there(path)? {
        return Ok(());
    }
    let failed = |error: std::io::Error| {
        ForgeError::new(match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ForgeReason::Full,
            ErrorKind::NotADirectory | ErrorKind::AlreadyExists => ForgeReason::NotAFile,
            _ => ForgeReason::Unreadable,
        })
    };
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    }
    // Somebody else may make it at the same time, which is as good.
    OpenOptions::new().append(true).create(true).mode(0o600).open(path).map(drop).map_err(failed)
}

/// A connection that writes, and which file it writes.
pub(super) struct Held {
    pub(super) connection: Connection,
    pub(super) file: FileId,
}

/// Which file stands at the path now.
pub(super) fn file_at(path: &Path) -> Result<FileId, ForgeError> {
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(ForgeError::new(ForgeReason::Missing)),
        Err(_) => Err(ForgeError::new(ForgeReason::Unreadable)),
    }
}

pub(super) fn connect(path: &Path) -> Result<Held, ForgeError> {
    // SQLite would wait for whoever writes into a pipe that is called as its own files are.
    if let Some(place) = Place::look(path)? {
        place.align_modes();
    }
    let file = file_at(path)?;
    Ok(Held { connection: connection(path)?, file })
}

fn connection(path: &Path) -> Result<Connection, ForgeError> {
    // Not to be taken for an address: a path that starts with `file:` is a path.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(fault)?;
    let prepare = || {
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        // A commit is on the device before it is said to be done.
        connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
    };
    prepare().map_err(fault)?;
    Ok(connection)
}

/// Makes the tables, or brings older ones up to date.
pub(super) fn bring_up_to_date(connection: &mut Connection) -> Result<(), ForgeError> {
    // Whatever closes this connection must leave a store alone that turns out not to be ours.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fault)?;
    if found_version(connection)? < VERSION {
        // Kept in the file: every later connection writes ahead, so that readers and the writer do not wait for each other.
        connection.execute_batch("PRAGMA journal_mode = WAL").map_err(fault)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault)?;
        // Looked at again, since another process may have been faster.
        let found = found_version(&transaction)?;
        let first = usize::try_from(found).map_err(|_| ForgeError::new(ForgeReason::WrongSchema))?;
        for migration in MIGRATIONS.iter().skip(first) {
            transaction.execute_batch(migration).map_err(fault)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(fault)?;
        transaction.pragma_update(None, "user_version", VERSION).map_err(fault)?;
        transaction.commit().map_err(fault)?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map(drop).map_err(fault)
}

/// Whether the database is a store that can be read. One that nobody has filled yet is none.
pub(super) fn require_filled(connection: &Connection) -> Result<(), ForgeError> {
    // There is one version so far; a reader of several will ask whoever writes to bring an older one up to date.
    const _: () = assert!(VERSION == 1, "say here which older versions can be read as they are");
    if found_version(connection)? == 0 { Err(ForgeError::new(ForgeReason::Missing)) } else { Ok(()) }
}

/// The version of a store that may be used, 0 for an empty file.
fn found_version(connection: &Connection) -> Result<i64, ForgeError> {
    let number = |pragma| connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).map_err(fault);
    let version = number("PRAGMA user_version")?;
    match number("PRAGMA application_id")? {
        APPLICATION if version > VERSION => Err(ForgeError::too_new(version, VERSION)),
        APPLICATION if version > 0 => Ok(version),
        0 if version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0 => Ok(0),
        _ => Err(ForgeError::new(ForgeReason::WrongSchema)),
    }
}
