//! What preflight finds, in the order in which it is told.

use super::planned::PlannedPullRequest;
use super::related_work::RelatedWork;
use super::report::is_unavailable;
use crate::engine::bounty::{BountyBook, BountyLifecycle};
use crate::engine::collision_report::Risk;
use crate::engine::finding::{Finding, Severity};
use crate::engine::issue_quality::{IssueQualityEntry, linked_issue_findings};
use crate::engine::lane_advice::{Lane, LaneAdvice};
use crate::engine::text::{MOST_REFERENCES, asks_for_tests, has_no_issue_rationale, is_blank, is_test_path};

/// How many paths without tests are named.
const NAMED_PATHS: usize = 5;

/// What is known about a plan when its findings are made.
pub(super) struct Known<'a> {
    pub(super) planned: &'a PlannedPullRequest,
    pub(super) lane: &'a LaneAdvice,
    pub(super) is_maintainer: bool,
    pub(super) linked_issues: &'a [u64],
    pub(super) has_overflow: bool,
    pub(super) related: &'a RelatedWork,
    pub(super) bounties: &'a BountyBook,
    pub(super) issue_quality: &'a [IssueQualityEntry],
}

/// Everything that is found.
pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(lane_not_recommended(known));
    findings.extend(missing_linked_issue(known));
    findings.extend(known.has_overflow.then(linked_issue_overflow));
    findings.extend(possible_duplicate_work(known.related));
    findings.extend(known.linked_issues.iter().filter_map(|number| bounty(*number, known.bounties.on(*number)?)));
    findings.extend(linked_issue_findings(known.issue_quality, known.linked_issues));
    findings.extend(missing_test_evidence(known.planned));
    findings
}

fn lane_not_recommended(known: &Known<'_>) -> Option<Finding> {
    let lane = known.lane.lane;
    if !is_unavailable(lane) {
        return None;
    }
    let reason = match lane {
        Lane::Inactive => "The repository is registered, but nothing is allocated to it now",
        _ => "The repository is not known to be registered",
    };
    let (severity, detail, action) = if known.is_maintainer {
        let detail = format!("{reason}; for a maintainer the work is stewardship");
        (Severity::Info, detail, "Nothing to do: maintainers need no lane")
    } else {
        let action = "Refresh the registry and look again, or choose another repository";
        (Severity::Warning, reason.to_owned(), action)
    };
    let title = "The repository takes no such work now";
    Some(Finding::new("lane_not_recommended", severity, title, detail).with_action(action))
}

fn missing_linked_issue(known: &Known<'_>) -> Option<Finding> {
    let planned = known.planned;
    let is_expected = known.linked_issues.is_empty()
        && known.lane.lane != Lane::IssueDiscovery
        && !has_no_issue_rationale(&planned.title, planned.body.as_deref());
    is_expected.then(|| {
        let detail = "The text closes no issue, and no issue number was given";
        Finding::new("missing_linked_issue", Severity::Warning, "No issue is linked", detail)
            .with_action("Link the issue that the change closes, or say why there is none")
    })
}

/// Too many references say nothing that can be checked.
fn linked_issue_overflow() -> Finding {
    let detail = format!("The text closes more than {MOST_REFERENCES} issues, which is more than can be checked");
    Finding::new("linked_issue_overflow", Severity::Critical, "Too many issues are closed at once", detail)
        .with_action(format!("Close at most {MOST_REFERENCES} issues with one pull request"))
}

fn possible_duplicate_work(related: &RelatedWork) -> Option<Finding> {
    let is_high = related.clusters.iter().any(|cluster| cluster.risk == Risk::High);
    let severity = if is_high { Severity::Warning } else { Severity::Info };
    let detail = match related.count {
        0 => return None,
        1 => "One group of open work may be about the same".to_owned(),
        count => format!("{count} groups of open work may be about the same"),
    };
    let finding = Finding::new("possible_duplicate_work", severity, "The work may be under way already", detail);
    Some(finding.with_action("Look at the work that exists before starting, and coordinate with who does it"))
}

fn bounty(issue: u64, lifecycle: BountyLifecycle) -> Option<Finding> {
    let word = lifecycle.word();
    match lifecycle {
        BountyLifecycle::Historical | BountyLifecycle::Completed | BountyLifecycle::Cancelled => {
            let detail = format!("The bounty on issue #{issue} is {word}; the work may not be wanted any more");
            let title = "The bounty on the linked issue is over";
            let finding = Finding::new("linked_issue_bounty_historical", Severity::Info, title, detail);
            Some(finding.with_action("Verify upstream that the work is still wanted"))
        }
        BountyLifecycle::Stale | BountyLifecycle::Ambiguous => {
            let detail = format!("The bounty on issue #{issue} is {word}, so it may not be active");
            let title = "The bounty on the linked issue is unclear";
            let finding = Finding::new("linked_issue_bounty_unverified", Severity::Warning, title, detail);
            Some(finding.with_action("Check the bounty again where it was offered before counting on it"))
        }
        BountyLifecycle::Unknown | BountyLifecycle::Active => None,
    }
}

/// A blank entry names no test, and neither generated nor vendored files ask for one.
fn missing_test_evidence(planned: &PlannedPullRequest) -> Option<Finding> {
    let is_tested =
        planned.tests.iter().any(|test| !is_blank(test)) || planned.changed_files.iter().any(|path| is_test_path(path));
    let untested: Vec<&str> =
        planned.changed_files.iter().map(String::as_str).filter(|path| asks_for_tests(path)).collect();
    if is_tested || untested.is_empty() {
        return None;
    }
    let named = untested[..untested.len().min(NAMED_PATHS)].join(", ");
    let more = match untested.len().saturating_sub(NAMED_PATHS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let detail = format!("Code is changed and no test is named: {named}{more}");
    let finding = Finding::new("missing_test_evidence", Severity::Warning, "No test is named", detail);
    Some(finding.with_action("Add tests for the change, or say how it was tested"))
}
