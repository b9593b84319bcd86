//! Reads a SQLite database that somebody else may be writing without leaving a trace, in one transaction that ends before the
//! answer is made.
//!
//! How it is opened depends on how its writer journals (each line measured, see `tests/it/miner/` and `tests/it/forge/`):
//!
//! | found | opened with | because |
//! | --- | --- | --- |
//! | a rollback journal's file | `mode=ro&nolock=1` | the pin is the one lock, and SQLite makes no log whatever it opens |
//! | a log with something in it | `mode=ro&readonly_shm=1` | sees what is committed; without the second word the index would be written |
//! | a write-ahead store at rest | `immutable=1` | anything else creates the log and its index, or fails where it may not |
//!
//! The file is pinned first (`pin`), so what was found stays so: no writer takes the log away between the look and the
//! reading. `immutable=1` takes no lock and heeds no log, so such a reading counts only when the file is afterwards what it
//! was before, and the clock had gone on since it was written; otherwise it is done again. SQLite opens by name, so each
//! reading counts only when the pinned file has that name still: a store that is replaced meanwhile is looked at again. One
//! limit remains: when root
//! reads, SQLite sets the owner of what stands beside a store to the owner that it has, which is seen in the time of that
//! change (ctime) and in nothing else.

mod fault;
mod pin;
mod place;

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

pub(crate) use fault::Fault;
use pin::{Journal, NoHeader, NoPin, Pin};
use place::CLOCK_GRAIN;
pub(crate) use place::{FileId, Place};

/// How long two things may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Waiting for a database that is held.
    pub(crate) patience: Duration,
    /// Reading one whose writer cannot commit meanwhile: less than writers wait, which is 5 s.
    pub(crate) holding_up: Duration,
}

/// Reading one whose writer does not notice.
const LONGEST_READING: Duration = Duration::from_secs(30);

/// After how many of SQLite's steps the clock is looked at.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// How often a database with a log may fail to open before it is unreadable, and not just being entered by a writer.
const MOST_UNOPENED: u32 = 5;

/// Between two looks at a database that is held or that changes.
const PAUSE: Duration = Duration::from_millis(1);

/// Lends a connection to the database at a path, inside one transaction; nothing when there is none. When it was written under
/// a reading that takes no lock, or replaced under any, `work` is asked again and what it said before is dropped.
pub(crate) fn read<T, E>(
    path: &Path,
    limits: Limits,
    mut work: impl FnMut(&Connection) -> Result<T, E>,
) -> Result<Option<Result<T, E>>, Fault> {
    let until = Instant::now() + limits.patience;
    let mut unopened = 0;
    loop {
        let Some(place) = Place::look(path)? else { return Ok(None) };
        match attempt(&place, limits, &mut work) {
            Attempt::Done(outcome) => return outcome,
            Attempt::Unopened(fault) if unopened == MOST_UNOPENED => return Err(fault),
            Attempt::Unopened(_) => {
                unopened += 1;
                thread::sleep(CLOCK_GRAIN);
            }
            Attempt::Again if Instant::now() >= until => return Err(Fault::Busy),
            Attempt::Again => thread::sleep(PAUSE),
        }
    }
}

/// Sees what is committed, and leaves the index as it is.
const WITH_A_LOG: &str = "mode=ro&readonly_shm=1";

/// Heeds no log, and makes none.
const AT_REST: &str = "mode=ro&immutable=1";

/// Heeds the journal. Without locks of its own SQLite makes no log either, even when another file came to stand there.
const ROLLBACK: &str = if pin::IS_A_LOCK { "mode=ro&nolock=1" } else { WITH_A_LOG };

enum Attempt<T> {
    Done(Result<Option<T>, Fault>),
    /// Its writer holds it, or it changed underneath.
    Again,
    /// It has a log and could not be opened.
    Unopened(Fault),
}

fn attempt<T, E>(
    place: &Place,
    limits: Limits,
    work: &mut impl FnMut(&Connection) -> Result<T, E>,
) -> Attempt<Result<T, E>> {
    let pin = match Pin::take(place) {
        Ok(pin) => pin,
        Err(NoPin::Held) => return Attempt::Again,
        Err(NoPin::Unreadable) => return Attempt::Done(Err(Fault::Unreadable)),
    };
    let had_log = place.has_log();
    let (parameters, longest) = if had_log {
        (WITH_A_LOG, LONGEST_READING)
    } else {
        match pin.journal() {
            // A log without a byte, which another left, would be taken for one.
            Ok(Journal::Rollback) if place.has("-wal") && !place.has("-journal") => (AT_REST, limits.holding_up),
            Ok(Journal::Rollback) => (ROLLBACK, limits.holding_up),
            Ok(Journal::WriteAhead) => (AT_REST, LONGEST_READING),
            Err(NoHeader::Empty) => return Attempt::Done(Ok(None)),
            Err(NoHeader::NotADatabase) => return Attempt::Done(Err(Fault::NotADatabase)),
            Err(NoHeader::Unreadable) => return Attempt::Done(Err(Fault::Unreadable)),
        }
    };
    let heeds_nothing = parameters == AT_REST;
    let settles = Instant::now() + CLOCK_GRAIN;
    while heeds_nothing && !pin.stamp.is_settled() {
        if Instant::now() >= settles {
            return Attempt::Again;
        }
        thread::sleep(PAUSE);
    }
    let outcome = match open(&place.path, parameters) {
        // Nothing was asked yet: the first question to a file that has no log makes one.
        Ok(_) if !place.is_file(pin.stamp) || (had_log && !place.has_log()) => return Attempt::Again,
        Ok(connection) => ask(&connection, longest, work),
        Err(error) => Err(Fault::of(&error)),
    };
    // What SQLite found wrong with another file says nothing about this one, nor does what it read there.
    let counts = if heeds_nothing { place.is_still(pin.stamp) } else { place.is_file(pin.stamp) };
    if !counts {
        return Attempt::Again;
    }
    match outcome {
        Err(Fault::Busy) => Attempt::Again,
        // A writer that wants its store for itself keeps the index in its memory, and has the file while it lives.
        Err(Fault::Unreadable) if had_log && !place.has("-shm") => Attempt::Unopened(Fault::Interrupted),
        Err(fault @ (Fault::Unreadable | Fault::Interrupted)) if had_log => Attempt::Unopened(fault),
        outcome => Attempt::Done(outcome.map(Some)),
    }
}

fn open(path: &Path, parameters: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path, parameters), flags)?;
    // Who waits here has the file pinned, and would wait for a writer that waits for the pin.
    connection.busy_timeout(Duration::ZERO)?;
    // The schema comes out of a file that others write: nothing in it may call functions.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // What does not fit into memory would go to a file.
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")?;
    Ok(connection)
}

/// Asks `work` in one transaction, which has begun to read before it is asked.
fn ask<T, E>(
    connection: &Connection,
    longest: Duration,
    work: &mut impl FnMut(&Connection) -> Result<T, E>,
) -> Result<Result<T, E>, Fault> {
    let begin = || {
        connection.execute_batch("BEGIN")?;
        // The first question is what looks at the file, takes the lock and chooses the moment.
        connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
        let started = Instant::now();
        connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(move || started.elapsed() > longest))
    };
    begin().map_err(|error| Fault::of(&error))?;
    let done = work(connection);
    // Closing ends the transaction too; a failure to end it early changes nothing about the answer.
    let _ = connection.execute_batch("COMMIT");
    Ok(done)
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

    /// What is asked between opening and the first question rests on this.
    #[test]
    fn opening_makes_nothing_yet_and_only_a_log_is_asked_for_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").unwrap();
        let entries = || std::fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(entries(), 1);
        let limits = Duration::from_secs(1);
        let mut count =
            |connection: &Connection| connection.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0));
        let opened = open(&path, WITH_A_LOG).unwrap();
        assert_eq!(entries(), 1);
        drop(opened);
        for parameters in [ROLLBACK, AT_REST] {
            let asked = ask(&open(&path, parameters).unwrap(), limits, &mut count);
            assert_eq!(asked.is_ok(), parameters == AT_REST);
            assert_eq!(entries(), 1, "{parameters}");
        }
        // The control: the first question is what makes a log.
        assert!(ask(&open(&path, WITH_A_LOG).unwrap(), limits, &mut count).is_err());
        assert_eq!(entries(), 2);
    }

    #[test]
    fn an_address_says_every_byte_that_could_mean_something_else_as_a_number() {
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a b/?#%\xff"));
        assert_eq!(address(path, "mode=ro"), "file:///a%20b/%3F%23%25%FF?mode=ro");
    }
}
