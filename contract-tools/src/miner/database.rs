//! Opens a store without leaving a trace, and reads it in one transaction that ends before the answer is made.
//!
//! How it is opened depends on how its writer journals (each line measured, see `tests/it/miner/`):
//!
//! | found | opened with | because |
//! | --- | --- | --- |
//! | a rollback journal's file | `mode=ro` | the shared lock of one short read is all that its writer may notice |
//! | a log with something in it | `mode=ro&readonly_shm=1` | sees what is committed; without the second word the index would be written |
//! | a write-ahead store at rest | `immutable=1` | anything else creates the log and its index, or fails where it may not |
//!
//! The file is pinned first (`pin`), so what was found stays so: no writer takes the log away between the look and the
//! reading. `immutable=1` takes no lock and heeds no log, so such a reading counts only when the file is afterwards what it
//! was before, and the clock had gone on since it was written; otherwise it is done again. One limit remains: when root
//! reads, SQLite sets the owner of what stands beside a store to the owner that it has, which is seen in the time of that
//! change (ctime) and in nothing else.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::{StoreError, StoreReason};
use super::home::MinerHome;
use super::pin::{Journal, NoHeader, NoPin, Pin};
use super::place::{CLOCK_GRAIN, Place};
use super::stores::Store;

/// How long two things may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Waiting for a store that is held.
    pub(super) patience: Duration,
    /// Reading a store whose writer cannot commit meanwhile: less than writers wait, which is 5 s.
    pub(super) holding_up: Duration,
}

/// For reading rows.
const LIMITS: Limits = Limits { patience: super::BUSY_TIMEOUT, holding_up: Duration::from_secs(4) };

/// Reading a store whose writer does not notice.
const LONGEST_READING: Duration = Duration::from_secs(30);

/// After how many of SQLite's steps the clock is looked at.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// A store as it is at one moment.
pub(super) struct Snapshot<'c> {
    pub(super) connection: &'c Connection,
    pub(super) store: Store,
    columns: BTreeSet<String>,
}

impl Snapshot<'_> {
    /// Whether the table has this column; older versions lack some.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.contains(column)
    }

    /// The column, or what stands for it where the table lacks it.
    pub(super) fn column<'a>(&self, column: &'a str, otherwise: &'a str) -> &'a str {
        if self.has(column) { column } else { otherwise }
    }

    /// The column with the host, which older versions lack.
    pub(super) fn host(&self) -> &'static str {
        if self.has("api_base_url") { "api_base_url" } else { "'https://api.github.com'" }
    }

    pub(super) fn fault(&self) -> impl Fn(rusqlite::Error) -> StoreError + use<> {
        let store = self.store;
        move |error| StoreError::of(store, &error)
    }
}

/// Reads a store; nothing when it is not there yet, or has no table.
pub(super) fn read<T>(
    home: &MinerHome,
    store: Store,
    work: impl Fn(&Snapshot<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    with_connection(home, store, LIMITS, |connection| {
        let Some(columns) = known_shape(connection, store)? else { return Ok(None) };
        work(&Snapshot { connection, store, columns }).map(Some)
    })
    .map(Option::flatten)
}

/// Lends a connection to a store that is there, inside one transaction.
pub(super) fn with_connection<T>(
    home: &MinerHome,
    store: Store,
    limits: Limits,
    work: impl Fn(&Connection) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let path = home.store_path(store);
    if path.as_os_str() == ":memory:" {
        return Ok(None);
    }
    let path = home.absolute(&path);
    let until = Instant::now() + limits.patience;
    let mut unopened = 0;
    loop {
        let Some(place) = Place::look(store, &path)? else { return Ok(None) };
        match attempt(store, &place, limits, &work) {
            Attempt::Done(outcome) => return outcome,
            Attempt::Unopened(error) if unopened == MOST_UNOPENED => return Err(error),
            Attempt::Unopened(_) => {
                unopened += 1;
                thread::sleep(CLOCK_GRAIN);
            }
            Attempt::Again if Instant::now() >= until => return Err(StoreError::new(store, StoreReason::Busy)),
            Attempt::Again => thread::sleep(PAUSE),
        }
    }
}

/// How often a store with a log may fail to open before it is unreadable, and not just being entered by a writer.
const MOST_UNOPENED: u32 = 5;

/// Between two looks at a store that is held or that changes.
const PAUSE: Duration = Duration::from_millis(1);

enum Attempt<T> {
    Done(Result<Option<T>, StoreError>),
    /// Its writer holds it, or it changed underneath.
    Again,
    /// It has a log and could not be opened.
    Unopened(StoreError),
}

fn attempt<T>(
    store: Store,
    place: &Place,
    limits: Limits,
    work: &impl Fn(&Connection) -> Result<T, StoreError>,
) -> Attempt<T> {
    let refuse = |reason| Attempt::Done(Err(StoreError::new(store, reason)));
    let pin = match Pin::take(place) {
        Ok(pin) => pin,
        Err(NoPin::Held) => return Attempt::Again,
        Err(NoPin::Unreadable) => return refuse(StoreReason::Unreadable),
    };
    let had_log = place.has_log();
    let (parameters, longest) = if had_log {
        ("mode=ro&readonly_shm=1", LONGEST_READING)
    } else {
        match pin.journal() {
            Ok(Journal::Rollback) => ("mode=ro&readonly_shm=1", limits.holding_up),
            Ok(Journal::WriteAhead) => ("mode=ro&immutable=1", LONGEST_READING),
            Err(NoHeader::Empty) => return Attempt::Done(Ok(None)),
            Err(NoHeader::NotADatabase) => return refuse(StoreReason::NotADatabase),
            Err(NoHeader::Unreadable) => return refuse(StoreReason::Unreadable),
        }
    };
    let takes_no_lock = parameters.contains("immutable");
    let settles = Instant::now() + CLOCK_GRAIN;
    while takes_no_lock && !pin.stamp.is_settled() {
        if Instant::now() >= settles {
            return Attempt::Again;
        }
        thread::sleep(PAUSE);
    }
    let outcome = open_and(store, (&place.path, parameters), longest, work);
    if takes_no_lock && !place.is_still(pin.stamp) {
        return Attempt::Again;
    }
    match outcome {
        Err(error) if error.reason == StoreReason::Busy && !error.took_too_long => Attempt::Again,
        Err(error) if had_log && error.reason == StoreReason::Unreadable => Attempt::Unopened(error),
        outcome => Attempt::Done(outcome.map(Some)),
    }
}

fn open_and<T>(
    store: Store,
    (path, parameters): (&Path, &str),
    longest: Duration,
    work: &impl Fn(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let fault = |error| StoreError::of(store, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path, parameters), flags).map_err(fault)?;
    // Who waits here has the file pinned, and would wait for a writer that waits for the pin.
    connection.busy_timeout(Duration::ZERO).map_err(fault)?;
    // The schema comes out of a file that others write: nothing in it may call functions.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(fault)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(fault)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fault)?;
    // What does not fit into memory would go to a file.
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; BEGIN").map_err(fault)?;
    let started = Instant::now();
    let is_over = move || started.elapsed() > longest;
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over)).map_err(fault)?;
    let done = work(&connection);
    // Closing ends the transaction too; a failure to end it early changes nothing about the answer.
    let _ = connection.execute_batch("COMMIT");
    drop(connection);
    done
}

/// The table's columns, once its version is known to be one that this program reads.
fn known_shape(connection: &Connection, store: Store) -> Result<Option<BTreeSet<String>>, StoreError> {
    let fault = |error| StoreError::of(store, &error);
    let Some(table) = store.table() else { return Err(StoreError::new(store, StoreReason::WrongSchema)) };
    let count = |sql, name| connection.query_row(sql, [name], |row| row.get::<_, i64>(0)).map_err(fault);
    let others = count("SELECT count(*) FROM sqlite_schema WHERE name <> ?1", table.name)?;
    let named = count("SELECT count(*) FROM sqlite_schema WHERE name = ?1", table.name)?;
    // The version of another program's file, or of another store's, says nothing about this one.
    if named == 0 && others > 0 {
        return Err(StoreError::new(store, StoreReason::WrongSchema));
    }
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    if version > table.version {
        let versions = Some((version, table.version));
        return Err(StoreError { versions, ..StoreError::new(store, StoreReason::TooNew) });
    }
    if named == 0 {
        return Ok(None);
    }
    let is_table = count("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1", table.name)?;
    if is_table == 0 {
        return Err(StoreError::new(store, StoreReason::WrongSchema));
    }
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)").map_err(fault)?;
    let columns = statement.query_map([table.name], |row| row.get::<_, String>(0)).map_err(fault)?;
    let columns: BTreeSet<String> = columns.collect::<Result<_, _>>().map_err(fault)?;
    if table.required.iter().all(|column| columns.contains(*column)) {
        Ok(Some(columns))
    } else {
        Err(StoreError::new(store, StoreReason::WrongSchema))
    }
}

/// The path as SQLite's own kind of URI: every byte that could mean something else is written as its number.
fn address(path: &Path, parameters: &str) -> String {
    let mut address = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~".contains(byte) {
            address.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address + "?" + parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::miner::demo;

    #[test]
    fn a_reading_that_would_hold_a_writer_up_is_given_up_and_one_that_would_not_is_not() {
        let directory = tempfile::tempdir().unwrap();
        demo::write(directory.path()).unwrap();
        let environment = [("LOOPOVER_MINER_CONFIG_DIR".into(), directory.path().as_os_str().to_owned())];
        let home = MinerHome { environment: environment.into_iter().collect(), ..MinerHome::default() };
        let limits = Limits { holding_up: Duration::ZERO, ..LIMITS };
        let count = || {
            with_connection(&home, Store::ClaimLedger, limits, |connection| {
                let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                           SELECT count(*) FROM n, (SELECT id FROM miner_claims LIMIT 1)";
                let counted: rusqlite::Result<i64> = connection.query_row(sql, [], |row| row.get(0));
                counted.map_err(|error| StoreError::of(Store::ClaimLedger, &error))
            })
        };
        let error = count().unwrap_err();
        assert!(error.took_too_long, "{error:?}");
        assert_eq!(contract_core::ToolError::from(error).code(), contract_core::ErrorCode::Timeout);
        let writer = Connection::open(directory.path().join(Store::ClaimLedger.file())).unwrap();
        writer.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
        assert_eq!(count(), Ok(Some(20_000)));
    }

    #[test]
    fn an_address_says_every_byte_that_could_mean_something_else_as_a_number() {
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a b/?#%\xff"));
        assert_eq!(address(path, "mode=ro"), "file:///a%20b/%3F%23%25%FF?mode=ro");
    }
}
