//! What is compared: open issues, open pull requests and merged ones, each once and in one shape.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::super::records::{Issue, PullRequest, RecentMergedPullRequest};
use super::super::text::plain;
use super::report::{CollisionItem, ItemType};

/// Items that are compared pair by pair at most, so that the work is bounded whatever the queue.
const MOST_ISSUES: usize = 80;
const MOST_PULL_REQUESTS: usize = 120;
const MOST_MERGED: usize = 40;

/// What a report repeats of what strangers wrote: an item may stand in many clusters.
const TITLE_UNITS: usize = 300;
const REPORTED_LABELS: usize = 50;
const LABEL_UNITS: usize = 100;
const REPORTED_LINKS: usize = 50;
const REPORTED_FILES: usize = 20;
const FILE_UNITS: usize = 300;

/// An item to compare, borrowed from its record.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Candidate<'a> {
    pub(in crate::engine) item_type: ItemType,
    pub(in crate::engine) number: u64,
    pub(super) title: &'a str,
    pub(in crate::engine) author_login: Option<&'a str>,
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
            linked_issues: self.linked_issues.iter().take(REPORTED_LINKS).copied().collect(),
            linked_issue_claimed_at: self.linked_issue_claimed_at.map(str::to_owned),
            changed_files: self
                .changed_files
                .map(|files| files.iter().take(REPORTED_FILES).map(|path| plain(path, FILE_UNITS)).collect()),
        }
    }

    /// What decides between two records of one number: when they changed, and then anything but their order.
    fn contents(&self) -> impl Ord + use<'a, '_> {
        let Self {
            item_type: _, number: _, title, author_login, labels, linked_issues, changed_files, html_url, ..
        } = self;
        let claimed_at = self.linked_issue_claimed_at;
        (
            self.changed_at,
            *title,
            *labels,
            linked_issues.as_slice(),
            *changed_files,
            *author_login,
            *html_url,
            claimed_at,
        )
    }

    /// What no other candidate has, in an order that does not depend on that of the lists.
    pub(in crate::engine) fn rank(&self) -> (ItemType, u64) {
        (self.item_type, self.number)
    }

    pub(super) fn key(&self) -> String {
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

/// Everything that may be compared, in the order of the lists.
pub(in crate::engine) struct Candidates<'a> {
    pub(super) issues: Vec<Candidate<'a>>,
    pub(super) pull_requests: Vec<Candidate<'a>>,
    pub(super) merged: Vec<Candidate<'a>>,
}

impl<'a> Candidates<'a> {
    pub(in crate::engine) fn of(
        issues: &'a [Issue],
        pull_requests: &'a [PullRequest],
        merged: &'a [RecentMergedPullRequest],
    ) -> Self {
        let open_issues = issues.iter().filter(|issue| issue.is_open()).map(Candidate::issue);
        let open = pull_requests.iter().filter(|pull_request| pull_request.is_open()).map(Candidate::pull_request);
        let pull_requests = each_once(open);
        // Pull requests keep their number when they are merged, so that one which is listed as both is one.
        let known: HashSet<u64> = pull_requests.iter().map(|candidate| candidate.number).collect();
        let mut merged = each_once(merged.iter().map(Candidate::merged));
        merged.retain(|candidate| !known.contains(&candidate.number));
        Self { issues: each_once(open_issues), pull_requests, merged }
    }

    /// The merged ones that are compared: those that were merged last.
    pub(super) fn recent(&self) -> Vec<&Candidate<'a>> {
        let mut merged: Vec<&Candidate<'a>> = self.merged.iter().collect();
        keep_first(&mut merged, MOST_MERGED, |merged| (Reverse(merged.changed_at), merged.number));
        merged
    }

    /// What is compared pair by pair: issues, pull requests, merged ones. Where there are too many, issues that a pull
    /// request closes and pull requests that close one go first, and then whatever changed last.
    pub(super) fn pool(&self) -> Vec<&Candidate<'a>> {
        let linked: HashSet<u64> =
            self.pull_requests.iter().flat_map(|candidate| candidate.linked_issues.iter().copied()).collect();
        let mut issues: Vec<&Candidate<'a>> = self.issues.iter().collect();
        keep_first(&mut issues, MOST_ISSUES, |issue| {
            (!linked.contains(&issue.number), Reverse(issue.changed_at), issue.number)
        });
        let mut pull_requests: Vec<&Candidate<'a>> = self.pull_requests.iter().collect();
        keep_first(&mut pull_requests, MOST_PULL_REQUESTS, |candidate| {
            (candidate.linked_issues.is_empty(), Reverse(candidate.changed_at), candidate.number)
        });
        issues.into_iter().chain(pull_requests).chain(self.recent()).collect()
    }

    /// Everything, in the order of the pool.
    pub(super) fn all(&self) -> impl Iterator<Item = &Candidate<'a>> {
        self.issues.iter().chain(&self.pull_requests).chain(&self.merged)
    }
}

/// Each number once. Of records that speak of one number the last changed counts, wherever it is listed.
fn each_once<'a>(candidates: impl Iterator<Item = Candidate<'a>>) -> Vec<Candidate<'a>> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut kept: Vec<Candidate<'a>> = Vec::new();
    for candidate in candidates {
        let place = *places.entry(candidate.number).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(known) if known.contents() < candidate.contents() => *known = candidate,
            Some(_) => {}
            None => kept.push(candidate),
        }
    }
    kept
}

/// Leaves a list as it is unless it is too long; then it keeps those of lowest rank, in that order. No two have one rank.
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
