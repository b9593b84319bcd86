//! How far the copy of a repository's data has come.

use serde::{Deserialize, Serialize};

/// The last attempt to copy a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncState {
    /// `owner/name`.
    pub repo_full_name: String,
    /// How it went.
    pub status: SyncStatus,
    /// When one last came to its end.
    pub last_completed_at: Option<String>,
    /// When this was last written.
    pub updated_at: Option<String>,
    /// What went wrong, in a sentence.
    pub error_summary: Option<String>,
    /// What it complained about.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// How an attempt to copy a repository went.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncStatus {
    #[default]
    NeverSynced,
    Running,
    Success,
    Partial,
    Error,
    Skipped,
    Capped,
    RateLimited,
    Stale,
}

/// One kind of a repository's data, and how far its copy has come.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncSegment {
    /// `owner/name`.
    pub repo_full_name: String,
    /// Which kind.
    pub segment: SegmentKind,
    /// How it went.
    pub status: SegmentStatus,
    /// Records copied.
    #[serde(default)]
    pub fetched_count: u64,
    /// Records that there should be.
    pub expected_count: Option<u64>,
    /// When the copy came to its end.
    pub completed_at: Option<String>,
}

/// A kind of a repository's data.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentKind {
    Metadata,
    Labels,
    OpenIssues,
    OpenPullRequests,
    RecentMergedPullRequests,
    PullRequestFiles,
    PullRequestReviews,
    CheckSummaries,
}

/// How far the copy of one kind of data has come.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentStatus {
    NeverSynced,
    Running,
    Refreshing,
    Complete,
    Partial,
    Capped,
    Sampled,
    Stale,
    RateLimited,
    WaitingRateLimit,
    Error,
    Skipped,
    NotModified,
}

impl SegmentKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Labels => "labels",
            Self::OpenIssues => "open_issues",
            Self::OpenPullRequests => "open_pull_requests",
            Self::RecentMergedPullRequests => "recent_merged_pull_requests",
            Self::PullRequestFiles => "pull_request_files",
            Self::PullRequestReviews => "pull_request_reviews",
            Self::CheckSummaries => "check_summaries",
        }
    }
}
