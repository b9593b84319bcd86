//! What is said about the issues that planned work links.

use std::collections::BTreeMap;

use super::{IssueQualityEntry, IssueQualityStatus};
use crate::engine::finding::{Finding, Severity};

/// A finding for each linked issue that is not ready, in the order of `linked`. Of several entries on one issue the last
/// one counts; an issue without an entry is not spoken of.
pub fn linked_issue_findings(entries: &[IssueQualityEntry], linked: &[u64]) -> Vec<Finding> {
    let by_number: BTreeMap<u64, &IssueQualityEntry> = entries.iter().map(|entry| (entry.number, entry)).collect();
    linked.iter().filter_map(|number| by_number.get(number)).filter_map(|entry| finding(entry)).collect()
}

fn finding(entry: &IssueQualityEntry) -> Option<Finding> {
    let (code, title, action) = match entry.status {
        IssueQualityStatus::Ready => return None,
        IssueQualityStatus::DoNotUse => (
            "issue_quality_do_not_use",
            "The linked issue is not one to work on",
            "Choose another issue, or ask a maintainer whether this one is still wanted",
        ),
        IssueQualityStatus::NeedsProof => (
            "issue_quality_needs_proof",
            "The linked issue needs proof",
            "Add to the issue what shows that it is real and still wanted",
        ),
        IssueQualityStatus::Hold => (
            "issue_quality_hold",
            "Much speaks against the linked issue",
            "Confirm with a maintainer that the issue is wanted, or choose another one",
        ),
    };
    let state = || format!("it stands as {}", entry.status.word().replace('_', " "));
    let detail = format!("Issue #{}: {}", entry.number, entry.warnings.first().cloned().unwrap_or_else(state));
    Some(Finding::new(code, Severity::Warning, title, detail).with_action(action))
}
