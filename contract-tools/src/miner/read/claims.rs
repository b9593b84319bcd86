//! The claim ledger: which issues are being worked on.

use contract_core::loopover::ClaimStatus;
use rusqlite::params;

use super::page::{Page, PageRequest};
use crate::miner::database;
use crate::miner::row::Cells;
use crate::miner::{MinerHome, Store, StoreError};
use crate::privacy::Shown;

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The host of the repository.
    pub host: Shown,
    /// The repository.
    pub repository: Shown,
    /// The issue.
    pub issue_number: i64,
    /// Since when.
    pub claimed_at: Shown,
    /// How it stands.
    pub status: Shown,
    /// What was noted.
    pub note: Option<Shown>,
}

/// Claims in the order in which they were made.
///
/// # Errors
/// When the store cannot be read.
pub fn claims(
    home: &MinerHome,
    repository: Option<&str>,
    status: Option<ClaimStatus>,
    request: PageRequest,
) -> Result<Page<Claim>, StoreError> {
    let page = database::read(home, Store::ClaimLedger, |snapshot| {
        // What an older table let in and its successor does not is gone once the miner has moved it.
        let known = if snapshot.has("api_base_url") { "1" } else { "status IN ('active', 'released', 'expired')" };
        let sql = format!(
            "SELECT id, {host}, repo_full_name, issue_number, claimed_at, status, {note} FROM miner_claims \
             WHERE id > ?1 AND (?2 IS NULL OR repo_full_name = ?2) AND (?3 IS NULL OR status = ?3) AND {known} \
             ORDER BY id",
            host = snapshot.host(),
            note = snapshot.column("note", "NULL"),
        );
        let status = status.map(ClaimStatus::as_str);
        request.read(snapshot, &sql, params![request.after(), repository, status], |cells: &mut Cells<'_, '_>| {
            Ok(Claim {
                host: cells.text()?.into(),
                repository: cells.text()?.into(),
                issue_number: cells.integer()?,
                claimed_at: cells.text()?.into(),
                status: cells.text()?.into(),
                note: cells.optional_text()?.map(Shown::from),
            })
        })
    })?;
    Ok(page.unwrap_or_else(|| request.empty()))
}
