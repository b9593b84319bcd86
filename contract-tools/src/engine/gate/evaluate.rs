//! Disposes of a pull request: which findings block, what holds it for a maintainer, and what is only told.

use super::holds::{guardrail_hold, oversized, quality_warning, slop_risk};
use super::policy::{GateMode, GatePolicy, LowConfidence};
use crate::engine::finding::{Finding, Severity};

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// Nothing stands in the way.
    Success,
    /// Something blocks.
    Failure,
    /// Nothing is decided: a maintainer has to look, or data is missing.
    Neutral,
}

impl Conclusion {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Neutral => "neutral",
        }
    }
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
    pub guarded: Option<Vec<GuardedPath>>,
}

/// A changed path that only a maintainer may let through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedPath {
    /// The path.
    pub path: String,
    /// The pattern that it fits.
    pub pattern: String,
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

/// Disposes of a pull request with these findings.
pub fn evaluate(findings: Vec<Finding>, policy: &GatePolicy, measured: &Measured) -> Evaluation {
    if findings.iter().any(|finding| leaves_open(&finding.code, policy)) {
        let warnings = findings.into_iter().filter(is_warning).collect();
        return Evaluation { disposition: Disposition::NotEvaluated, blockers: Vec::new(), warnings };
    }
    let (mut blockers, others): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| blocks(finding, policy));
    blockers.extend(slop_risk(policy, measured));
    let incomplete = others.iter().filter(|finding| holds(&finding.code, policy)).cloned().collect::<Vec<_>>();
    let mut warnings: Vec<Finding> = others.into_iter().filter(is_warning).collect();
    warnings.extend(quality_warning(policy, measured));

    if blockers.is_empty() {
        let is_incomplete = !incomplete.is_empty();
        let holds: Vec<Finding> = if is_incomplete {
            incomplete.into_iter().filter(|finding| !is_warning(finding)).collect()
        } else {
            oversized(policy, measured).into_iter().chain(guardrail_hold(measured)).collect()
        };
        let disposition = if is_incomplete || !holds.is_empty() { Disposition::Held } else { Disposition::Passed };
        warnings.extend(holds);
        return Evaluation { disposition, blockers, warnings };
    }
    if blockers.iter().all(|finding| finding.code == "duplicate_pr_risk") {
        warnings.extend(blockers);
        return Evaluation { disposition: Disposition::HeldAsDuplicate, blockers: Vec::new(), warnings };
    }
    Evaluation { disposition: Disposition::Failed, blockers, warnings }
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
