//! What is known about repositories, kept on this machine: the data that the remote tools read, and the sessions of those
//! who may ask.
//!
//! Everything outside sees [`Forge`], [`ForgeWriter`] and [`ForgeReader`]; SQLite is behind them and another database can be.
//! `import` and `sync` write [`Change`]s, made of GitHub's records by one reader. There are two ways in: [`reading`] for
//! whoever only reads, which leaves no trace and keeps nothing open between two readings, and [`open`] for whoever writes.
//!
//! Methods block. A handler that uses them is a plain `fn`, which runs where its server says.

mod name;
mod error;
mod records;
mod change;
mod place;
mod sqlite;
pub mod github;
pub mod import;
pub mod demo;
pub mod sync;

pub use change::{Applied, Change};
pub use error::{ForgeError, ForgeReason};
pub use name::RepoName;
pub use place::{Place, PlaceError};
pub use records::{
    CalibrationRow, CheckKind, Contributor, Installation, Label, ManifestFile, NewSession, NumberedCheck,
    NumberedReview, OfficialContributor, RegistrySnapshot, RepositoryFacts, Session, TokenHash,
};

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use crate::engine::queue_health::QueueCounts;
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{
    Bounty, Calibration, CheckSummary, GithubTotals, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest,
    Repository, RepositoryOutcome, Review, SyncSegment, SyncState,
};

/// The store of one installation, for whoever reads it.
pub trait Forge: Send + Sync + fmt::Debug {
    /// Lends the store as it is at one moment. Where a reading turns out to have met a write, `work` is asked again and what
    /// it found before is nothing.
    ///
    /// # Errors
    /// When the store cannot be used, or `work` fails.
    fn lend(&self, work: &mut Work<'_>) -> Result<(), ForgeError>;
}

/// What is done with the store at one moment.
pub type Work<'w> = dyn FnMut(&dyn ForgeReader) -> Result<(), ForgeError> + 'w;

/// The same for whoever writes it.
pub trait ForgeWriter: Send + Sync + fmt::Debug {
    /// Reads at one moment: whatever is written meanwhile is not seen until the next reading.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn read(&self) -> Result<Box<dyn ForgeReader + '_>, ForgeError>;

    /// Writes all of these or none.
    ///
    /// # Errors
    /// When the store cannot be used or has no room; then nothing of them was written.
    fn apply(&self, changes: &[Change]) -> Result<Applied, ForgeError>;

    /// Makes a session and says its number.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn create_session(&self, session: &NewSession) -> Result<i64, ForgeError>;

    /// Revokes a session at a moment; whether there was one to revoke.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn revoke_session(&self, id: i64, at: i64) -> Result<bool, ForgeError>;

    /// Revokes all sessions of a login, in any casing; how many there were.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn revoke_sessions_of(&self, login: &str, at: i64) -> Result<u64, ForgeError>;

    /// Forgets sessions that expired or were revoked before a moment; how many.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn forget_sessions(&self, before: i64) -> Result<u64, ForgeError>;
}

/// Which issues or pull requests are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that are open.
    Open,
    /// All of them.
    Any,
}

/// The store at one moment. A repository is found by its name in any casing, also by one that it had; what it says of
/// itself carries the spelling that GitHub gives.
#[expect(clippy::missing_errors_doc, reason = "each fails when the store cannot be used, and for nothing else")]
pub trait ForgeReader {
    /// The repository.
    fn repository(&self, repo: &RepoName) -> Result<Option<Repository>, ForgeError>;

    /// Repositories by name, at most `limit`, of those behind `after`.
    fn repositories(&self, after: Option<&RepoName>, limit: usize) -> Result<Vec<Repository>, ForgeError>;

    /// Issues, those that changed last first.
    fn issues(&self, repo: &RepoName, which: Which, limit: usize) -> Result<Vec<Issue>, ForgeError>;

    /// Issues of these numbers, in their order.
    fn issues_by_number(&self, repo: &RepoName, numbers: &[u64]) -> Result<Vec<Issue>, ForgeError>;

    /// The open issues that `is_wanted` wants, those that changed last first. It is shown every one; what it sees has no
    /// text.
    fn open_issues_that(
        &self,
        repo: &RepoName,
        is_wanted: &mut dyn FnMut(&Issue) -> bool,
    ) -> Result<Vec<Issue>, ForgeError>;

    /// Pull requests, those that changed last first, with the paths that they change where these are known.
    fn pull_requests(&self, repo: &RepoName, which: Which, limit: usize) -> Result<Vec<PullRequest>, ForgeError>;

    /// The same of open pull requests.
    fn open_pull_requests_that(
        &self,
        repo: &RepoName,
        is_wanted: &mut dyn FnMut(&PullRequest) -> bool,
    ) -> Result<Vec<PullRequest>, ForgeError>;

    /// Pull requests in any state that close one of these issues, those that changed last first.
    fn pull_requests_on(&self, repo: &RepoName, issues: &[u64], limit: usize) -> Result<Vec<PullRequest>, ForgeError>;

    /// One pull request.
    fn pull_request(&self, repo: &RepoName, number: u64) -> Result<Option<PullRequest>, ForgeError>;

    /// Merged pull requests, those merged last first.
    fn recent_merged(&self, repo: &RepoName, limit: usize) -> Result<Vec<RecentMergedPullRequest>, ForgeError>;

    /// The files that a pull request changes as of its head, by path.
    fn files(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<PullRequestFile>, ForgeError>;

    /// The reviews of a pull request, oldest first.
    fn reviews(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<Review>, ForgeError>;

    /// The checks on a pull request's head, oldest first.
    fn checks(&self, repo: &RepoName, pull_number: u64) -> Result<Vec<CheckSummary>, ForgeError>;

    /// The labels that a repository offers, by name.
    fn labels(&self, repo: &RepoName) -> Result<Vec<Label>, ForgeError>;

    /// How many are open: as GitHub counted when it was last asked; where it did not answer then, or was never asked, as many
    /// as there are here. None for an unknown repository.
    fn open_counts(&self, repo: &RepoName) -> Result<QueueCounts, ForgeError>;

    /// What GitHub counted, newest first.
    fn totals(&self, repo: &RepoName, limit: usize) -> Result<Vec<GithubTotals>, ForgeError>;

    /// How the queue was, newest first.
    fn queue_observations(&self, repo: &RepoName, limit: usize) -> Result<Vec<QueueObservation>, ForgeError>;

    /// The last attempt to copy the repository.
    fn sync_state(&self, repo: &RepoName) -> Result<Option<SyncState>, ForgeError>;

    /// How far the copy of each kind of its data has come.
    fn sync_segments(&self, repo: &RepoName) -> Result<Vec<SyncSegment>, ForgeError>;

    /// What a [`Change::Mark`] kept.
    fn mark(&self, repo: &RepoName, key: &str) -> Result<Option<String>, ForgeError>;

    /// Bounties, those that changed last first.
    fn bounties(&self, repo: &RepoName, limit: usize) -> Result<Vec<Bounty>, ForgeError>;

    /// The bounties on these issues, in their order.
    fn bounties_on(&self, repo: &RepoName, issues: &[u64]) -> Result<Vec<Bounty>, ForgeError>;

    /// The files that may be the manifest, in the order in which they are tried.
    fn manifests(&self, repo: &RepoName) -> Result<Vec<ManifestFile>, ForgeError>;

    /// Somebody whom the programme knows or who did anything here.
    fn contributor(&self, login: &str) -> Result<Option<Contributor>, ForgeError>;

    /// What became of somebody's pull requests, by repository.
    fn outcomes(&self, login: &str) -> Result<Vec<RepositoryOutcome>, ForgeError>;

    /// How often predictions about somebody came true; none when nothing was predicted.
    fn calibration(&self, login: &str) -> Result<Option<Calibration>, ForgeError>;

    /// The installations of an account that it did not take away.
    fn installations(&self, account_login: &str) -> Result<Vec<Installation>, ForgeError>;

    /// The repositories that the app covers and an account owns.
    fn owned_repositories(&self, owner: &str) -> Result<Vec<Repository>, ForgeError>;

    /// The repositories that the app covers and where a pull request of somebody carries a maintainer's association.
    fn maintained_repositories(&self, login: &str) -> Result<Vec<Repository>, ForgeError>;

    /// The session whose token has this digest, whether or not it still counts.
    fn session(&self, token: &TokenHash) -> Result<Option<Session>, ForgeError>;

    /// Sessions, newest first: those of one login in any casing, or all.
    fn sessions(&self, login: Option<&str>) -> Result<Vec<Session>, ForgeError>;
}

/// A store that many read: what servers provide and handlers take as `State<SharedForge>`. There is no way to write through
/// it.
#[derive(Clone, Debug)]
pub struct SharedForge(Arc<dyn Forge>);

impl SharedForge {
    /// Shares a store.
    pub fn new(forge: impl Forge + 'static) -> Self {
        Self(Arc::new(forge))
    }

    /// Reads at one moment; `work` may be asked more than once, see [`Forge::lend`].
    ///
    /// # Errors
    /// When the store cannot be used, or `work` fails.
    pub fn read<T>(&self, mut work: impl FnMut(&dyn ForgeReader) -> Result<T, ForgeError>) -> Result<T, ForgeError> {
        let mut found = None;
        self.0.lend(&mut |reader| {
            found = Some(work(reader)?);
            Ok(())
        })?;
        // Whoever lends without asking has nothing to lend.
        found.ok_or_else(|| ForgeError::new(ForgeReason::Unreadable))
    }
}

/// A store that many write: what `import`, `sync` and `session` hold.
#[derive(Clone, Debug)]
pub struct WritableForge(Arc<dyn ForgeWriter>);

impl Deref for WritableForge {
    type Target = dyn ForgeWriter;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// The store in a file, for reading. It is opened by each reading, so that a store that is put there later, replaced or taken
/// away is seen by the next one.
///
/// Not for a process that writes the store at the same time: a reading ends by closing the file, and then the kernel drops the
/// locks of that process's writer. What writes reads through [`ForgeWriter::read`].
pub fn reading(path: &Path) -> SharedForge {
    SharedForge::new(sqlite::ReadOnlyForge::of(path))
}

/// Opens the store in a file to write it: makes it when there is none, brings an older one up to date, and leaves a newer one
/// alone.
///
/// # Errors
/// When it cannot be used.
pub fn open(path: &Path) -> Result<WritableForge, ForgeError> {
    sqlite::SqliteForge::open(path).map(|forge| WritableForge(Arc::new(forge)))
}

/// The same, but a store that is not there is not made.
///
/// # Errors
/// When it cannot be used.
pub fn open_existing(path: &Path) -> Result<Option<WritableForge>, ForgeError> {
    let forge = sqlite::SqliteForge::open_existing(path)?;
    Ok(forge.map(|forge| WritableForge(Arc::new(forge))))
}
