//! What a plan is about, and whether something else is about the same.

use std::collections::BTreeSet;

use super::planned::PlannedPullRequest;
use crate::engine::collision_report::{CollisionCluster, CollisionItem, ItemType, Risk};
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
}

/// What a plan is compared with.
pub(super) struct Item<'a> {
    title: &'a str,
    labels: &'a [String],
    linked_issues: &'a [u64],
    changed_files: Option<&'a [String]>,
}

impl<'a> Item<'a> {
    pub(super) fn of(item: &'a CollisionItem) -> Self {
        Self {
            title: &item.title,
            labels: &item.labels,
            linked_issues: &item.linked_issues,
            changed_files: item.changed_files.as_deref(),
        }
    }

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
}

/// The words of a plan or of another item.
struct Subject {
    title: Terms,
    without_paths: Terms,
    with_paths: Terms,
    normalized_title: String,
}

impl Subject {
    fn new(title: &str, labels: &[String], with_paths: Terms) -> Self {
        Self {
            title: title_terms(title),
            without_paths: item_terms(title, labels, None),
            with_paths,
            normalized_title: normalized_title(title),
        }
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
        let with_paths = item_terms(&planned.title, &planned.labels, Some(&planned.changed_files));
        Self {
            planned,
            linked_issues: linked_issues.iter().copied().collect(),
            subject: Subject::new(&planned.title, &planned.labels, with_paths),
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

    /// Whether the contributor's own pull request is this item. Going on with one's own work repeats nobody's.
    pub(super) fn is_own(&self, item: &CollisionItem) -> bool {
        item.item_type != ItemType::Issue && self.is_by_contributor(item.author_login.as_deref())
    }

    /// Whether somebody of this login is the contributor.
    pub(super) fn is_by_contributor(&self, login: Option<&str>) -> bool {
        self.planned.is_by(login)
    }

    /// Whether the plan belongs into a cluster of work that is already under way.
    pub(super) fn would_join(&self, cluster: &CollisionCluster) -> bool {
        let is_planned_for = |item: &CollisionItem| item.item_type == ItemType::Issue && self.closes(item.number);
        let others = || cluster.items.iter().filter(|item| !self.is_own(item));
        others().any(|item| !is_planned_for(item)) && others().any(|item| self.is_related(&Item::of(item)))
    }

    /// Whether an item has to do with the plan: both close one issue, or they share words, of paths too.
    pub(super) fn is_related(&self, item: &Item<'_>) -> bool {
        if self.shared_issue(item.linked_issues).is_some() {
            return true;
        }
        self.subject_of(item).is_some_and(|other| {
            self.has_same_title(&other)
                || self.match_of(&other, |subject| &subject.without_paths).is_some()
                || self.match_of(&other, |subject| &subject.with_paths).is_some()
        })
    }

    /// How an item that is in no cluster is about the same as the plan. Words that only paths share count when a file is
    /// the same as well: neighbouring files are no repeated work.
    pub(super) fn likeness(&self, item: &Item<'_>) -> Option<Likeness> {
        let other = self.subject_of(item)?;
        if self.has_same_title(&other) {
            return Some(Likeness::Title);
        }
        let by_words = self.match_of(&other, |subject| &subject.without_paths);
        let by_paths = || {
            let of_paths = self.match_of(&other, |subject| &subject.with_paths);
            of_paths.filter(|_| self.shares_file(item.changed_files.unwrap_or_default()))
        };
        let overlap = by_words.or_else(by_paths)?;
        let risk = if overlap.score >= HIGH_SCORE { Risk::High } else { Risk::Medium };
        Some(Likeness::Terms { risk, shared: overlap.shared })
    }

    /// The words of an item. Most of a queue shares none with a plan, which is found out with one look at it.
    fn subject_of(&self, item: &Item<'_>) -> Option<Subject> {
        let with_paths = item_terms(item.title, item.labels, item.changed_files);
        self.subject.with_paths.shared(&with_paths).next()?;
        Some(Subject::new(item.title, item.labels, with_paths))
    }

    /// A title that holds no word of its own, like "Fix", is nobody's in particular.
    fn has_same_title(&self, other: &Subject) -> bool {
        !other.title.is_empty() && self.subject.normalized_title == other.normalized_title
    }

    /// The overlap of one form of the words, if it is enough and a title has a part in it.
    fn match_of(&self, other: &Subject, words: fn(&Subject) -> &Terms) -> Option<Overlap> {
        let (own, others) = (words(&self.subject), words(other));
        let overlap = own.overlap(others);
        let is_enough = overlap.shared >= LEAST_SHARED && overlap.score >= LEAST_SCORE;
        let names_it = |term: &str| self.subject.title.contains(term) || other.title.contains(term);
        (is_enough && own.shared(others).any(names_it)).then_some(overlap)
    }

    fn shares_file(&self, changed_files: &[String]) -> bool {
        let own: BTreeSet<&String> = self.planned.changed_files.iter().filter(|path| is_meaningful(path)).collect();
        changed_files.iter().any(|path| own.contains(path))
    }
}
