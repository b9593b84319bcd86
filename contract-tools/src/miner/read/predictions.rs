//! The prediction ledger: what was expected of pull requests.

use rusqlite::params;

use crate::miner::database;
use crate::miner::retention::Retention;
use crate::miner::row::{BadRow, Cells};
use crate::miner::rules::calibration::{Calibration, Prediction};
use crate::miner::{MinerHome, Store, StoreError};

/// Every prediction, taken in order, and how many rows were left out.
pub(super) fn predictions(home: &MinerHome, retention: &Retention) -> Result<Option<(Calibration, u64)>, StoreError> {
    database::read(home, Store::PredictionLedger, |snapshot| {
        let left = retention.condition(snapshot, ("predictions", "ts"))?;
        let sql = format!(
            "SELECT repo_full_name, target_id, {head}, conclusion, ts FROM predictions \
             WHERE rowid > ?1 AND (?2 = '' OR ts >= ?2) ORDER BY id",
            head = snapshot.column("head_sha", "NULL"),
        );
        let mut statement = snapshot.connection.prepare(&sql).map_err(snapshot.fault())?;
        let mut rows = statement.query(params![left.after, left.before]).map_err(snapshot.fault())?;
        let (mut calibration, mut skipped) = (Calibration::default(), 0);
        while let Some(row) = rows.next().map_err(snapshot.fault())? {
            if take(&mut calibration, &mut Cells::of(row)).is_err() {
                skipped += 1;
            }
        }
        Ok((calibration, skipped))
    })
}

fn take(calibration: &mut Calibration, cells: &mut Cells<'_, '_>) -> Result<(), BadRow> {
    let project = cells.text()?;
    let target = cells.integer()?.to_string();
    let head = cells.optional_text()?;
    let conclusion = cells.text()?;
    let at = cells.text()?;
    calibration.prediction(Prediction { project, target: &target, head, conclusion, at });
    Ok(())
}
