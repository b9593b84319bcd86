//! How far the stored copy of a repository's data may be relied on, as callers read it.

use contract_core::contract_type;

use crate::engine::data_quality;
use crate::engine::records::{SegmentKind, SyncStatus};
use crate::privacy::Shown;
use crate::tools::remote_shared::same_words;

/// How far the stored data may be relied on, and why not further.
#[expect(clippy::struct_excessive_bools, reason = "four independent faults, each a member of the contract")]
#[contract_type]
#[derive(Clone, Debug)]
pub struct DataQuality {
    /// How far it may be relied on: `complete`, `degraded`, `blocked` or `unknown`.
    pub status: DataStatus,
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// Whether the copy, or part of it, is old.
    pub stale: bool,
    /// Whether some of it is missing.
    pub partial: bool,
    /// Whether a limit of this program cut it off.
    pub capped: bool,
    /// Whether GitHub's rate limit cut it off.
    pub rate_limited: bool,
    /// Kinds of data that anything is known of.
    pub segment_count: u64,
    /// Kinds of data that are not all there.
    pub incomplete_segments: Vec<DataSegment>,
    /// Kinds of data that were cut off by a limit of this program.
    pub capped_segments: Vec<DataSegment>,
    /// Kinds of data whose copy is old.
    pub stale_segments: Vec<DataSegment>,
    /// Kinds of data that were cut off by GitHub's rate limit.
    pub rate_limited_segments: Vec<DataSegment>,
    /// The last attempt to copy the repository; left out when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_state: Option<SyncSummary>,
    /// What a reader should know, in sentences.
    pub warnings: Vec<Shown>,
}

contract_core::vocabulary! {
    /// How far a copy may be relied on.
    pub enum DataStatus: "data status" {
        /// All of it is there and young.
        Complete = "complete",
        /// Something is missing or old.
        Degraded = "degraded",
        /// Copying it fails.
        Blocked = "blocked",
        /// Nothing says how far.
        Unknown = "unknown",
    }
}
same_words!(DataStatus from data_quality::DataStatus: Complete, Degraded, Blocked, Unknown);

contract_core::vocabulary! {
    /// A kind of a repository's data.
    pub enum DataSegment: "data segment" {
        /// The repository itself.
        Metadata = "metadata",
        /// Its labels.
        Labels = "labels",
        /// Open issues.
        OpenIssues = "open_issues",
        /// Open pull requests.
        OpenPullRequests = "open_pull_requests",
        /// Pull requests that were merged lately.
        RecentMergedPullRequests = "recent_merged_pull_requests",
        /// Files that pull requests change.
        PullRequestFiles = "pull_request_files",
        /// Reviews.
        PullRequestReviews = "pull_request_reviews",
        /// Checks.
        CheckSummaries = "check_summaries",
    }
}
same_words!(
    DataSegment from SegmentKind:
    Metadata, Labels, OpenIssues, OpenPullRequests, RecentMergedPullRequests, PullRequestFiles, PullRequestReviews,
    CheckSummaries
);

contract_core::vocabulary! {
    /// How an attempt to copy a repository went.
    pub enum SyncOutcome: "sync outcome" {
        /// There was none.
        NeverSynced = "never_synced",
        /// It goes on.
        Running = "running",
        /// It came to its end.
        Success = "success",
        /// A part is missing.
        Partial = "partial",
        /// It failed.
        Error = "error",
        /// It was left out.
        Skipped = "skipped",
        /// A limit of this program ended it.
        Capped = "capped",
        /// GitHub's rate limit ended it.
        RateLimited = "rate_limited",
        /// It is too old to count.
        Stale = "stale",
    }
}
same_words!(
    SyncOutcome from SyncStatus:
    NeverSynced, Running, Success, Partial, Error, Skipped, Capped, RateLimited, Stale
);

/// The last attempt to copy a repository, in short.
#[contract_type]
#[derive(Clone, Debug)]
pub struct SyncSummary {
    /// How it went, in a word such as `success`, `partial` or `rate_limited`.
    pub status: SyncOutcome,
    /// When one last came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_completed_at: Option<String>,
    /// When this was last written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// What it complained about.
    pub warnings: Vec<Shown>,
}

impl From<data_quality::DataQuality> for DataQuality {
    fn from(quality: data_quality::DataQuality) -> Self {
        let segments = |kinds: Vec<SegmentKind>| kinds.into_iter().map(DataSegment::from).collect();
        Self {
            status: quality.status.into(),
            repo_full_name: quality.repo_full_name,
            generated_at: quality.generated_at,
            stale: quality.stale,
            partial: quality.partial,
            capped: quality.capped,
            rate_limited: quality.rate_limited,
            segment_count: quality.segment_count as u64,
            incomplete_segments: segments(quality.incomplete_segments),
            capped_segments: segments(quality.capped_segments),
            stale_segments: segments(quality.stale_segments),
            rate_limited_segments: segments(quality.rate_limited_segments),
            sync_state: quality.sync_state.map(|state| SyncSummary {
                status: state.status.into(),
                last_completed_at: state.last_completed_at,
                updated_at: state.updated_at,
                warnings: state.warnings.into_iter().map(Shown::from).collect(),
            }),
            warnings: quality.warnings.iter().map(|warning| Shown::from(warning.to_string())).collect(),
        }
    }
}
