//! A reading: one connection in one transaction, lent for as long as it goes on.

mod people;
mod pull_requests;
mod repositories;
mod surroundings;

pub(super) use surroundings::UNCOUNTED;

use std::ops::Deref;

use rusqlite::Connection;

use super::SqliteForge;
use super::error::fault;
use super::open::Held;
use super::query::row;
use super::sessions;
use crate::engine::queue_health::QueueCounts;
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{
    Bounty, Calibration, CheckSummary, GithubTotals, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest,
    Repository, RepositoryOutcome, Review, SyncSegment, SyncState,
};
use crate::forge::{
    Contributor, ForgeError, ForgeReader, Installation, Label, ManifestFile, RepoName, Session, TokenHash, Which,
};

/// The store at one moment, through a connection that is in a transaction.
pub(super) struct Snapshot<C> {
    connection: C,
}

impl<C: Deref<Target = Connection>> Snapshot<C> {
    pub(super) fn of(connection: C) -> Self {
        Self { connection }
    }

    /// Asks about one repository; what there is to say about an unknown one is nothing.
    fn about<T: Default>(
        &self,
        repo: &RepoName,
        ask: impl FnOnce(&Connection, &Found) -> rusqlite::Result<T>,
    ) -> Result<T, ForgeError> {
        let connection = &*self.connection;
        let found = find(connection, repo).map_err(fault)?;
        found.map_or_else(|| Ok(T::default()), |found| ask(connection, &found).map_err(fault))
    }
}

/// A connection of the writer's for one reading, given back when that is over.
pub(super) struct Lent<'f> {
    forge: &'f SqliteForge,
    /// There until the end.
    held: Option<Held>,
}

impl<'f> Lent<'f> {
    pub(super) fn by(forge: &'f SqliteForge) -> Result<Self, ForgeError> {
        let held = forge.take()?;
        held.connection.execute_batch("BEGIN").map_err(fault)?;
        Ok(Self { forge, held: Some(held) })
    }
}

impl Deref for Lent<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        // Only `drop` takes it.
        let held = self.held.as_ref();
        &held.unwrap_or_else(|| unreachable!("a reading has its connection until it is dropped")).connection
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            // A reading has nothing to lose; a connection that cannot end one is closed.
            let _ = held.connection.execute_batch("ROLLBACK");
            self.forge.give_back(held);
        }
    }
}

/// A repository's number here and its name in the spelling that is shown.
pub(in crate::forge::sqlite) struct Found {
    pub(in crate::forge::sqlite) id: i64,
    pub(in crate::forge::sqlite) full_name: String,
}

/// The repository of a name, or the one that had it.
pub(in crate::forge::sqlite) fn find(connection: &Connection, repo: &RepoName) -> rusqlite::Result<Option<Found>> {
    let found = |row: &rusqlite::Row<'_>| Ok(Found { id: row.get(0)?, full_name: row.get(1)? });
    let now = row(connection, "SELECT id, full_name FROM repositories WHERE name_key = ?1", [repo.key()], found)?;
    if now.is_some() {
        return Ok(now);
    }
    let sql = "SELECT r.id, r.full_name FROM former_names f JOIN repositories r ON r.id = f.repository_id \
               WHERE f.name_key = ?1";
    row(connection, sql, [repo.key()], found)
}

impl<C: Deref<Target = Connection>> ForgeReader for Snapshot<C> {
    fn repository(&self, repo: &RepoName) -> Result<Option<Repository>, ForgeError> {
        self.about(repo, |connection, found| repositories::one(connection, found.id))
    }

    fn repositories(&self, after: Option<&RepoName>, limit: usize) -> Result<Vec<Repository>, ForgeError> {
        repositories::page(&self.connection, after, limit).map_err(fault)
    }

    fn issues(&self, repo: &RepoName, which: Which, limit: usize) -> Result<Vec<Issue>, ForgeError> {
        self.about(repo, |connection, found| surroundings::issues(connection, found, which, limit))
    }

    fn issues_by_number(&self, repo: &RepoName, numbers: &[u64]) -> Result<Vec<Issue>, ForgeError> {
        self.about(repo, |connection, found| surroundings::issues_by_number(connection, found, numbers))
    }

    fn pull_requests(&self, repo: &RepoName, which: Which, limit: usize) -> Result<Vec<PullRequest>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::list(connection, found, which, limit))
    }

    fn open_issues_that(
        &self,
        repo: &RepoName,
        is_wanted: &mut dyn FnMut(&Issue) -> bool,
    ) -> Result<Vec<Issue>, ForgeError> {
        self.about(repo, |connection, found| surroundings::open_issues_that(connection, found, is_wanted))
    }

    fn open_pull_requests_that(
        &self,
        repo: &RepoName,
        is_wanted: &mut dyn FnMut(&PullRequest) -> bool,
    ) -> Result<Vec<PullRequest>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::open_that(connection, found, is_wanted))
    }

    fn pull_requests_on(&self, repo: &RepoName, issues: &[u64], limit: usize) -> Result<Vec<PullRequest>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::on(connection, found, issues, limit))
    }

    fn pull_request(&self, repo: &RepoName, number: u64) -> Result<Option<PullRequest>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::one(connection, found, number))
    }

    fn recent_merged(&self, repo: &RepoName, limit: usize) -> Result<Vec<RecentMergedPullRequest>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::merged(connection, found, limit))
    }

    fn files(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<PullRequestFile>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::files(connection, found.id, pull_number))
    }

    fn reviews(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<Review>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::reviews(connection, found.id, pull_number))
    }

    fn checks(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<CheckSummary>, ForgeError> {
        self.about(repo, |connection, found| pull_requests::checks(connection, found.id, pull_number))
    }

    fn labels(&self, repo: &RepoName) -> Result<Vec<Label>, ForgeError> {
        self.about(repo, |connection, found| surroundings::labels(connection, found.id))
    }

    fn open_counts(&self, repo: &RepoName) -> Result<QueueCounts, ForgeError> {
        self.about(repo, |connection, found| surroundings::open_counts(connection, found.id))
    }

    fn totals(&self, repo: &RepoName, limit: usize) -> Result<Vec<GithubTotals>, ForgeError> {
        self.about(repo, |connection, found| surroundings::totals(connection, found.id, limit))
    }

    fn queue_observations(&self, repo: &RepoName, limit: usize) -> Result<Vec<QueueObservation>, ForgeError> {
        self.about(repo, |connection, found| surroundings::queue_observations(connection, found.id, limit))
    }

    fn sync_state(&self, repo: &RepoName) -> Result<Option<SyncState>, ForgeError> {
        self.about(repo, surroundings::sync_state)
    }

    fn sync_segments(&self, repo: &RepoName) -> Result<Vec<SyncSegment>, ForgeError> {
        self.about(repo, surroundings::sync_segments)
    }

    fn mark(&self, repo: &RepoName, key: &str) -> Result<Option<String>, ForgeError> {
        self.about(repo, |connection, found| surroundings::mark(connection, found.id, key))
    }

    fn bounties(&self, repo: &RepoName, limit: usize) -> Result<Vec<Bounty>, ForgeError> {
        self.about(repo, |connection, found| surroundings::bounties(connection, found, limit))
    }

    fn bounties_on(&self, repo: &RepoName, issues: &[u64]) -> Result<Vec<Bounty>, ForgeError> {
        self.about(repo, |connection, found| surroundings::bounties_on(connection, found, issues))
    }

    fn manifests(&self, repo: &RepoName) -> Result<Vec<ManifestFile>, ForgeError> {
        self.about(repo, |connection, found| surroundings::manifests(connection, found.id))
    }

    fn contributor(&self, login: &str) -> Result<Option<Contributor>, ForgeError> {
        people::contributor(&self.connection, login).map_err(fault)
    }

    fn outcomes(&self, login: &str) -> Result<Vec<RepositoryOutcome>, ForgeError> {
        people::outcomes(&self.connection, login).map_err(fault)
    }

    fn calibration(&self, login: &str) -> Result<Option<Calibration>, ForgeError> {
        people::calibration(&self.connection, login).map_err(fault)
    }

    fn installations(&self, account_login: &str) -> Result<Vec<Installation>, ForgeError> {
        people::installations(&self.connection, account_login).map_err(fault)
    }

    fn owned_repositories(&self, owner: &str) -> Result<Vec<Repository>, ForgeError> {
        repositories::owned(&self.connection, owner).map_err(fault)
    }

    fn maintained_repositories(&self, login: &str) -> Result<Vec<Repository>, ForgeError> {
        people::maintained(&self.connection, login).map_err(fault)
    }

    fn session(&self, token: &TokenHash) -> Result<Option<Session>, ForgeError> {
        sessions::find(&self.connection, token).map_err(fault)
    }

    fn sessions(&self, login: Option<&str>) -> Result<Vec<Session>, ForgeError> {
        sessions::list(&self.connection, login).map_err(fault)
    }
}
