//! The report of preflight, put together.

use serde::Serialize;

use super::findings::{self, Known};
use super::planned::PlannedPullRequest;
use super::related_cluster::RelatedCluster;
use super::related_work::related_work;
use crate::engine::bounty::BountyBook;
use crate::engine::finding::{Finding, Severity};
use crate::engine::issue_quality::IssueQualityEntry;
use crate::engine::lane_advice::{Lane, LaneAdvice, lane_advice};
use crate::engine::moment::{self, Moment};
use crate::engine::records::{Bounty, Issue, PullRequest, Repository};
use crate::engine::text::{KeptFirst, is_maintainer_association, linked_references};

/// The number of files from which a review is much work.
const MANY_FILES: usize = 12;

/// The number of files from which a review is some work.
const SOME_FILES: usize = 5;

/// How preflight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PreflightStatus {
    /// Nothing is in the way.
    Ready,
    /// Something should be better first.
    NeedsWork,
    /// The repository takes no such work now.
    Hold,
}

/// How much work a review would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewBurden {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// What the rules need to know.
#[derive(Debug, Clone, Copy)]
pub struct PreflightInput<'a> {
    /// The plan.
    pub planned: &'a PlannedPullRequest,
    /// The repository, where it is known.
    pub repository: Option<&'a Repository>,
    /// Its issues.
    pub issues: &'a [Issue],
    /// Its pull requests.
    pub pull_requests: &'a [PullRequest],
    /// Its bounties.
    pub bounties: &'a [Bounty],
    /// What is said about its issues; every entry, not only those that a report shows.
    pub issue_quality: &'a [IssueQualityEntry],
    /// Which references count when the text holds too many.
    pub kept_first: KeptFirst,
    /// The present moment.
    pub now: Moment,
}

/// What preflight has to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreflightReport {
    /// `owner/name`, as the caller spells it.
    pub repo_full_name: String,
    /// When it was made.
    pub generated_at: String,
    /// How it ended.
    pub status: PreflightStatus,
    /// What the repository takes.
    pub lane: LaneAdvice,
    /// How much work a review would be.
    pub review_burden: ReviewBurden,
    /// Numbers of the issues that the plan links, ascending.
    pub linked_issues: Vec<u64>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What is already being done about the same, the surest of it.
    pub collisions: Vec<RelatedCluster>,
}

/// Checks a plan.
pub fn preflight(input: &PreflightInput<'_>) -> PreflightReport {
    let planned = input.planned;
    let lane = lane_advice(input.repository, &planned.repo_full_name);
    let references =
        linked_references(planned.body.as_deref().unwrap_or_default(), &planned.repo_full_name, input.kept_first);
    let mut linked_issues = [planned.linked_issues.as_slice(), &references.numbers].concat();
    linked_issues.sort_unstable();
    linked_issues.dedup();
    let related = related_work(planned, &linked_issues, input.issues, input.pull_requests);

    let is_maintainer = is_maintainer_association(planned.author_association.as_deref());
    let findings = findings::findings(&Known {
        planned,
        lane: &lane,
        is_maintainer,
        linked_issues: &linked_issues,
        has_overflow: references.has_overflow,
        related: &related,
        bounties: &BountyBook::new(&planned.repo_full_name, input.bounties, input.issues, input.now),
        issue_quality: input.issue_quality,
    });
    PreflightReport {
        repo_full_name: planned.repo_full_name.clone(),
        generated_at: moment::text(input.now),
        status: status(lane.lane, is_maintainer, &findings),
        review_burden: review_burden(planned.changed_files.len(), related.count > 0),
        lane,
        linked_issues,
        findings,
        collisions: related.clusters,
    }
}

/// Whether a repository takes no work now.
pub(super) fn is_unavailable(lane: Lane) -> bool {
    matches!(lane, Lane::Unknown | Lane::Inactive)
}

fn status(lane: Lane, is_maintainer: bool, findings: &[Finding]) -> PreflightStatus {
    if is_unavailable(lane) && !is_maintainer {
        PreflightStatus::Hold
    } else if findings.iter().any(|finding| finding.severity > Severity::Info) {
        PreflightStatus::NeedsWork
    } else {
        PreflightStatus::Ready
    }
}

/// Blank paths and repeated ones count: what the caller lists is what somebody has to read.
fn review_burden(changed_files: usize, has_related_work: bool) -> ReviewBurden {
    if changed_files >= MANY_FILES || has_related_work {
        ReviewBurden::High
    } else if changed_files >= SOME_FILES {
        ReviewBurden::Medium
    } else {
        ReviewBurden::Low
    }
}
