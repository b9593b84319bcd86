//! What of a repository can have to do with one piece of work, so that the rest need not be read.

use std::collections::HashSet;

use super::super::records::{Issue, PullRequest};
use super::super::text::{Terms, item_terms, normalized_title};

/// Terms that two items share at least when terms alone make them the same work, by any rule.
const LEAST_SHARED: usize = 2;

/// Tells what can have to do with one piece of work. It lets in more than the rules will find, and nothing less.
#[derive(Debug)]
pub struct Nearness {
    title: String,
    terms: Terms,
    linked_issues: HashSet<u64>,
}

impl Nearness {
    /// To work of this title, these labels and files, that closes these issues.
    pub fn to(title: &str, labels: &[String], changed_files: Option<&[String]>, linked_issues: &[u64]) -> Self {
        Self {
            title: normalized_title(title),
            terms: item_terms(title, labels, changed_files),
            linked_issues: linked_issues.iter().copied().collect(),
        }
    }

    /// Whether an issue can have to do with it.
    pub fn has_issue(&self, issue: &Issue) -> bool {
        self.has(&issue.title, &issue.labels, None, &[issue.number])
    }

    /// Whether a pull request can have to do with it.
    pub fn has_pull_request(&self, row: &PullRequest) -> bool {
        self.has(&row.title, &row.labels, row.changed_files.as_deref(), &row.linked_issues)
    }

    fn has(&self, title: &str, labels: &[String], changed_files: Option<&[String]>, linked_issues: &[u64]) -> bool {
        if linked_issues.iter().any(|issue| self.linked_issues.contains(issue)) {
            return true;
        }
        let shared = self.terms.shared(&item_terms(title, labels, changed_files)).take(LEAST_SHARED).count();
        shared == LEAST_SHARED || (!self.title.is_empty() && self.title == normalized_title(title))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_an_issue_a_title_or_two_terms_is_near() {
        let near = Nearness::to("Crash of parser", &[], None, &[7]);
        let issue = |number, title: &str| Issue { number, title: title.to_owned(), ..Issue::default() };
        assert!(near.has_issue(&issue(7, "Other")) && near.has_issue(&issue(8, "The parser's crash on tabs")));
        assert!(!near.has_issue(&issue(8, "Crash on startup")) && !near.has_issue(&issue(8, "")));
        let row = |title: &str, linked_issues| PullRequest {
            title: title.to_owned(),
            linked_issues,
            ..PullRequest::default()
        };
        assert!(near.has_pull_request(&row("Other", vec![1, 7])) && !near.has_pull_request(&row("Other", vec![1])));
        let wordless = Nearness::to("Fix CI", &[], None, &[]);
        assert!(wordless.has_pull_request(&row("fix: CI", vec![])) && !wordless.has_issue(&issue(1, "Fix CD")));
        assert!(!Nearness::to("", &[], None, &[]).has_issue(&issue(1, "")));
    }
}
