//! The stores as databases: where each is, and whether it has the table and the version that this program reads. How one is
//! read without a trace is in [`crate::database`].

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::Connection;

use super::error::{StoreError, StoreReason};
use super::home::MinerHome;
use super::stores::Store;
use crate::database;
pub(super) use crate::database::Limits;

/// For reading rows.
const LIMITS: Limits = Limits { patience: super::BUSY_TIMEOUT, holding_up: Duration::from_secs(4) };

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
    let read = database::read(&home.absolute(&path), limits, work);
    read.map_err(|fault| StoreError::because(store, fault))?.transpose()
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
}
