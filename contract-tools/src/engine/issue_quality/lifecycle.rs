//! Where an issue stands.

use crate::engine::lane_advice::Lane;
use crate::engine::records::{Issue, RecentMergedPullRequest};

/// Where an issue stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IssueLifecycle {
    /// It asks for what another one asks for.
    Duplicate,
    /// It will not be done.
    Invalid,
    /// It is done, by somebody other than who found it, where finding counts.
    ValidSolved,
    /// It is done.
    Solved,
    /// Nothing has changed for long.
    Stale,
    /// None of these.
    Open,
}

impl IssueLifecycle {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Invalid => "invalid",
            Self::ValidSolved => "valid_solved",
            Self::Solved => "solved",
            Self::Stale => "stale",
            Self::Open => "open",
        }
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::Duplicate | Self::Invalid | Self::ValidSolved | Self::Solved)
    }
}

/// Parts of labels that say that an issue will not be done.
const INVALID_LABELS: [&str; 4] = ["invalid", "wontfix", "not planned", "won't fix"];

/// Days without a change after which an issue is stale.
pub(super) const STALE_DAYS: i64 = 90;

/// Where `issue` stands, `age` days after its last change and with what was merged about it; the first rule with a hit.
pub(super) fn lifecycle(issue: &Issue, merged: &[&RecentMergedPullRequest], lane: Lane, age: i64) -> IssueLifecycle {
    let labels: Vec<String> = issue.labels.iter().map(|label| label.to_lowercase()).collect();
    let has_label = |part: &str| labels.iter().any(|label| label.contains(part));
    if has_label("duplicate") {
        return IssueLifecycle::Duplicate;
    }
    if INVALID_LABELS.iter().any(|part| has_label(part)) {
        return IssueLifecycle::Invalid;
    }
    let mut solvers = merged.iter().filter(|row| row.linked_issues.contains(&issue.number)).peekable();
    if solvers.peek().is_some() {
        let counts_finding = matches!(lane, Lane::IssueDiscovery | Lane::Split);
        let by_finder =
            solvers.all(|solver| is_same_login(issue.author_login.as_deref(), solver.author_login.as_deref()));
        return if counts_finding && !by_finder { IssueLifecycle::ValidSolved } else { IssueLifecycle::Solved };
    }
    if age > STALE_DAYS { IssueLifecycle::Stale } else { IssueLifecycle::Open }
}

fn is_same_login(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
}
