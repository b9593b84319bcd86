//! Lists that are read one page at a time: bounded in rows and in bytes, with a place to go on from.

use rusqlite::{Params, Row};

use crate::miner::MAX_SAFE_INTEGER;
use crate::miner::database::Snapshot;
use crate::miner::error::StoreError;
use crate::miner::row::{BadRow, Cells};

/// How many rows a page has unless it is said.
pub const DEFAULT_LIMIT: u32 = 200;

/// How many rows a page has at most.
pub const MOST_ROWS: u32 = 1000;

/// A page is full when its rows come to so many bytes, whatever their number.
const MOST_BYTES: usize = 1 << 20;

/// Which page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows beyond this place.
    pub since: Option<i64>,
    /// At most so many of them.
    pub limit: u32,
}

/// One page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// Its rows, each with its place.
    pub rows: Vec<(i64, T)>,
    /// Where to go on.
    pub next_since: i64,
    /// Whether there is more already.
    pub is_truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped: u64,
    /// Whether the store is there, with its table.
    pub is_initialised: bool,
}

impl PageRequest {
    /// The place from which on rows are wanted, for a query.
    pub(super) fn after(&self) -> i64 {
        self.since.unwrap_or(i64::MIN)
    }

    /// A page of nothing, for a store that is not there yet.
    pub(super) fn empty<T>(&self) -> Page<T> {
        Page {
            rows: Vec::new(),
            next_since: self.since.unwrap_or(0),
            is_truncated: false,
            skipped: 0,
            is_initialised: false,
        }
    }

    /// Reads a page of a query whose first column is the place by which it is ordered.
    pub(super) fn read<T>(
        &self,
        snapshot: &Snapshot<'_>,
        sql: &str,
        parameters: impl Params,
        record: impl Fn(&mut Cells<'_, '_>) -> Result<T, BadRow>,
    ) -> Result<Page<T>, StoreError> {
        let mut statement = snapshot.connection.prepare(sql).map_err(snapshot.fault())?;
        let mut rows = statement.query(parameters).map_err(snapshot.fault())?;
        let mut page = Page { is_initialised: true, ..self.empty() };
        let mut bytes = 0;
        while let Some(row) = rows.next().map_err(snapshot.fault())? {
            if page.rows.len() >= self.limit as usize || bytes > MOST_BYTES {
                page.is_truncated = true;
                break;
            }
            let mut cells = Cells::of(row);
            let Ok(place) = cells.place() else {
                page.skipped += 1;
                continue;
            };
            if place.unsigned_abs() > MAX_SAFE_INTEGER.unsigned_abs() {
                page.skipped += 1;
                continue;
            }
            page.next_since = page.next_since.max(place);
            match record(&mut cells) {
                Ok(record) => {
                    bytes += size(row);
                    page.rows.push((place, record));
                }
                Err(BadRow) => page.skipped += 1,
            }
        }
        Ok(page)
    }
}

/// About how much of the answer a row takes.
fn size(row: &Row<'_>) -> usize {
    let columns = row.as_ref().column_count();
    let cell = |column| row.get_ref(column).ok().and_then(|cell| cell.as_bytes().ok().map(<[u8]>::len)).unwrap_or(8);
    (0..columns).map(|column| cell(column) + 16).sum()
}
