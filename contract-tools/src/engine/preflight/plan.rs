//! What a plan is about, and whether something else is about the same.

use std::collections::{BTreeSet, HashSet};

use super::planned::PlannedPullRequest;
use crate::engine::collision_report::Risk;
use crate::engine::records::{Issue, PullRequest};
use crate::engine::text::{Overlap, Terms, is_meaningful, item_terms, normalized_title, title_terms};

/// Words that two items must share to be about the same.
const LEAST_SHARED: usize = 2;

/// The part of the smaller item's words that must be shared.
const LEAST_SCORE: f64 = 0.5;

/// The part from which the risk is high.
const HIGH_SCORE: f64 = 0.75;

/// What a plan is about.
pub(super) struct Plan<'a> {
    planned: &'a PlannedPullRequest,
    linked_issues: BTreeSet<u64>,
    subject: Subject,
    normalized_title: String,
    /// Its files, without those that say nothing about the work.
    files: HashSet<&'a str>,
}

/// What a plan is compared with.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    title: &'a str,
    labels: &'a [String],
    linked_issues: &'a [u64],
    changed_files: Option<&'a [String]>,
}

impl<'a> Item<'a> {
    pub(super) fn of_issue(issue: &'a Issue) -> Self {
        let linked_issues = std::slice::from_ref(&issue.number);
        Self { title: &issue.title, labels: &issue.labels, linked_issues, changed_files: None }
    }

    pub(super) fn of_pull_request(row: &'a PullRequest) -> Self {
        Self {
            title: &row.title,
            labels: &row.labels,
            linked_issues: &row.linked_issues,
            changed_files: row.changed_files.as_deref(),
        }
    }

    /// All its words: of its title, labels and paths.
    pub(super) fn terms(&self) -> Terms {
        item_terms(self.title, self.labels, self.changed_files)
    }

    pub(super) fn linked_issues(&self) -> &'a [u64] {
        self.linked_issues
    }
}

/// The words of a plan or of another item. A form that can only be the next wider one is not made again.
struct Subject {
    title: Option<Terms>,
    without_paths: Option<Terms>,
    with_paths: Terms,
}

impl Subject {
    fn new(item: &Item<'_>, with_paths: Terms) -> Self {
        let has_paths = item.changed_files.is_some_and(|files| !files.is_empty());
        Self {
            title: (has_paths || !item.labels.is_empty()).then(|| title_terms(item.title)),
            without_paths: has_paths.then(|| item_terms(item.title, item.labels, None)),
            with_paths,
        }
    }

    fn title(&self) -> &Terms {
        self.title.as_ref().unwrap_or(&self.with_paths)
    }

    fn without_paths(&self) -> &Terms {
        self.without_paths.as_ref().unwrap_or(&self.with_paths)
    }

    fn with_paths(&self) -> &Terms {
        &self.with_paths
    }
}

/// How an item is about the same as a plan.
pub(super) enum Likeness {
    /// It has the same title.
    Title,
    /// It shares terms.
    Terms {
        /// How likely it is that one repeats the other.
        risk: Risk,
        /// How many terms.
        shared: usize,
    },
}

impl<'a> Plan<'a> {
    pub(super) fn new(planned: &'a PlannedPullRequest, linked_issues: &[u64]) -> Self {
        let item = Item {
            title: &planned.title,
            labels: &planned.labels,
            linked_issues: &[],
            changed_files: Some(&planned.changed_files),
        };
        Self {
            planned,
            linked_issues: linked_issues.iter().copied().collect(),
            subject: Subject::new(&item, item.terms()),
            normalized_title: normalized_title(&planned.title),
            files: planned.changed_files.iter().map(String::as_str).filter(|path| is_meaningful(path)).collect(),
        }
    }

    /// Whether the plan closes this issue.
    pub(super) fn closes(&self, issue: u64) -> bool {
        self.linked_issues.contains(&issue)
    }

    /// The first issue that both the plan and an item close.
    pub(super) fn shared_issue(&self, linked_issues: &[u64]) -> Option<u64> {
        linked_issues.iter().copied().filter(|issue| self.closes(*issue)).min()
    }

    /// Whether somebody of this login is the contributor.
    pub(super) fn is_by_contributor(&self, login: Option<&str>) -> bool {
        self.planned.is_by(login)
    }

    /// Whether an item with these words has to do with the plan: both close one issue, or they share words, of paths too.
    pub(super) fn is_related(&self, item: &Item<'_>, terms: &Terms) -> bool {
        if self.shared_issue(item.linked_issues).is_some() {
            return true;
        }
        self.has_title_of(item, terms)
            || self.subject_of(item, terms).is_some_and(|other| {
                self.overlap(&other, Subject::without_paths).is_some()
                    || self.overlap(&other, Subject::with_paths).is_some()
            })
    }

    /// How an item with these words is about the same as the plan. Words that only paths share count when a file is the
    /// same as well: neighbouring files are no repeated work.
    pub(super) fn likeness(&self, item: &Item<'_>, terms: &Terms) -> Option<Likeness> {
        if self.has_title_of(item, terms) {
            return Some(Likeness::Title);
        }
        let other = self.subject_of(item, terms)?;
        let by_words = self.overlap(&other, Subject::without_paths);
        let by_paths = || {
            let of_paths = self.overlap(&other, Subject::with_paths);
            of_paths.filter(|_| self.shares_file_with(item))
        };
        let overlap = by_words.or_else(by_paths)?;
        let risk = if overlap.score >= HIGH_SCORE { Risk::High } else { Risk::Medium };
        Some(Likeness::Terms { risk, shared: overlap.shared })
    }

    /// The words of an item. Most of a queue shares none with a plan, which is found out with one look at it.
    fn subject_of(&self, item: &Item<'_>, terms: &Terms) -> Option<Subject> {
        self.subject.with_paths.shared(terms).next()?;
        Some(Subject::new(item, terms.clone()))
    }

    /// Whether an item with these words has the title of the plan. One that lacks a word of it is not looked at closer.
    fn has_title_of(&self, item: &Item<'_>, terms: &Terms) -> bool {
        !self.normalized_title.is_empty()
            && self.subject.title().iter().all(|term| terms.contains(term))
            && self.normalized_title == normalized_title(item.title)
    }

    /// The overlap of one form of the words, if it is enough and a title has a part in it.
    fn overlap(&self, other: &Subject, form: fn(&Subject) -> &Terms) -> Option<Overlap> {
        let (own, others) = (form(&self.subject), form(other));
        let overlap = own.overlap(others);
        let is_enough = overlap.shared >= LEAST_SHARED && overlap.score >= LEAST_SCORE;
        let is_in_title = |term: &str| self.subject.title().contains(term) || other.title().contains(term);
        (is_enough && own.shared(others).any(is_in_title)).then_some(overlap)
    }

    fn shares_file_with(&self, item: &Item<'_>) -> bool {
        item.changed_files.unwrap_or_default().iter().any(|path| self.files.contains(path.as_str()))
    }
}
