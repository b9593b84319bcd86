//! What the gate finds about the issues that a planned pull request links.

use std::collections::BTreeMap;

use crate::engine::finding::{Finding, Severity};
use crate::engine::gate::policy::{GateMode, GatePolicy};
use crate::engine::gate::request::GateRequest;
use crate::engine::records::{Issue, PullRequest};

/// How many duplicates are named.
const NAMED_DUPLICATES: usize = 10;

/// Whether a linked issue is required. A reason for having none does not lift it.
pub(super) fn is_required(policy: &GatePolicy) -> bool {
    let is_on = |mode: Option<GateMode>| mode.is_some_and(|mode| mode != GateMode::Off);
    is_on(policy.linked_issue) || is_on(policy.merge_readiness)
}

/// That no issue is linked.
pub(super) fn missing() -> Finding {
    let detail = "The text closes no issue, and no issue number was given";
    Finding::new("missing_linked_issue", Severity::Warning, "No issue is linked", detail)
        .with_action("Link the issue that the change closes")
}

/// Open pull requests of others on the same issues, which come in ascending order. One counts when it is known to change files: an empty branch is no
/// rival. The contributor's own are no duplicates: asking again after opening one must not change the answer.
pub(super) fn duplicates(
    request: &GateRequest,
    linked_issues: &[u64],
    pull_requests: &[PullRequest],
) -> Option<Finding> {
    let is_rival = |row: &&PullRequest| {
        row.is_open()
            && row.number != 0
            && request.is_about(&row.repo_full_name)
            && !request.is_by(row.author_login.as_deref())
            && row.linked_issues.iter().any(|issue| linked_issues.binary_search(issue).is_ok())
            && row.changed_files.as_ref().is_some_and(|files| !files.is_empty())
    };
    let mut numbers: Vec<u64> = pull_requests.iter().filter(is_rival).map(|row| row.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return None;
    }
    let named: Vec<String> = numbers.iter().take(NAMED_DUPLICATES).map(|number| format!("#{number}")).collect();
    let more = match numbers.len().saturating_sub(NAMED_DUPLICATES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let detail = format!("Other open pull requests close the same issue and change files: {}{more}", named.join(", "));
    let finding = Finding::new("duplicate_pr_risk", Severity::Warning, "Others work on the same issue", detail);
    Some(finding.with_action("Coordinate with them, or wait for a maintainer to choose"))
}

/// That the contributor opened a linked issue. Of several rows on one issue the last one counts.
pub(super) fn self_authored(request: &GateRequest, linked_issues: &[u64], issues: &[Issue]) -> Option<Finding> {
    let here = issues.iter().filter(|issue| request.is_about(&issue.repo_full_name));
    let rows: BTreeMap<u64, &Issue> = here.map(|issue| (issue.number, issue)).collect();
    let is_own = |number: &&u64| rows.get(number).is_some_and(|issue| request.is_by(issue.author_login.as_deref()));
    let number = linked_issues.iter().find(is_own)?;
    let detail = format!("The contributor opened issue #{number}, which the pull request closes");
    let title = "The linked issue is the contributor's own";
    let finding = Finding::new("self_authored_linked_issue", Severity::Warning, title, detail);
    Some(finding.with_action("Link an issue that somebody else opened, or say why this one is worth solving"))
}
