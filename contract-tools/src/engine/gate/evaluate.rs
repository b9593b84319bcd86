//! Disposes of a pull request: which findings block, what holds it for a maintainer, and what is only told.

use serde::Serialize;

use super::guarded::Guarded;
use super::holds::{guardrail_hold, oversized, quality_warning, slop_risk};
use super::policy::{GateMode, GatePolicy, LowConfidence};
use crate::engine::finding::{Finding, Severity};

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// Nothing stands in the way.
    Success,
    /// Something blocks.
    Failure,
    /// Nothing is decided: a maintainer has to look, or data is missing.
    Neutral,
}

/// Which case of the evaluation a pull request is, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// What the rules need is not known yet.
    NotEvaluated,
    /// Nothing blocks, but something is for a maintainer to decide.
    Held,
    /// Nothing blocks and nothing holds.
    Passed,
    /// All that blocks is that others work on the same issue, which a maintainer settles.
    HeldAsDuplicate,
    /// Something blocks.
    Failed,
}

/// What was measured about a pull request, beside its findings. An absent number is an unknown one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Its readiness score before calibration.
    pub readiness: Option<f64>,
    /// How careless it looks, from 0 to 100.
    pub slop_risk: Option<f64>,
    /// Files that it changes.
    pub changed_files: Option<u64>,
    /// Lines that it changes.
    pub changed_lines: Option<u64>,
    /// What it touches of what only a maintainer may let through; nothing when it touches none of it.
    pub guarded: Option<Guarded>,
}

/// How the gate disposes of a pull request.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Which case it is.
    pub disposition: Disposition,
    /// What blocks it.
    pub blockers: Vec<Finding>,
    /// What is told beside.
    pub warnings: Vec<Finding>,
    /// Titles of what holds it for a maintainer.
    pub holds: Vec<String>,
}

impl Evaluation {
    /// What the gate says.
    pub fn conclusion(&self) -> Conclusion {
        match self.disposition {
            Disposition::Passed => Conclusion::Success,
            Disposition::Failed => Conclusion::Failure,
            Disposition::NotEvaluated | Disposition::Held | Disposition::HeldAsDuplicate => Conclusion::Neutral,
        }
    }
}

/// Findings of checks that have no answer yet: nothing is decided before they have one.
const WITHOUT_AN_ANSWER: [&str; 4] =
    ["repo_not_cached", "repo_not_seen", "pr_not_cached", "pre_merge_check_unresolved"];

/// The confidence from which an AI reviewer's finding is sure, unless the policy says otherwise.
const CLOSE_CONFIDENCE: f64 = 0.93;

/// The confidence of a finding that states none.
const UNSTATED_CONFIDENCE: f64 = 0.5;

/// Disposes of a pull request with these findings. The first case that applies decides.
pub fn evaluate(findings: Vec<Finding>, policy: &GatePolicy, measured: &Measured) -> Evaluation {
    if findings.iter().any(|finding| leaves_open(&finding.code, policy)) {
        let warnings = findings.into_iter().filter(is_warning).collect();
        return Evaluation {
            disposition: Disposition::NotEvaluated,
            blockers: Vec::new(),
            warnings,
            holds: Vec::new(),
        };
    }
    let (mut blockers, others): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| blocks(finding, policy));
    blockers.extend(slop_risk(policy, measured));
    let incomplete: Vec<Finding> = others.iter().filter(|finding| holds(&finding.code, policy)).cloned().collect();
    let mut warnings: Vec<Finding> = others.into_iter().filter(is_warning).collect();
    warnings.extend(quality_warning(policy, measured));

    if !blockers.is_empty() && blockers.iter().all(|finding| finding.code == "duplicate_pr_risk") {
        let holds = titles(&blockers);
        warnings.extend(blockers);
        return Evaluation { disposition: Disposition::HeldAsDuplicate, blockers: Vec::new(), warnings, holds };
    }
    if !blockers.is_empty() {
        return Evaluation { disposition: Disposition::Failed, blockers, warnings, holds: Vec::new() };
    }
    if !incomplete.is_empty() {
        let holds = titles(&incomplete);
        warnings.extend(incomplete.into_iter().filter(|finding| !is_warning(finding)));
        return Evaluation { disposition: Disposition::Held, blockers, warnings, holds };
    }
    let held: Vec<Finding> = oversized(policy, measured).into_iter().chain(guardrail_hold(measured)).collect();
    let disposition = if held.is_empty() { Disposition::Passed } else { Disposition::Held };
    let holds = titles(&held);
    warnings.extend(held);
    Evaluation { disposition, blockers, warnings, holds }
}

fn titles(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.title.clone()).collect()
}

fn is_warning(finding: &Finding) -> bool {
    finding.severity == Severity::Warning
}

/// Whether this finding leaves open what the gate would say.
fn leaves_open(code: &str, policy: &GatePolicy) -> bool {
    WITHOUT_AN_ANSWER.contains(&code) || (code == "cla_check_unresolved" && policy.cla == Some(GateMode::Block))
}

/// Whether this finding holds a pull request that nothing blocks, and is all that holds it.
fn holds(code: &str, policy: &GatePolicy) -> bool {
    match code {
        "ai_review_inconclusive" => policy.ai_review == Some(GateMode::Block),
        "secret_scan_incomplete" => true,
        _ => false,
    }
}

/// Whether this finding blocks. An absent mode never does: each rule's default is advisory or off.
fn blocks(finding: &Finding, policy: &GatePolicy) -> bool {
    let blocking = Some(GateMode::Block);
    match finding.code.as_str() {
        "pre_merge_check_required" | "linked_issue_overflow" | "secret_leak" | "review_thread_unresolved" => true,
        "missing_linked_issue" => policy.effective_linked_issue() == blocking,
        "duplicate_pr_risk" => policy.effective_duplicates() == blocking,
        "self_authored_linked_issue" => policy.self_authored_linked_issue == blocking,
        "cla_consent_missing" => policy.cla == blocking,
        "manifest_missing_tests" => policy.manifest_policy == blocking,
        "manifest_linked_issue_required" => {
            policy.manifest_policy == blocking || policy.effective_linked_issue() == blocking
        }
        "ai_consensus_defect" | "ai_review_split" => policy.ai_review == blocking && is_sure(finding, policy),
        "linked_issue_scope_mismatch" => policy.linked_issue_satisfaction == blocking,
        "content_lane_deliverable_missing" => policy.content_lane_deliverable == blocking,
        "lockfile_tamper_risk" => policy.lockfile_integrity == blocking,
        "backtest_regression" => policy.backtest_regression == blocking,
        _ => false,
    }
}

/// Whether an AI reviewer is sure enough of a finding for it to block.
fn is_sure(finding: &Finding, policy: &GatePolicy) -> bool {
    let floor = policy.ai_review_close_confidence.unwrap_or(CLOSE_CONFIDENCE);
    policy.ai_review_low_confidence == LowConfidence::Blocks
        || finding.confidence.unwrap_or(UNSTATED_CONFIDENCE) >= floor
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Option<GateMode>; 4] = [None, Some(GateMode::Off), Some(GateMode::Advisory), Some(GateMode::Block)];

    fn finding(code: &str, severity: Severity) -> Finding {
        Finding::new(code, severity, format!("about {code}"), "")
    }

    fn warnings(codes: &[&str]) -> Vec<Finding> {
        codes.iter().map(|code| finding(code, Severity::Warning)).collect()
    }

    #[track_caller]
    fn check(findings: Vec<Finding>, policy: &GatePolicy, measured: &Measured, expected: (Disposition, &str, &str)) {
        let evaluation = evaluate(findings, policy, measured);
        let codes = |list: &[Finding]| list.iter().map(|one| one.code.as_str()).collect::<Vec<_>>().join(" ");
        let told = (evaluation.disposition, codes(&evaluation.blockers), codes(&evaluation.warnings));
        assert_eq!((told.0, told.1.as_str(), told.2.as_str()), expected);
    }

    #[test]
    fn what_has_no_answer_comes_before_every_blocker() {
        let mut findings = warnings(&["repo_not_cached", "other"]);
        findings.push(finding("pre_merge_check_required", Severity::Critical));
        let guarded = Measured { guarded: Some(Guarded::default()), ..Measured::default() };
        let expected = (Disposition::NotEvaluated, "", "repo_not_cached other");
        check(findings, &GatePolicy::default(), &guarded, expected);
    }

    #[test]
    fn an_unresolved_agreement_leaves_the_gate_open_only_where_it_blocks() {
        for cla in MODES {
            let policy = GatePolicy { cla, ..GatePolicy::default() };
            let blocks = cla == Some(GateMode::Block);
            let disposition = if blocks { Disposition::NotEvaluated } else { Disposition::Passed };
            let expected = (disposition, "", "cla_check_unresolved");
            check(warnings(&["cla_check_unresolved"]), &policy, &Measured::default(), expected);
        }
    }

    /// gate-1: what cannot be verified blocks.
    #[test]
    fn an_overflow_of_references_blocks_under_every_policy() {
        let overflow = || vec![finding("linked_issue_overflow", Severity::Critical)];
        for mode in MODES {
            let policy = GatePolicy { linked_issue: mode, merge_readiness: mode, ..GatePolicy::default() };
            check(overflow(), &policy, &Measured::default(), (Disposition::Failed, "linked_issue_overflow", ""));
        }
    }

    #[test]
    fn merge_readiness_replaces_the_modes_it_speaks_for() {
        for merge_readiness in MODES {
            for own in MODES {
                let policy = GatePolicy { linked_issue: own, merge_readiness, ..GatePolicy::default() };
                let speaks = !matches!(merge_readiness, None | Some(GateMode::Off));
                let counts = if speaks { merge_readiness } else { own };
                let expected = if counts == Some(GateMode::Block) {
                    (Disposition::Failed, "missing_linked_issue", "")
                } else {
                    (Disposition::Passed, "", "missing_linked_issue")
                };
                check(warnings(&["missing_linked_issue"]), &policy, &Measured::default(), expected);
            }
        }
    }

    #[test]
    fn duplicates_alone_hold_and_with_others_fail() {
        let block = Some(GateMode::Block);
        let policy = GatePolicy { duplicates: block, self_authored_linked_issue: block, ..GatePolicy::default() };
        let held = (Disposition::HeldAsDuplicate, "", "other duplicate_pr_risk");
        check(warnings(&["duplicate_pr_risk", "other"]), &policy, &Measured::default(), held);
        let failed = (Disposition::Failed, "duplicate_pr_risk self_authored_linked_issue", "other");
        let findings = warnings(&["duplicate_pr_risk", "self_authored_linked_issue", "other"]);
        check(findings, &policy, &Measured::default(), failed);
    }

    #[test]
    fn holds_follow_the_warnings_and_a_failure_hides_them() {
        let policy = GatePolicy {
            size: Some(GateMode::Advisory),
            quality_min_score: Some(60.0),
            linked_issue: Some(GateMode::Block),
            ..GatePolicy::default()
        };
        let measured = Measured {
            readiness: Some(59.4),
            changed_files: Some(10),
            guarded: Some(Guarded::default()),
            ..Measured::default()
        };
        let held = (Disposition::Held, "", "w readiness_score_below_threshold oversized_pr guardrail_hold");
        check(warnings(&["w"]), &policy, &measured, held);
        let failed = (Disposition::Failed, "missing_linked_issue", "w readiness_score_below_threshold");
        check(warnings(&["missing_linked_issue", "w"]), &policy, &measured, failed);
    }

    #[test]
    fn an_unsure_reviewer_blocks_unless_the_policy_is_lenient() {
        let strict = GatePolicy { ai_review: Some(GateMode::Block), ..GatePolicy::default() };
        let lenient = GatePolicy { ai_review_low_confidence: LowConfidence::AdvisoryOnly, ..strict.clone() };
        let unsure = || vec![Finding { confidence: Some(0.92), ..finding("ai_review_split", Severity::Warning) }];
        let sure = || vec![Finding { confidence: Some(0.93), ..finding("ai_review_split", Severity::Warning) }];
        check(unsure(), &strict, &Measured::default(), (Disposition::Failed, "ai_review_split", ""));
        check(unsure(), &lenient, &Measured::default(), (Disposition::Passed, "", "ai_review_split"));
        check(sure(), &lenient, &Measured::default(), (Disposition::Failed, "ai_review_split", ""));
    }

    #[test]
    fn what_a_reviewer_could_not_finish_holds() {
        let policy = GatePolicy { ai_review: Some(GateMode::Block), ..GatePolicy::default() };
        let held = (Disposition::Held, "", "ai_review_inconclusive");
        check(warnings(&["ai_review_inconclusive"]), &policy, &Measured::default(), held);
        let scan = vec![finding("secret_scan_incomplete", Severity::Critical)];
        check(scan, &policy, &Measured::default(), (Disposition::Held, "", "secret_scan_incomplete"));
    }

    #[test]
    fn a_word_that_means_no_mode_blocks() {
        assert_eq!(GateMode::of_word("strict"), GateMode::Block);
        assert_eq!(GateMode::of_word("Off"), GateMode::Block);
        assert_eq!(GateMode::of_word("off"), GateMode::Off);
    }
}
