//! The run state store: what is being done on each repository.

use contract_core::loopover::RunState;
use rusqlite::params;

use super::Reading;
use crate::miner::database;
use crate::miner::row::{BadRow, Cells};
use crate::miner::rules::MOST_LISTED;
use crate::miner::{DEFAULT_HOST, MinerHome, Store, StoreError};

/// What is being done on one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryState {
    /// Its host.
    pub host: String,
    /// Its name.
    pub repository: String,
    /// What is being done.
    pub state: RunState,
    /// Since when.
    pub updated_at: String,
}

/// The first so many repositories, by the bytes of their names.
///
/// # Errors
/// When the store cannot be read.
pub fn run_states(home: &MinerHome) -> Result<Reading<Vec<RepositoryState>>, StoreError> {
    read(home, None)
}

/// What is being done on a repository: of the default host, else of the first other one that has it.
///
/// # Errors
/// When the store cannot be read.
pub fn run_state(home: &MinerHome, repository: &str) -> Result<Reading<Option<RepositoryState>>, StoreError> {
    let Reading { mut value, skipped, is_initialised } = read(home, Some(repository))?;
    let place = value.iter().position(|state| state.host == DEFAULT_HOST).unwrap_or(0);
    let value = (place < value.len()).then(|| value.swap_remove(place));
    Ok(Reading { value, skipped, is_initialised })
}

fn read(home: &MinerHome, repository: Option<&str>) -> Result<Reading<Vec<RepositoryState>>, StoreError> {
    let read = database::read(home, Store::RunState, |snapshot| {
        let sql = format!(
            "SELECT {host}, repo_full_name, state, updated_at FROM miner_run_state \
             WHERE ?1 IS NULL OR repo_full_name = ?1 ORDER BY repo_full_name, {host}",
            host = snapshot.host(),
        );
        let mut statement = snapshot.connection.prepare(&sql).map_err(snapshot.fault())?;
        let mut rows = statement.query(params![repository]).map_err(snapshot.fault())?;
        let (mut states, mut skipped) = (Vec::new(), 0);
        while let Some(row) = rows.next().map_err(snapshot.fault())? {
            match state(&mut Cells::of(row)) {
                // One more than is listed tells that there are more.
                Ok(state) if states.len() <= MOST_LISTED => states.push(state),
                Ok(_) => break,
                Err(BadRow) => skipped += 1,
            }
        }
        Ok((states, skipped))
    })?;
    let is_initialised = read.is_some();
    let (value, skipped) = read.unwrap_or_default();
    Ok(Reading { value, skipped, is_initialised })
}

fn state(cells: &mut Cells<'_, '_>) -> Result<RepositoryState, BadRow> {
    Ok(RepositoryState {
        host: cells.text()?.to_owned(),
        repository: cells.text()?.to_owned(),
        state: RunState::parse(cells.text()?).ok_or(BadRow)?,
        updated_at: cells.text()?.to_owned(),
    })
}
