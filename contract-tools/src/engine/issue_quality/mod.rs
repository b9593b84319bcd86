//! Says of each open issue whether it is worth working on.

mod lifecycle;
mod facts;
mod judge;
mod linked;

use crate::engine::lane_advice::Lane;
use crate::engine::moment::Moment;
use crate::engine::records::{Bounty, Issue, PullRequest, RecentMergedPullRequest};

pub use lifecycle::IssueLifecycle;
pub use linked::linked_issue_findings;

/// Labels by which a maintainer says that an issue is being worked on.
const WIP_LABELS: [&str; 12] = [
    "wip",
    "work in progress",
    "work-in-progress",
    "in progress",
    "in-progress",
    "blocked",
    "on hold",
    "on-hold",
    "draft",
    "do not work",
    "do-not-work",
    "internal",
];

/// A report names this many issues at most, the best ones.
const MOST_REPORTED: usize = 100;

/// What the rules need to know.
#[derive(Debug, Clone, Copy)]
pub struct IssueQualityInput<'a> {
    /// `owner/name` of the repository.
    pub repo_full_name: &'a str,
    /// What the repository takes.
    pub lane: Lane,
    /// Issues; those that are not open are not judged.
    pub issues: &'a [Issue],
    /// Pull requests.
    pub pull_requests: &'a [PullRequest],
    /// Pull requests that were merged lately.
    pub recent_merged: &'a [RecentMergedPullRequest],
    /// Bounties.
    pub bounties: &'a [Bounty],
    /// The present moment.
    pub now: Moment,
}

/// Whether to work on an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IssueQualityStatus {
    /// It can be worked on.
    Ready,
    /// It has to be shown first that it is still wanted.
    NeedsProof,
    /// Too much speaks against it.
    Hold,
    /// It is done, being done, or not to be done.
    DoNotUse,
}

impl IssueQualityStatus {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::NeedsProof => "needs_proof",
            Self::Hold => "hold",
            Self::DoNotUse => "do_not_use",
        }
    }
}

/// What is said about one issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueQualityEntry {
    /// Its number.
    pub number: u64,
    /// Whether to work on it.
    pub status: IssueQualityStatus,
    /// How much speaks for it, from 0 to 100.
    pub score: i64,
    /// What speaks against it.
    pub warnings: Vec<String>,
    /// What speaks for it.
    pub reasons: Vec<String>,
}

/// Judges every open issue, the best first. Who asks about one issue looks it up here; [`reported`] is for reading.
pub fn issue_quality(input: &IssueQualityInput<'_>) -> Vec<IssueQualityEntry> {
    let surroundings = facts::Surroundings::new(input);
    let open = input.issues.iter().filter(|issue| issue.is_open());
    let mut entries: Vec<_> = open.map(|issue| judge::judge(issue, &surroundings.facts(issue), input.lane)).collect();
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.score), entry.number, entry.status));
    entries
}

/// As many of the best entries as a reader is shown.
pub fn reported(entries: &[IssueQualityEntry]) -> &[IssueQualityEntry] {
    &entries[..entries.len().min(MOST_REPORTED)]
}

#[cfg(test)]
mod tests;
