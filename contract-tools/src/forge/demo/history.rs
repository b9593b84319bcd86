//! What GitHub's records do not hold: how the queue was in the weeks before, and how a copy of the repository went.

use chrono::TimeDelta;

use super::REPOSITORY;
use crate::engine::moment::{self, Moment};
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{GithubTotals, SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus};
use crate::forge::{Change, RepoName};

/// Days ago, then open issues and pull requests, those ever merged and closed, stale ones and groups of duplicates.
const WEEKS: [(i64, [u64; 6]); 6] = [
    (35, [3, 2, 60, 11, 0, 0]),
    (28, [4, 2, 61, 11, 0, 0]),
    (21, [5, 3, 62, 11, 1, 0]),
    (14, [6, 4, 63, 13, 1, 0]),
    (7, [6, 5, 65, 15, 1, 0]),
    (0, [7, 6, 67, 15, 1, 1]),
];

const SEGMENTS: [(SegmentKind, u64); 8] = [
    (SegmentKind::Metadata, 1),
    (SegmentKind::Labels, 5),
    (SegmentKind::OpenIssues, 7),
    (SegmentKind::OpenPullRequests, 6),
    (SegmentKind::RecentMergedPullRequests, 5),
    (SegmentKind::PullRequestFiles, 29),
    (SegmentKind::PullRequestReviews, 5),
    (SegmentKind::CheckSummaries, 9),
];

pub(super) fn of(now: Moment) -> Vec<Change> {
    let Some(repo) = RepoName::parse(REPOSITORY) else { return Vec::new() };
    let mut changes = Vec::new();
    for (days, [issues, pulls, merged, closed, stale, clusters]) in WEEKS {
        let at = moment::text(now - TimeDelta::days(days));
        let totals = GithubTotals {
            fetched_at: at.clone(),
            open_issues_total: issues,
            open_pull_requests_total: pulls,
            merged_pull_requests_total: merged,
            closed_unmerged_pull_requests_total: closed,
            labels_total: 5,
        };
        changes.push(Change::Totals(repo.clone(), totals));
        let observation = QueueObservation {
            generated_at: at,
            open_pull_requests: pulls,
            stale_pull_requests: stale,
            collision_clusters: clusters,
        };
        changes.push(Change::Queue(repo.clone(), observation));
    }
    let at = moment::text(now - TimeDelta::hours(1));
    let repo_full_name = REPOSITORY.to_owned();
    for (segment, count) in SEGMENTS {
        changes.push(Change::SyncSegment(SyncSegment {
            repo_full_name: repo_full_name.clone(),
            segment,
            status: SegmentStatus::Complete,
            fetched_count: count,
            expected_count: Some(count),
            completed_at: Some(at.clone()),
        }));
    }
    changes.push(Change::SyncState(SyncState {
        repo_full_name,
        status: SyncStatus::Success,
        last_completed_at: Some(at.clone()),
        updated_at: Some(at),
        error_summary: None,
        warnings: Vec::new(),
    }));
    changes
}
