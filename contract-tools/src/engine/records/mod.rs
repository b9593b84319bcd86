//! What is known about a repository, as plain data.
//!
//! Whoever has a store fills these; an absent and a null member mean the same. Texts stay as they arrived: what a state, an
//! association or a moment means is decided by the rule that asks. [`Default`] is for building records piece by piece.

mod repository;
mod issue;
mod pull_request;
mod contributor;
mod sync;

pub use contributor::{Calibration, ContributorProfile, OfficialRepositoryActivity, RepositoryOutcome};
pub use issue::{Bounty, Issue};
pub use pull_request::{CheckSummary, PullRequest, PullRequestFile, RecentMergedPullRequest, Review};
pub use repository::{GithubTotals, RegistryConfig, Repository};
pub use sync::{SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus};

/// The state of what is neither closed nor merged, in the only spelling that counts.
pub const OPEN: &str = "open";
