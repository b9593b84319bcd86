//! The governor's ledger: what it decided and why. What it decided from is never selected.

use std::time::SystemTime;

use rusqlite::params;

use super::page::{Page, PageRequest};
use crate::miner::database;
use crate::miner::retention::Retention;
use crate::miner::{MinerHome, Store, StoreError};
use crate::privacy::Shown;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GovernorDecision {
    /// When.
    pub at: Shown,
    /// What happened to the action.
    pub event_type: Shown,
    /// The repository.
    pub repository: Option<Shown>,
    /// What kind of action it was.
    pub action_class: Shown,
    /// The decision.
    pub decision: Shown,
    /// The reason.
    pub reason: Shown,
}

/// Decisions in the order in which they were taken.
///
/// # Errors
/// When the store cannot be read.
pub fn decisions(
    home: &MinerHome,
    now: SystemTime,
    repository: Option<&str>,
    request: PageRequest,
) -> Result<Page<GovernorDecision>, StoreError> {
    let retention = Retention::of(home, now);
    let page = database::read(home, Store::GovernorLedger, |snapshot| {
        let left = retention.condition(snapshot, ("governor_events", "ts"))?;
        let sql = format!(
            "SELECT id, ts, event_type, {repository}, action_class, decision, reason FROM governor_events \
             WHERE id > ?1 AND rowid > ?2 AND (?3 = '' OR ts >= ?3) AND (?4 IS NULL OR {repository} = ?4) ORDER BY id",
            repository = snapshot.column("repo_full_name", "NULL"),
        );
        let parameters = params![request.after(), left.after, left.before, repository];
        request.read(snapshot, &sql, parameters, |cells| {
            Ok(GovernorDecision {
                at: cells.text()?.into(),
                event_type: cells.text()?.into(),
                repository: cells.optional_text()?.map(Shown::from),
                action_class: cells.text()?.into(),
                decision: cells.text()?.into(),
                reason: cells.text()?.into(),
            })
        })
    })?;
    Ok(page.unwrap_or_else(|| request.empty()))
}
