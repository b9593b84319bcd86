//! Which open work may be the same as other work, and how sure that is.
//!
//! Pull requests that close one issue are one group: one cluster, however many they are. A pull request and the issue that
//! it closes are no duplicates. Items of one title are one group as well. Everything else is compared pair by pair, by the
//! words of titles and labels and by the files that are changed. At least one side of every cluster is open.

mod report;
mod candidate;
mod found;
mod nearness;
mod shared_issue;
mod shared_terms;
mod shared_title;

pub use nearness::Nearness;
pub use report::{CollisionCluster, CollisionItem, CollisionReason, CollisionReport, CollisionSummary, ItemType, Risk};

use super::moment::{self, Moment};
use super::records::{Issue, PullRequest, RecentMergedPullRequest};

pub(super) use candidate::{Candidate, Candidates};
pub(super) use found::{FoundCluster, MOST_CLUSTERS, MOST_ITEMS, MOST_ITEMS_IN_ALL, count_with, duplicates_told, find};

/// Reports on open `issues` and `pull_requests`, and on `recent_merged` ones as far as open work repeats them. What is
/// closed is passed over, and what is listed twice counts once.
pub fn collision_report(
    repo_full_name: &str,
    issues: &[Issue],
    pull_requests: &[PullRequest],
    recent_merged: &[RecentMergedPullRequest],
    now: Moment,
) -> CollisionReport {
    let candidates = Candidates::of(issues, pull_requests, recent_merged);
    let found = find(&candidates);
    let high_risk = found.iter().filter(|cluster| cluster.risk == Risk::High);
    let (clusters, untold_duplicates) = found::tell(&found);
    CollisionReport {
        repo_full_name: repo_full_name.to_owned(),
        generated_at: moment::text(now),
        summary: CollisionSummary {
            cluster_count: found.len() as u64,
            high_risk_count: high_risk.count() as u64,
            items_reviewed: candidates.pool().len() as u64,
        },
        clusters,
        untold_duplicates,
    }
}

#[cfg(test)]
mod tests;
