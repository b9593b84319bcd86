//! What the gate finds, in the order in which it is told.
//!
//! What is only good to know never reaches a reader of a prediction, so it is not made here: a disabled pool, a busy
//! queue, a fitting label, a duplicate that may be an empty branch.

mod repository;
mod linked_issue;
mod demands;

use super::policy::{GateMode, GatePolicy};
use super::predict::GateInput;
use super::request::GateRequest;
use crate::engine::finding::Finding;
use crate::engine::manifest::{ClaCheckRun, LinkedIssuePolicy, Manifest, PlannedText, cla_finding, pre_merge_findings};
use crate::engine::preflight::PreflightReport;
use crate::engine::text::Effort;

/// Everything that is found. `request` is the one of the input within its bounds, `paths` are those that name a file.
pub(super) fn findings(
    input: &GateInput<'_>,
    request: &GateRequest,
    manifest: &Manifest,
    policy: &GatePolicy,
    paths: &[String],
    preflight: &PreflightReport,
) -> Vec<Finding> {
    let linked = preflight.linked_issues.as_slice();
    let mut findings = Vec::new();
    findings.extend(repository::finding(input.repository));
    // What could not be verified must not pass: preflight's own word on it blocks.
    findings.extend(preflight.findings.iter().filter(|finding| finding.code == "linked_issue_overflow").cloned());
    if linked.is_empty() && linked_issue::is_required(policy) {
        findings.push(linked_issue::missing());
    }
    findings.extend(linked_issue::duplicates(request, linked, input.pull_requests));
    findings.extend(linked_issue::self_authored(request, linked, input.issues));
    findings.extend(pre_merge_findings(
        &manifest.pre_merge_checks,
        &planned_text(request, paths),
        &mut Effort::default(),
    ));
    if is_on(policy.cla) {
        let consent = &manifest.gate.cla;
        // No check has run on what does not exist yet.
        findings.extend(cla_finding(consent, request.body.as_deref(), ClaCheckRun::Unresolved));
    }
    findings.extend(manifest_findings(request, manifest, policy, paths, linked));
    findings
}

/// The manifest's own demands are looked at when paths are known and its policy is on.
fn manifest_findings(
    request: &GateRequest,
    manifest: &Manifest,
    policy: &GatePolicy,
    paths: &[String],
    linked_issues: &[u64],
) -> Vec<Finding> {
    if paths.is_empty() || !is_on(policy.manifest_policy) {
        return Vec::new();
    }
    let demands_link = manifest.linked_issue_policy == LinkedIssuePolicy::Required;
    let missing_link = (demands_link && linked_issues.is_empty()).then(demands::linked_issue_required);
    let missing_tests = demands::missing_tests(request, paths, &manifest.test_expectations);
    missing_link.into_iter().chain(missing_tests).collect()
}

fn planned_text<'a>(request: &'a GateRequest, paths: &'a [String]) -> PlannedText<'a> {
    PlannedText {
        title: &request.title,
        body: request.body.as_deref(),
        labels: &request.labels,
        changed_paths: Some(paths).filter(|paths| !paths.is_empty()),
    }
}

fn is_on(mode: Option<GateMode>) -> bool {
    mode.is_some_and(|mode| mode != GateMode::Off)
}
