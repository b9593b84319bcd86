//! The part of a repository's open work that clusters around a plan can be made of.
//!
//! Comparing everything with everything is bounded, so that work which has nothing to do with the plan could push out
//! work that has. A cluster that the plan would join holds an item that is related to the plan, and its other items share
//! a word or an issue with that one. Everything else is left out beforehand, and nothing is lost by it.

use std::collections::{BTreeSet, HashSet};

use super::plan::{Item, Plan};
use crate::engine::records::{Issue, PullRequest};
use crate::engine::text::{Terms, item_terms};

/// Open work around a plan, in the order of the records and without its bodies.
pub(super) struct Surroundings {
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
}

impl Surroundings {
    pub(super) fn of(plan: &Plan<'_>, issues: &[Issue], pull_requests: &[PullRequest]) -> Self {
        let issues: Vec<(&Issue, Terms)> = issues
            .iter()
            .filter(|issue| issue.is_open())
            .map(|issue| (issue, item_terms(&issue.title, &issue.labels, None)))
            .collect();
        let pull_requests: Vec<(&PullRequest, Terms)> = pull_requests
            .iter()
            .filter(|row| row.is_open())
            .map(|row| (row, item_terms(&row.title, &row.labels, row.changed_files.as_deref())))
            .collect();

        let mut center = Center::default();
        for (issue, terms) in &issues {
            if plan.is_related(&Item::of_issue(issue)) {
                center.add(terms, &[issue.number]);
            }
        }
        for (row, terms) in &pull_requests {
            if plan.is_related(&Item::of_pull_request(row)) {
                center.add(terms, &row.linked_issues);
            }
        }
        let near_issues = issues.iter().filter(|(issue, terms)| center.is_near(terms, &[issue.number]));
        let near_rows = pull_requests.iter().filter(|(row, terms)| center.is_near(terms, &row.linked_issues));
        Self {
            issues: near_issues.map(|(issue, _)| without_body(issue)).collect(),
            pull_requests: near_rows.map(|(row, _)| pull_request_without_body(row)).collect(),
        }
    }
}

/// What the items that are related to the plan are about.
#[derive(Default)]
struct Center {
    terms: HashSet<String>,
    issues: BTreeSet<u64>,
}

impl Center {
    fn add(&mut self, terms: &Terms, issues: &[u64]) {
        self.terms.extend(terms.iter().map(str::to_owned));
        self.issues.extend(issues);
    }

    fn is_near(&self, terms: &Terms, issues: &[u64]) -> bool {
        issues.iter().any(|issue| self.issues.contains(issue)) || terms.iter().any(|term| self.terms.contains(term))
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
