//! The event ledger: what happened. A payload is looked into and never shown.

use std::time::SystemTime;

use rusqlite::params;
use serde_json::{Map, Value};

use super::Reading;
use super::page::{Page, PageRequest};
use super::predictions;
use crate::miner::database::{self, Snapshot};
use crate::miner::retention::Retention;
use crate::miner::row::{BadRow, Cells};
use crate::miner::rules::calibration::{Calibration, OUTCOME};
use crate::miner::rules::proposals::{BACKTEST, Proposal, Proposals};
use crate::miner::rules::{blank_to_none, moment, payload_of, whole_number};
use crate::miner::{MinerHome, Store, StoreError};
use crate::privacy::Shown;

/// The ledger's table and the column with the time.
const LEDGER: (&str, &str) = ("miner_event_ledger", "created_at");

/// One event, as far as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// What kind of event.
    pub event_type: Shown,
    /// The repository.
    pub repository: Option<Shown>,
    /// What came of it.
    pub outcome: Option<Shown>,
    /// Who did it.
    pub actor: Option<Shown>,
    /// What else there is to say.
    pub detail: Option<Shown>,
    /// When.
    pub created_at: Shown,
}

/// Which events are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventFilter<'a> {
    /// Of this repository.
    pub repository: Option<&'a str>,
    /// Of this kind.
    pub event_type: Option<&'a str>,
}

/// Events in the order in which they happened.
///
/// # Errors
/// When the store cannot be read.
pub fn audit_feed(
    home: &MinerHome,
    now: SystemTime,
    filter: EventFilter<'_>,
    request: PageRequest,
) -> Result<Page<AuditEvent>, StoreError> {
    let retention = Retention::of(home, now);
    let page = database::read(home, Store::EventLedger, |snapshot| {
        let left = retention.condition(snapshot, LEDGER)?;
        let sql = format!(
            "SELECT seq, event_type, {repository}, created_at, payload_json FROM miner_event_ledger \
             WHERE seq > ?1 AND rowid > ?2 AND (?3 = '' OR created_at >= ?3) \
             AND (?4 IS NULL OR {repository} = ?4) AND (?5 IS NULL OR event_type = ?5) ORDER BY seq",
            repository = snapshot.column("repo_full_name", "NULL"),
        );
        let parameters = params![request.after(), left.after, left.before, filter.repository, filter.event_type];
        request.read(snapshot, &sql, parameters, audit_event)
    })?;
    Ok(page.unwrap_or_else(|| request.empty()))
}

fn audit_event(cells: &mut Cells<'_, '_>) -> Result<AuditEvent, BadRow> {
    let event_type = cells.text()?.into();
    let repository = cells.optional_text()?.map(Shown::from);
    let created_at = cells.text()?.into();
    let payload = payload_of(cells.json()?).ok_or(BadRow)?;
    let text = |name: &str| payload.get(name).and_then(Value::as_str).and_then(blank_to_none).map(Shown::from);
    Ok(AuditEvent {
        event_type,
        repository,
        outcome: text("outcome"),
        actor: text("actor"),
        detail: text("detail"),
        created_at,
    })
}

/// An event of one kind, for a rule.
pub(super) struct Event<'a> {
    pub(super) repository: Option<&'a str>,
    pub(super) created_at: &'a str,
    pub(super) payload: Map<String, Value>,
}

/// Shows a rule every event of one kind, oldest first; answers how many could not be shown.
pub(super) fn each_event(
    snapshot: &Snapshot<'_>,
    retention: &Retention,
    event_type: &str,
    mut rule: impl FnMut(&Event<'_>),
) -> Result<u64, StoreError> {
    let left = retention.condition(snapshot, LEDGER)?;
    let sql = format!(
        "SELECT {repository}, created_at, payload_json FROM miner_event_ledger \
         WHERE event_type = ?1 AND rowid > ?2 AND (?3 = '' OR created_at >= ?3) ORDER BY seq",
        repository = snapshot.column("repo_full_name", "NULL"),
    );
    let mut statement = snapshot.connection.prepare(&sql).map_err(snapshot.fault())?;
    let mut rows = statement.query(params![event_type, left.after, left.before]).map_err(snapshot.fault())?;
    let mut skipped = 0;
    while let Some(row) = rows.next().map_err(snapshot.fault())? {
        let mut cells = Cells::of(row);
        let event = (|| {
            let repository = cells.optional_text()?;
            let created_at = cells.text()?;
            let payload = payload_of(cells.json()?).ok_or(BadRow)?;
            Ok::<_, BadRow>(Event { repository, created_at, payload })
        })();
        match event {
            Ok(event) => rule(&event),
            Err(BadRow) => skipped += 1,
        }
    }
    Ok(skipped)
}

/// Predictions held against what came of them.
///
/// # Errors
/// When one of the two stores cannot be read.
pub fn calibration(home: &MinerHome, now: SystemTime) -> Result<Reading<Calibration>, StoreError> {
    let retention = Retention::of(home, now);
    let predicted = predictions::predictions(home, &retention)?;
    let with_predictions = predicted.as_ref().map(|(calibration, _)| calibration.clone()).unwrap_or_default();
    let with_outcomes = database::read(home, Store::EventLedger, |snapshot| {
        let mut calibration = with_predictions.clone();
        let skipped = each_event(snapshot, &retention, OUTCOME, |event| {
            let number = event.payload.get("prNumber").and_then(whole_number);
            let decision = event.payload.get("decision").and_then(Value::as_str);
            if let (Some(repository), Some(number), Some(decision)) = (event.repository, number, decision) {
                calibration.outcome(repository, &number.to_string(), decision, event.created_at);
            }
        })?;
        Ok((calibration, skipped))
    })?;
    Ok(Reading {
        skipped: predicted.as_ref().map_or(0, |(_, skipped)| *skipped)
            + with_outcomes.as_ref().map_or(0, |(_, skipped)| *skipped),
        is_initialised: predicted.is_some() && with_outcomes.is_some(),
        value: with_outcomes.map_or(with_predictions, |(calibration, _)| calibration),
    })
}

/// Thresholds that a backtest showed to be better.
///
/// # Errors
/// When the store cannot be read.
pub fn proposals(home: &MinerHome, now: SystemTime) -> Result<Vec<Proposal>, StoreError> {
    let retention = Retention::of(home, now);
    let now = moment::since_1970(now);
    let read = database::read(home, Store::EventLedger, |snapshot| {
        let mut proposals = Proposals::default();
        each_event(snapshot, &retention, BACKTEST, |event| proposals.backtest(&event.payload, event.created_at, now))?;
        Ok(proposals)
    })?;
    Ok(read.unwrap_or_default().finish())
}
