//! Whether a store is whole. A store that its writer holds is not broken.

use std::io::ErrorKind;
use std::time::Duration;

use crate::miner::database::{self, Limits};
use crate::miner::{MinerHome, Store, StoreError, StoreReason};

/// Shorter than elsewhere: there are eighteen of them.
const LIMITS: Limits = Limits { patience: Duration::from_millis(50), holding_up: Duration::from_secs(2) };

/// What was found out about a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integrity {
    /// There is none yet.
    Absent,
    /// It is whole.
    Whole,
    /// Its writer holds it; nothing was found out.
    Busy,
    /// It is so large that looking it through would hold its writer up.
    Large,
    /// It is not, for this reason.
    Broken(StoreReason),
}

/// Looks a store through.
pub(super) fn of(home: &MinerHome, store: Store) -> Integrity {
    let checked = database::with_connection(home, store, LIMITS, |connection| {
        let fault = |error| StoreError::of(store, &error);
        // Two findings are as good as one: more than a single `ok` is a broken store.
        let mut statement = connection.prepare("PRAGMA integrity_check(2)").map_err(fault)?;
        let findings = statement.query_map([], |row| row.get::<_, String>(0)).map_err(fault)?;
        let findings: Vec<String> = findings.collect::<Result<_, _>>().map_err(fault)?;
        Ok(findings == ["ok"])
    });
    match checked {
        Ok(None) => Integrity::Absent,
        Ok(Some(true)) => Integrity::Whole,
        Ok(Some(false)) => Integrity::Broken(StoreReason::Corrupt),
        Err(error) if error.took_too_long => Integrity::Large,
        Err(error) if error.reason == StoreReason::Busy => Integrity::Busy,
        // Where a directory should be is a file: the state directory's own check says so.
        Err(_) if has_no_directory(home, store) => Integrity::Absent,
        Err(error) => Integrity::Broken(error.reason),
    }
}

fn has_no_directory(home: &MinerHome, store: Store) -> bool {
    let looked = home.absolute(&home.store_path(store)).symlink_metadata();
    looked.is_err_and(|error| error.kind() == ErrorKind::NotADirectory)
}
