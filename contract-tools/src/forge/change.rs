//! What may be written: each change says what one source claims at one moment. The store keeps, of everything that
//! was ever claimed about a thing, what is newest; so the order in which changes arrive does not matter, and neither
//! does repeating one. The exceptions say so.

use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{Bounty, GithubTotals, Issue, PullRequest, PullRequestFile, SyncSegment, SyncState};

use super::RepoName;
use super::records::{
    CalibrationRow, Installation, Label, ManifestFile, NumberedCheck, NumberedReview, OfficialContributor,
    RegistrySnapshot, RepositoryFacts,
};

/// One thing to write.
#[derive(Clone, Debug)]
pub enum Change {
    /// There is a repository of this name. Everything below that names a repository implies it.
    Known(RepoName),
    /// What GitHub says about a repository; the newest `updated_at` counts.
    Repository(RepositoryFacts),
    /// It is called `to` now. Counts as of now; both names find it afterwards.
    Renamed {
        /// Its old name.
        from: RepoName,
        /// Its new one.
        to: RepoName,
    },
    /// The registry; the newest `generated_at` counts.
    Registry(RegistrySnapshot),
    /// An installation; the newest `updated_at` counts, and what is removed stays so.
    Installation(Installation),
    /// An installation covers a repository, or does so no longer; the newest moment counts.
    Covered {
        /// The repository.
        repo: RepoName,
        /// Number of the installation.
        installation: u64,
        /// Whether it does.
        is_covered: bool,
        /// As of when.
        at: Option<String>,
    },
    /// A label. GitHub dates none, so the last one written counts.
    Label(RepoName, Label),
    /// The names of all labels; others go. Counts as of now.
    OnlyLabels(RepoName, Vec<String>),
    /// An issue, whose `repo_full_name` says where; the newest `updated_at` counts.
    Issue(Issue),
    /// An issue was deleted, or went elsewhere: for good.
    IssueGone(RepoName, u64),
    /// A pull request. Its newest `updated_at` counts, for its draft state and its head on their own, since not every
    /// source tells these; a merge is for good. `changed_files` is not looked at: see [`Change::Files`].
    PullRequest(PullRequest),
    /// Files that a pull request changes. They belong to the commit at its head, and so to whichever pull request has it.
    Files {
        /// The repository.
        repo: RepoName,
        /// The commit.
        head_sha: String,
        /// All of them or some.
        files: Vec<PullRequestFile>,
    },
    /// A review; the newest moment counts.
    Review(RepoName, NumberedReview),
    /// A check; the newest moment counts, and of one moment the one that is further.
    Check(RepoName, NumberedCheck),
    /// A file that may be the manifest. GitHub does not date it, so the last one written counts.
    Manifest(RepoName, ManifestFile),
    /// There is no such file. Counts as of now.
    NoManifest(RepoName, String),
    /// A bounty, whose `repo_full_name` says where; the newest `updated_at` counts.
    Bounty(Bounty),
    /// Somebody whom the programme knows; the newest `generated_at` counts.
    Contributor(OfficialContributor),
    /// A prediction whose outcome is known; the newest `decided_at` counts.
    Calibration(CalibrationRow),
    /// What GitHub counted at one moment.
    Totals(RepoName, GithubTotals),
    /// How the queue was at one moment.
    Queue(RepoName, QueueObservation),
    /// The last attempt to copy a repository, whose `repo_full_name` says which. Counts as of now.
    SyncState(SyncState),
    /// How far the copy of one kind of data has come. Counts as of now.
    SyncSegment(SyncSegment),
    /// Something that whoever copies a repository wants to find again, such as an `ETag` or a place to go on from.
    /// Counts as of now.
    Mark {
        /// The repository.
        repo: RepoName,
        /// What it is.
        key: String,
        /// Its value; without one it is forgotten.
        value: Option<String>,
    },
}

/// What came of changes that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Changes that changed something.
    pub changed: u64,
    /// Those that said what was known already, or something older.
    pub known: u64,
    /// Those that name no repository as one is named.
    pub nameless: u64,
}
