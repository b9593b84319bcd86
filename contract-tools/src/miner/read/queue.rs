//! The portfolio queue: what is to be done, added up for the dashboard and joined for the state of pull requests.

use std::time::SystemTime;

use contract_core::loopover::QueueStatus;

use super::Reading;
use super::events::each_event;
use super::run_states::run_states;
use crate::miner::database::{self, Snapshot};
use crate::miner::retention::Retention;
use crate::miner::row::{BadRow, Cells};
use crate::miner::rules::dashboard::Dashboard;
use crate::miner::rules::manage_status::{ManageStatus, Managed, Place, REPORT, pull_number};
use crate::miner::{MinerHome, Store, StoreError};

/// The queue, added up.
///
/// # Errors
/// When the store cannot be read.
pub fn dashboard(home: &MinerHome) -> Result<Reading<Dashboard>, StoreError> {
    let read = database::read(home, Store::PortfolioQueue, |snapshot| {
        let mut dashboard = Dashboard::default();
        let sql = format!("SELECT {}, repo_full_name, status, enqueued_at FROM miner_portfolio_queue", snapshot.host());
        let skipped = each(snapshot, &sql, |cells| {
            let (host, repository) = (cells.text()?, cells.text()?);
            let status = QueueStatus::parse(cells.text()?).ok_or(BadRow)?;
            // What is no time has no age and counts all the same.
            let enqueued_at = cells.optional_text().ok().flatten();
            dashboard.add(host, repository, status, enqueued_at);
            Ok(())
        })?;
        Ok((dashboard, skipped))
    })?;
    let is_initialised = read.is_some();
    let (value, skipped) = read.unwrap_or_default();
    Ok(Reading { value, skipped, is_initialised })
}

/// The pull requests in the queue, the newest report about each, and what is being done on each repository.
///
/// # Errors
/// When one of the three stores cannot be read.
pub fn manage_status(home: &MinerHome, now: SystemTime) -> Result<Reading<Managed>, StoreError> {
    let queued = database::read(home, Store::PortfolioQueue, |snapshot| {
        let mut status = ManageStatus::default();
        let skipped = queued_pulls(snapshot, &mut status)?;
        Ok((status, skipped))
    })?;
    let mut is_initialised = queued.is_some();
    let (status, mut skipped) = queued.unwrap_or_default();

    let retention = Retention::of(home, now);
    let reported = database::read(home, Store::EventLedger, |snapshot| {
        let mut status = status.clone();
        let skipped = each_event(snapshot, &retention, REPORT, |event| {
            status.report(event.repository, &event.payload);
        })?;
        Ok((status, skipped))
    })?;
    is_initialised &= reported.is_some();
    let (mut status, bad_events) = reported.unwrap_or((status, 0));
    skipped += bad_events;

    let runs = run_states(home)?;
    is_initialised &= runs.is_initialised;
    skipped += runs.skipped;
    for run in runs.value {
        status.run(&run.host, &run.repository, run.state, &run.updated_at);
    }
    Ok(Reading { value: status.finish(), skipped, is_initialised })
}

fn queued_pulls(snapshot: &Snapshot<'_>, status: &mut ManageStatus) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT {host}, repo_full_name, identifier, status, {priority}, enqueued_at, rowid FROM miner_portfolio_queue \
         WHERE typeof(identifier) <> 'text' OR identifier GLOB 'pr:[0-9]*'",
        host = snapshot.host(),
        priority = snapshot.column("priority", "0"),
    );
    let keeps_unknown = snapshot.has("api_base_url");
    each(snapshot, &sql, |cells| {
        let (host, repository, identifier) = (cells.text()?, cells.text()?, cells.text()?);
        let known = QueueStatus::parse(cells.text()?);
        let place = Place {
            priority: cells.number()?,
            enqueued_at: cells.optional_text().ok().flatten().unwrap_or_default().to_owned(),
            row: cells.place()?,
        };
        // What an older table let in and its successor does not is gone once the miner has moved it.
        if known.is_none() && !keeps_unknown {
            return Err(BadRow);
        }
        let number = match pull_number(identifier) {
            Some(number) => number,
            // A number that JSON does not carry exactly is none that could be told.
            None if identifier.len() > "pr:".len() + 15 => return Err(BadRow),
            None => return Ok(()),
        };
        status.queued(host, repository, number, (known, place.priority), place);
        Ok(())
    })
}

/// Takes every row; answers how many could not be taken.
fn each(
    snapshot: &Snapshot<'_>,
    sql: &str,
    mut take: impl FnMut(&mut Cells<'_, '_>) -> Result<(), BadRow>,
) -> Result<u64, StoreError> {
    let mut statement = snapshot.connection.prepare(sql).map_err(snapshot.fault())?;
    let mut rows = statement.query([]).map_err(snapshot.fault())?;
    let mut skipped = 0;
    while let Some(row) = rows.next().map_err(snapshot.fault())? {
        skipped += u64::from(take(&mut Cells::of(row)).is_err());
    }
    Ok(skipped)
}
