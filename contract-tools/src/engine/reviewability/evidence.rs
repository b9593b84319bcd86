//! What the records say about a pull request.

use std::collections::HashMap;

use super::super::collision_report::{Candidates, count_with};
use super::super::moment::{self, Moment};
use super::super::records::{CheckSummary, PullRequest, RepositoryOutcome, Review};
use super::super::rounding::{ratio, round};
use super::super::text::{has_no_issue_rationale, is_code_path, is_failing_check, is_test_path};
use super::ReviewabilityInput;
use super::role::{Role, RoleSource, role, same};

/// Files from which a change is broad.
const BROAD_FILES: u64 = 12;

/// Changed lines from which a change is broad.
const BROAD_LINES: u64 = 800;

/// Pull requests that must have been decided before a rate says anything about their author.
const LEAST_DECIDED: u64 = 5;

/// What the records say about a pull request.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What its author is to the repository.
    pub role: Role,
    /// How that is known.
    pub role_source: RoleSource,
    /// Clusters of duplicate work that it is in.
    pub collision_clusters: u64,
    /// Checks that fail on its newest commit.
    pub failing_checks: u64,
    /// The verdict that each reviewer holds now.
    pub verdicts: Vec<ReviewVerdict>,
    /// Issues that it closes.
    pub linked_issues: u64,
    /// Whether it says why it closes none.
    pub has_rationale: bool,
    /// Files that it changes.
    pub files: u64,
    /// Those of them that are code.
    pub code_files: u64,
    /// Those of them that are tests.
    pub test_files: u64,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// The part of its author's other pull requests that was closed without a merge, when enough were decided.
    pub closed_rate: Option<f64>,
}

/// A verdict that a review leaves behind; comments leave none.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReviewVerdict {
    Approved,
    ChangesRequested,
}

impl Evidence {
    /// Reads the records.
    pub fn gather(input: &ReviewabilityInput<'_>) -> Self {
        let pull_request = input.pull_request;
        let candidates = Candidates::of(input.issues, input.pull_requests, input.recent_merged);
        let (role, role_source) = role(input);
        let count = |holds: fn(&str) -> bool| input.files.iter().filter(|file| holds(&file.path)).count() as u64;
        Self {
            role,
            role_source,
            collision_clusters: count_with(&candidates, pull_request.number),
            failing_checks: failing_checks(pull_request, input.checks),
            verdicts: verdicts(input.reviews),
            linked_issues: pull_request.linked_issues.len() as u64,
            has_rationale: has_no_issue_rationale(&pull_request.title, pull_request.body.as_deref()),
            files: input.files.len() as u64,
            code_files: count(is_code_path),
            test_files: count(is_test_path),
            additions: input.files.iter().fold(0, |sum, file| sum.saturating_add(file.additions)),
            deletions: input.files.iter().fold(0, |sum, file| sum.saturating_add(file.deletions)),
            closed_rate: closed_rate(input),
        }
    }

    /// Whether the change is too broad to review in one go.
    pub fn is_broad(&self) -> bool {
        self.files >= BROAD_FILES || self.additions.saturating_add(self.deletions) >= BROAD_LINES
    }

    /// Whether a reviewer approves of it.
    pub fn is_approved(&self) -> bool {
        self.verdicts.contains(&ReviewVerdict::Approved)
    }

    /// Whether a reviewer wants changes.
    pub fn has_requested_changes(&self) -> bool {
        self.verdicts.contains(&ReviewVerdict::ChangesRequested)
    }
}

/// Failing checks on the newest commit, the newest of each name. A check or a pull request that names no commit is taken to
/// speak of the newest.
fn failing_checks(pull_request: &PullRequest, checks: &[CheckSummary]) -> u64 {
    let head = pull_request.head_sha.as_deref();
    let is_current = |check: &&CheckSummary| match (check.head_sha.as_deref(), head) {
        (Some(sha), Some(head)) => sha == head,
        _ => true,
    };
    let time = |check: &CheckSummary| {
        let time = check.started_at.as_deref().or(check.completed_at.as_deref());
        time.and_then(moment::parse)
    };
    let fails = |check: &CheckSummary| is_failing_check(&check.status, check.conclusion.as_deref());
    let newest = newest(checks.iter().filter(is_current), |check| Some(&check.name), time, fails);
    newest.filter(|check| fails(check)).count() as u64
}

/// The verdict that each reviewer holds now. Comments and pending reviews leave an earlier verdict as it is.
fn verdicts(reviews: &[Review]) -> Vec<ReviewVerdict> {
    let states = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"];
    let decides = |review: &&Review| states.iter().any(|state| review.state.eq_ignore_ascii_case(state));
    let time = |review: &Review| review.submitted_at.as_deref().and_then(moment::parse);
    let verdict = |review: &Review| match review.state.to_ascii_uppercase().as_str() {
        "APPROVED" => Some(ReviewVerdict::Approved),
        "CHANGES_REQUESTED" => Some(ReviewVerdict::ChangesRequested),
        _ => None,
    };
    let how_bad = |review: &Review| match verdict(review) {
        Some(ReviewVerdict::Approved) => 0,
        None => 1,
        Some(ReviewVerdict::ChangesRequested) => 2,
    };
    let newest = newest(reviews.iter().filter(decides), |review| review.reviewer_login.as_ref(), time, how_bad);
    let mut verdicts: Vec<ReviewVerdict> = newest.filter_map(verdict).collect();
    verdicts.sort_unstable();
    verdicts
}

/// The newest record of each name; the worst one where moments are missing or equal, whatever the order of the list. A
/// record without a name stands alone.
fn newest<'a, T: 'a, W: Ord>(
    records: impl Iterator<Item = &'a T>,
    name: impl Fn(&T) -> Option<&String>,
    time: impl Fn(&T) -> Option<Moment>,
    how_bad: impl Fn(&T) -> W,
) -> impl Iterator<Item = &'a T> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut newest: Vec<&'a T> = Vec::new();
    let rank = |record: &T| (time(record), how_bad(record));
    for record in records {
        let known = name(record).map(|name| places.entry(name.to_lowercase()).or_insert(newest.len()));
        match known.and_then(|place| newest.get_mut(*place)) {
            Some(kept) if rank(kept) >= rank(record) => {}
            Some(kept) => *kept = record,
            None => newest.push(record),
        }
    }
    newest.into_iter()
}

/// The part of the author's pull requests here that was closed, without this one, once enough of them are decided.
fn closed_rate(input: &ReviewabilityInput<'_>) -> Option<f64> {
    // Of several rows the one that knows most counts, whatever their order.
    let rows = input.outcomes.iter().filter(|row| same(&row.repo_full_name, input.repo_full_name));
    let row = rows.max_by_key(|row| (row.closed_pull_requests, row.merged_pull_requests, row.open_pull_requests))?;
    let RepositoryOutcome {
        merged_pull_requests: merged, closed_pull_requests: closed, open_pull_requests: open, ..
    } = row;
    let [merged, closed, open] = match input.pull_request.state.as_str() {
        "open" => [*merged, *closed, open.saturating_sub(1)],
        _ if super::is_merged(input.pull_request) => [merged.saturating_sub(1), *closed, *open],
        _ => [*merged, closed.saturating_sub(1), *open],
    };
    let decided = merged.saturating_add(closed);
    (decided >= LEAST_DECIDED).then(|| round(ratio(closed, decided.saturating_add(open)), 4))
}
