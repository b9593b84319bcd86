//! The plan store: plans and how far they are.

use contract_core::loopover::PlanStatus;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::Reading;
use super::page::{Page, PageRequest};
use crate::miner::database;
use crate::miner::row::{BadRow, Cells};
use crate::miner::rules::plan::{self, Plan};
use crate::miner::{MinerHome, Store, StoreError};
use crate::privacy::Shown;

/// One plan as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRecord {
    /// Its identifier.
    pub plan_id: String,
    /// The plan.
    pub plan: Plan,
    /// How far it is, by the store.
    pub status: PlanStatus,
    /// When it was stored.
    pub updated_at: Shown,
}

/// Plans by identifier; more than one page of them come in the order in which they were made, each page by identifier.
///
/// # Errors
/// When the store cannot be read.
pub fn plans(
    home: &MinerHome,
    status: Option<PlanStatus>,
    request: PageRequest,
) -> Result<Page<PlanRecord>, StoreError> {
    let page = database::read(home, Store::PlanStore, |snapshot| {
        let sql = "SELECT rowid, plan_id, plan_json, status, updated_at FROM miner_plans \
                   WHERE rowid > ?1 AND (?2 IS NULL OR status = ?2) ORDER BY rowid";
        let mut page = request.read(snapshot, sql, params![request.after(), status.map(PlanStatus::as_str)], record)?;
        page.rows.sort_by(|(_, one), (_, other)| one.plan_id.cmp(&other.plan_id));
        Ok(page)
    })?;
    Ok(page.unwrap_or_else(|| request.empty()))
}

/// The plan with this identifier.
///
/// # Errors
/// When the store cannot be read.
pub fn plan(home: &MinerHome, plan_id: &str) -> Result<Reading<Option<PlanRecord>>, StoreError> {
    let read =
        database::read(home, Store::PlanStore, |snapshot| one(snapshot.connection, plan_id).map_err(snapshot.fault()))?;
    let is_initialised = read.is_some();
    let (value, skipped) = match read.flatten() {
        None => (None, 0),
        Some(Ok(record)) => (Some(record), 0),
        Some(Err(BadRow)) => (None, 1),
    };
    Ok(Reading { value, skipped, is_initialised })
}

fn one(connection: &Connection, plan_id: &str) -> rusqlite::Result<Option<Result<PlanRecord, BadRow>>> {
    let sql = "SELECT plan_id, plan_json, status, updated_at FROM miner_plans WHERE plan_id = ?1";
    connection.query_row(sql, [plan_id], |row| Ok(record(&mut Cells::of(row)))).optional()
}

fn record(cells: &mut Cells<'_, '_>) -> Result<PlanRecord, BadRow> {
    let plan_id = cells.text()?.to_owned();
    let document = serde_json::from_str(cells.json()?).map_err(|_| BadRow)?;
    Ok(PlanRecord {
        plan_id,
        plan: plan::parse(&document).ok_or(BadRow)?,
        status: PlanStatus::parse(cells.text()?).ok_or(BadRow)?,
        updated_at: cells.text()?.into(),
    })
}
