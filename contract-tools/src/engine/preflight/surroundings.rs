//! The part of a repository's open work that clusters around a plan can be made of.
//!
//! Comparing everything with everything is bounded, so that work which has nothing to do with the plan could push out
//! work that has. A cluster that the plan would join holds an item that is related to the plan, and its other items share
//! a word or an issue with that one. Everything else is left out beforehand, and nothing is lost by it.

use std::collections::{BTreeSet, HashSet};

use super::plan::{Item, Plan};
use crate::engine::collision_report::ItemType;
use crate::engine::records::{Issue, PullRequest};
use crate::engine::text::Terms;

/// Open work around a plan, in the order of the records and without its bodies.
pub(super) struct Surroundings {
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    /// What of it is related to the plan. A report's items do not tell: they repeat only part of their records.
    related: HashSet<(ItemType, u64)>,
}

impl Surroundings {
    pub(super) fn of(plan: &Plan<'_>, issues: &[Issue], pull_requests: &[PullRequest]) -> Self {
        let issues = compared(
            issues.iter().filter(|issue| issue.is_open()),
            |issue| (ItemType::Issue, issue.number),
            Item::of_issue,
        );
        let pull_requests = compared(
            pull_requests.iter().filter(|row| row.is_open()),
            |row| (ItemType::PullRequest, row.number),
            Item::of_pull_request,
        );
        let mut center = Center::default();
        center.add_related(plan, &issues);
        center.add_related(plan, &pull_requests);
        Self {
            issues: center.near(&issues).map(without_body).collect(),
            pull_requests: center.near(&pull_requests).map(pull_request_without_body).collect(),
            related: center.related,
        }
    }

    /// Whether an item is related to the plan.
    pub(super) fn is_related(&self, item_type: ItemType, number: u64) -> bool {
        self.related.contains(&(item_type, number))
    }
}

/// A record with its words, which are read once.
struct Compared<'a, Record> {
    record: &'a Record,
    key: (ItemType, u64),
    item: Item<'a>,
    terms: Terms,
}

fn compared<'a, Record>(
    records: impl Iterator<Item = &'a Record>,
    key: fn(&Record) -> (ItemType, u64),
    item: fn(&'a Record) -> Item<'a>,
) -> Vec<Compared<'a, Record>> {
    let compared = |record| {
        let item = item(record);
        Compared { record, key: key(record), item, terms: item.terms() }
    };
    records.map(compared).collect()
}

/// What the items that are related to the plan are about.
#[derive(Default)]
struct Center {
    related: HashSet<(ItemType, u64)>,
    terms: HashSet<String>,
    issues: BTreeSet<u64>,
}

impl Center {
    fn add_related<Record>(&mut self, plan: &Plan<'_>, items: &[Compared<'_, Record>]) {
        for Compared { item, terms, key, .. } in items.iter().filter(|row| plan.is_related(&row.item, &row.terms)) {
            self.related.insert(*key);
            self.terms.extend(terms.iter().map(str::to_owned));
            self.issues.extend(item.linked_issues());
        }
    }

    /// The records that share a word or an issue with what is related to the plan.
    fn near<'a, Record>(&self, items: &[Compared<'a, Record>]) -> impl Iterator<Item = &'a Record> {
        let is_near = |row: &&Compared<'a, Record>| {
            // A title may hold no word at all.
            self.related.contains(&row.key)
                || row.item.linked_issues().iter().any(|issue| self.issues.contains(issue))
                || row.terms.iter().any(|term| self.terms.contains(term))
        };
        items.iter().filter(is_near).map(|row| row.record)
    }
}

fn without_body(issue: &Issue) -> Issue {
    Issue {
        repo_full_name: issue.repo_full_name.clone(),
        number: issue.number,
        title: issue.title.clone(),
        state: issue.state.clone(),
        labels: issue.labels.clone(),
        author_login: issue.author_login.clone(),
        html_url: issue.html_url.clone(),
        updated_at: issue.updated_at.clone(),
        ..Issue::default()
    }
}

fn pull_request_without_body(row: &PullRequest) -> PullRequest {
    PullRequest {
        repo_full_name: row.repo_full_name.clone(),
        number: row.number,
        title: row.title.clone(),
        state: row.state.clone(),
        labels: row.labels.clone(),
        linked_issues: row.linked_issues.clone(),
        author_login: row.author_login.clone(),
        html_url: row.html_url.clone(),
        linked_issue_claimed_at: row.linked_issue_claimed_at.clone(),
        changed_files: row.changed_files.clone(),
        updated_at: row.updated_at.clone(),
        ..PullRequest::default()
    }
}
