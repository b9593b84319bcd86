//! What speaks against reviewing a pull request.

use std::fmt;

use serde::{Serialize, Serializer};

use super::super::records::{OPEN, PullRequest};
use super::super::rounding::percent;
use super::evidence::Evidence;

/// The part of closed pull requests from which it counts against their author.
const NOTABLE_CLOSED_RATE: f64 = 0.35;

/// Something that speaks against a review; a sentence on the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Noise {
    /// It is in this state.
    NotOpen(String),
    /// It closes no issue and does not say why.
    MissingLinkedIssue,
    /// It is in so many clusters of duplicate work.
    Collisions(u64),
    /// It changes code and no test.
    CodeWithoutTests,
    /// So many checks fail.
    FailingChecks(u64),
    /// It changes much.
    BroadDiff,
    /// So much of its author's work here was closed.
    ContributorClosedRate(f64),
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOpen(state) => write!(f, "It is not open but {state}"),
            Self::MissingLinkedIssue => f.write_str("It links no issue and gives no reason for having none"),
            Self::Collisions(1) => f.write_str("It is in 1 cluster of work that may be the same"),
            Self::Collisions(count) => write!(f, "It is in {count} clusters of work that may be the same"),
            Self::CodeWithoutTests => f.write_str("It changes code and no test"),
            Self::FailingChecks(1) => f.write_str("1 check fails"),
            Self::FailingChecks(count) => write!(f, "{count} checks fail"),
            Self::BroadDiff => f.write_str("It changes many files or many lines at once"),
            Self::ContributorClosedRate(rate) => {
                write!(f, "{}% of its author's other pull requests here were closed without a merge", percent(*rate))
            }
        }
    }
}

impl Serialize for Noise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Everything that speaks against a review, in this order.
pub(super) fn noise(pull_request: &PullRequest, evidence: &Evidence) -> Vec<Noise> {
    let closed_rate =
        evidence.closed_rate.filter(|rate| *rate >= NOTABLE_CLOSED_RATE && !evidence.role.is_maintainer_lane());
    let is_unlinked = evidence.linked_issues == 0 && !evidence.has_rationale;
    let is_untested = evidence.code_files > 0 && evidence.test_files == 0;
    [
        is_closed(pull_request).then(|| Noise::NotOpen(pull_request.state.clone())),
        is_unlinked.then_some(Noise::MissingLinkedIssue),
        (evidence.collision_clusters > 0).then_some(Noise::Collisions(evidence.collision_clusters)),
        is_untested.then_some(Noise::CodeWithoutTests),
        (evidence.failing_checks > 0).then_some(Noise::FailingChecks(evidence.failing_checks)),
        evidence.is_broad().then_some(Noise::BroadDiff),
        closed_rate.map(Noise::ContributorClosedRate),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether its state is known and not open; an empty one is unknown.
pub(super) fn is_closed(pull_request: &PullRequest) -> bool {
    !pull_request.state.is_empty() && pull_request.state != OPEN
}
