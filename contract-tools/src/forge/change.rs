//! What may be written: each change says what one source claims at one moment. The store keeps, of everything that
//! was ever claimed about a thing, what is newest; so the order in which changes arrive does not matter, and neither
//! does repeating one. The exceptions say so.

use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{
    Bounty, CheckSummary, GithubTotals, Issue, PullRequest, PullRequestFile, SyncSegment, SyncState,
};

use super::RepoName;
use super::records::{
    CalibrationRow, CheckKind, Installation, Label, ManifestFile, NumberedCheck, NumberedReview, OfficialContributor,
    RegistrySnapshot, RepositoryFacts,
};

/// One thing to write.
#[derive(Clone, Debug)]
pub enum Change {
    /// What GitHub says about a repository; the newest `updated_at` counts. What has none, as in payloads that hold the
    /// repository in brief, adds what it says until something has one: private once said stays so.
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
        /// Whether the repository is private, where it says so: counts until [`Change::Repository`] tells it with a moment.
        is_private: Option<bool>,
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
    /// GitHub was asked to count and did not answer, as of a moment: older counts are not how it is now.
    NoTotals(RepoName, String),
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

impl Change {
    /// The moments that decide what is kept, each with the member that GitHub or an operator calls it by.
    pub fn moments(&self) -> Vec<(&'static str, &str)> {
        let all: Vec<(&'static str, Option<&String>)> = match self {
            Self::Repository(facts) => vec![("updated_at", facts.updated_at.as_ref())],
            Self::Registry(registry) => vec![("generatedAt", Some(&registry.generated_at))],
            Self::Installation(installation) => vec![("updated_at", installation.updated_at.as_ref())],
            Self::Covered { at, .. } => vec![("updated_at", at.as_ref())],
            Self::Issue(issue) => vec![("updated_at", issue.updated_at.as_ref())],
            Self::PullRequest(pull) => {
                vec![("updated_at", pull.updated_at.as_ref()), ("merged_at", pull.merged_at.as_ref())]
            }
            Self::Review(_, numbered) => {
                let submitted_at = numbered.review.submitted_at.as_ref();
                vec![("submitted_at", submitted_at), ("updated_at", numbered.updated_at.as_ref())]
            }
            Self::Check(_, numbered) => {
                let CheckSummary { started_at, completed_at, .. } = &numbered.check;
                match numbered.kind {
                    CheckKind::Run => {
                        vec![("started_at", started_at.as_ref()), ("completed_at", completed_at.as_ref())]
                    }
                    CheckKind::Status => {
                        vec![("created_at", started_at.as_ref()), ("updated_at", completed_at.as_ref())]
                    }
                }
            }
            Self::Bounty(bounty) => {
                vec![("updatedAt", bounty.updated_at.as_ref()), ("discoveredAt", bounty.discovered_at.as_ref())]
            }
            Self::Contributor(contributor) => vec![("generatedAt", Some(&contributor.generated_at))],
            Self::Calibration(row) => vec![("decidedAt", Some(&row.decided_at))],
            Self::Totals(_, totals) => vec![("fetchedAt", Some(&totals.fetched_at))],
            Self::Queue(_, observation) => vec![("generatedAt", Some(&observation.generated_at))],
            Self::Renamed { .. }
            | Self::Label(..)
            | Self::OnlyLabels(..)
            | Self::IssueGone(..)
            | Self::Files { .. }
            | Self::Manifest(..)
            | Self::NoManifest(..)
            | Self::NoTotals(..)
            | Self::SyncState(_)
            | Self::SyncSegment(_)
            | Self::Mark { .. } => Vec::new(),
        };
        all.into_iter().filter_map(|(member, moment)| Some((member, moment?.as_str()))).collect()
    }
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
