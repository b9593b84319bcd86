//! Which rows of a ledger its writer would have deleted by now: readers hide them and delete nothing.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use rusqlite::{OptionalExtension as _, params};

use super::database::Snapshot;
use super::error::StoreError;
use super::home::MinerHome;
use super::rules::js_number;

/// What its keeper set for a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Retention {
    /// Rows before this time are gone, as a text that compares like the times in the ledger.
    before: Option<String>,
    /// Only so many of the newest rows are left.
    newest: Option<i64>,
}

impl Retention {
    /// What the environment says.
    pub(super) fn of(home: &MinerHome, now: SystemTime) -> Self {
        let whole = |name| {
            let number = js_number(&home.text(name)?)?.floor();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a float that is too large becomes the largest integer"
            )]
            (number.is_finite() && number > 0.0).then_some(number as i64)
        };
        let days: Option<i64> = whole("LOOPOVER_MINER_LEDGER_RETENTION_DAYS");
        let before =
            days.and_then(TimeDelta::try_days).and_then(|days| DateTime::<Utc>::from(now).checked_sub_signed(days));
        Self {
            // A year before 0 is written with a sign, which compares like nothing in the ledger.
            before: before
                .filter(|time| time.timestamp() > -62_167_219_200)
                .map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true)),
            newest: whole("LOOPOVER_MINER_LEDGER_RETENTION_MAX_ROWS"),
        }
    }

    /// The condition on rows that are left, for a ledger with these columns, and its two parameters.
    pub(super) fn condition(&self, snapshot: &Snapshot<'_>, (table, time): (&str, &str)) -> Result<Left, StoreError> {
        let before = self.before.clone().unwrap_or_default();
        let Some(newest) = self.newest else { return Ok(Left { before, after: i64::MIN }) };
        let sql =
            format!("SELECT rowid FROM {table} WHERE (?1 = '' OR {time} >= ?1) ORDER BY rowid DESC LIMIT 1 OFFSET ?2");
        let after = snapshot
            .connection
            .query_row(&sql, params![before, newest], |row| row.get::<_, i64>(0))
            .optional()
            .map_err(snapshot.fault())?;
        Ok(Left { before, after: after.unwrap_or(i64::MIN) })
    }
}

/// Rows that are left: from this time on, with an identifier beyond this one.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) before: String,
    pub(super) after: i64,
}
