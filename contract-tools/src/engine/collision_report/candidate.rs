//! What is compared: open issues, open pull requests and merged ones, each once and in one shape.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::super::records::{Issue, PullRequest, RecentMergedPullRequest};
use super::super::text::cut_units;
use super::report::{CollisionItem, ItemType};

/// Items that are compared pair by pair at most, so that the work is bounded whatever the queue.
const MOST_ISSUES: usize = 80;
const MOST_PULL_REQUESTS: usize = 120;
const MOST_MERGED: usize = 40;

/// What a report repeats of what strangers wrote: an item may stand in many clusters.
const TITLE_UNITS: usize = 300;
const REPORTED_LABELS: usize = 50;
const LABEL_UNITS: usize = 100;
const REPORTED_FILES: usize = 20;
const FILE_UNITS: usize = 300;

/// An item to compare, borrowed from its record.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'a> {
    pub(super) item_type: ItemType,
    pub(super) number: u64,
    pub(super) title: &'a str,
    pub(super) author_login: Option<&'a str>,
    pub(super) labels: &'a [String],
    /// Without repetitions; of an issue its own number.
    pub(super) linked_issues: Vec<u64>,
    pub(super) changed_files: Option<&'a [String]>,
    html_url: Option<&'a str>,
    linked_issue_claimed_at: Option<&'a str>,
    /// When it last changed, or was merged.
    changed_at: Option<&'a str>,
}

impl<'a> Candidate<'a> {
    fn issue(issue: &'a Issue) -> Self {
        Self {
            item_type: ItemType::Issue,
            number: issue.number,
            title: &issue.title,
            author_login: issue.author_login.as_deref(),
            labels: &issue.labels,
            linked_issues: vec![issue.number],
            changed_files: None,
            html_url: issue.html_url.as_deref(),
            linked_issue_claimed_at: None,
            changed_at: issue.updated_at.as_deref(),
        }
    }

    fn pull_request(pull_request: &'a PullRequest) -> Self {
        Self {
            item_type: ItemType::PullRequest,
            number: pull_request.number,
            title: &pull_request.title,
            author_login: pull_request.author_login.as_deref(),
            labels: &pull_request.labels,
            linked_issues: distinct(&pull_request.linked_issues),
            changed_files: pull_request.changed_files.as_deref(),
            html_url: pull_request.html_url.as_deref(),
            linked_issue_claimed_at: pull_request.linked_issue_claimed_at.as_deref(),
            changed_at: pull_request.updated_at.as_deref(),
        }
    }

    fn merged(merged: &'a RecentMergedPullRequest) -> Self {
        Self {
            item_type: ItemType::RecentMergedPullRequest,
            number: merged.number,
            title: &merged.title,
            author_login: merged.author_login.as_deref(),
            labels: &merged.labels,
            linked_issues: distinct(&merged.linked_issues),
            changed_files: merged.changed_files.as_deref(),
            html_url: merged.html_url.as_deref(),
            linked_issue_claimed_at: None,
            changed_at: merged.merged_at.as_deref(),
        }
    }

    pub(super) fn is_merged(&self) -> bool {
        self.item_type == ItemType::RecentMergedPullRequest
    }

    pub(super) fn item(&self) -> CollisionItem {
        CollisionItem {
            item_type: self.item_type,
            number: self.number,
            title: plain(self.title, TITLE_UNITS),
            author_login: self.author_login.map(str::to_owned),
            html_url: self.html_url.map(str::to_owned),
            labels: self.labels.iter().take(REPORTED_LABELS).map(|label| plain(label, LABEL_UNITS)).collect(),
            linked_issues: self.linked_issues.clone(),
            linked_issue_claimed_at: self.linked_issue_claimed_at.map(str::to_owned),
            changed_files: self
                .changed_files
                .map(|files| files.iter().take(REPORTED_FILES).map(|path| plain(path, FILE_UNITS)).collect()),
        }
    }

    fn key(&self) -> String {
        format!("{}-{}", self.item_type.word(), self.number)
    }
}

impl From<&Issue> for CollisionItem {
    fn from(issue: &Issue) -> Self {
        Candidate::issue(issue).item()
    }
}

impl From<&PullRequest> for CollisionItem {
    fn from(pull_request: &PullRequest) -> Self {
        Candidate::pull_request(pull_request).item()
    }
}

/// The name of a pair, the same whichever comes first.
pub(super) fn pair_id(left: &Candidate<'_>, right: &Candidate<'_>) -> String {
    let mut keys = [left.key(), right.key()];
    keys.sort();
    keys.join("--")
}

/// Everything that may be compared, in the order of the lists.
pub(super) struct Candidates<'a> {
    pub(super) issues: Vec<Candidate<'a>>,
    pub(super) pull_requests: Vec<Candidate<'a>>,
    pub(super) merged: Vec<Candidate<'a>>,
}

impl<'a> Candidates<'a> {
    pub(super) fn of(
        issues: &'a [Issue],
        pull_requests: &'a [PullRequest],
        merged: &'a [RecentMergedPullRequest],
    ) -> Self {
        let mut seen = HashSet::new();
        let issues =
            issues.iter().filter(|issue| issue.is_open() && seen.insert(issue.number)).map(Candidate::issue).collect();
        // Pull requests keep their number when they are merged, so that one which is listed as both is one.
        let mut seen = HashSet::new();
        let pull_requests = pull_requests
            .iter()
            .filter(|pull_request| pull_request.is_open() && seen.insert(pull_request.number))
            .map(Candidate::pull_request)
            .collect();
        let mut merged: Vec<Candidate<'a>> =
            merged.iter().filter(|merged| seen.insert(merged.number)).map(Candidate::merged).collect();
        keep_first(&mut merged, MOST_MERGED, |merged| Reverse(merged.changed_at));
        Self { issues, pull_requests, merged }
    }

    /// What is compared pair by pair: issues, pull requests, merged ones. Where there are too many, issues that a pull
    /// request closes and pull requests that close one go first, and then whatever changed last.
    pub(super) fn pool(&self) -> Vec<&Candidate<'a>> {
        let linked: HashSet<u64> =
            self.pull_requests.iter().flat_map(|candidate| candidate.linked_issues.iter().copied()).collect();
        let mut issues: Vec<&Candidate<'a>> = self.issues.iter().collect();
        keep_first(&mut issues, MOST_ISSUES, |issue| (!linked.contains(&issue.number), Reverse(issue.changed_at)));
        let mut pull_requests: Vec<&Candidate<'a>> = self.pull_requests.iter().collect();
        keep_first(&mut pull_requests, MOST_PULL_REQUESTS, |candidate| {
            (candidate.linked_issues.is_empty(), Reverse(candidate.changed_at), candidate.number)
        });
        issues.into_iter().chain(pull_requests).chain(&self.merged).collect()
    }
}

/// Leaves a list as it is unless it is too long; then it keeps those of lowest rank, in that order.
fn keep_first<T, K: Ord>(list: &mut Vec<T>, most: usize, rank: impl FnMut(&T) -> K) {
    if list.len() > most {
        list.sort_by_key(rank);
        list.truncate(most);
    }
}

fn distinct(numbers: &[u64]) -> Vec<u64> {
    let mut seen = HashSet::new();
    numbers.iter().copied().filter(|number| seen.insert(*number)).collect()
}

fn plain(text: &str, units: usize) -> String {
    cut_units(text, units).chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}
