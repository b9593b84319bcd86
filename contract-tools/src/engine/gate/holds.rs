//! Findings that the gate itself makes: what was measured, held against the policy's thresholds.

use super::evaluate::Measured;
use super::guarded::GuardedPath;
use super::policy::{GateMode, GatePolicy};
use crate::engine::finding::{Finding, Severity};
use crate::engine::rounding::{exact, round};

/// The number of files from which a change is too large, unless the policy says otherwise.
const MAX_FILES: f64 = 10.0;

/// The number of lines from which a change is too large, unless the policy says otherwise.
const MAX_LINES: f64 = 1_000.0;

/// The risk from which work looks careless, unless the policy says otherwise.
const SLOP_RISK: f64 = 60.0;

/// How many guarded paths are named.
const NAMED_PATHS: usize = 5;

/// A score to the nearest whole number.
fn whole(score: f64) -> f64 {
    round(score, 0)
}

fn is_on(mode: Option<GateMode>) -> bool {
    mode.is_some_and(|mode| mode != GateMode::Off)
}

/// What blocks work that looks careless.
pub(super) fn slop_risk(policy: &GatePolicy, measured: &Measured) -> Option<Finding> {
    let least = policy.slop_min_score.unwrap_or(SLOP_RISK);
    let is_blocking = policy.effective_slop() == Some(GateMode::Block);
    let risk = measured.slop_risk.map(whole).filter(|risk| is_blocking && *risk >= least)?;
    let detail = format!("The change looks careless: its risk is {risk} of 100, and {least} or more blocks");
    let finding = Finding::new("slop_risk_above_threshold", Severity::Warning, "The change looks careless", detail);
    Some(finding.with_action("Go over the change by hand, and say what each part is for"))
}

/// What is told about a readiness score that is too low. It never blocks, and unset is as good as on.
pub(super) fn quality_warning(policy: &GatePolicy, measured: &Measured) -> Option<Finding> {
    let least = policy.quality_min_score.filter(|_| policy.quality != Some(GateMode::Off))?;
    let score = measured.readiness.map(whole).filter(|score| *score < least)?;
    let detail = format!(
        "Before calibration the readiness score is {score} of 100, and the repository asks for {least}; it decides nothing"
    );
    let finding =
        Finding::new("readiness_score_below_threshold", Severity::Warning, "The readiness score is low", detail);
    Some(finding.with_action("Take it as advice: link an issue, note how it was tested, keep the change small"))
}

/// What holds a change that is too large to go through without a maintainer.
pub(super) fn oversized(policy: &GatePolicy, measured: &Measured) -> Option<Finding> {
    let (most_files, most_lines) =
        (policy.size_max_files.unwrap_or(MAX_FILES), policy.size_max_lines.unwrap_or(MAX_LINES));
    let is_large = |count: Option<u64>, most: f64| count.is_some_and(|count| exact(count) >= most);
    let is_held = is_on(policy.size)
        && (is_large(measured.changed_files, most_files) || is_large(measured.changed_lines, most_lines));
    if !is_held {
        return None;
    }
    let told = |count: Option<u64>| count.map_or_else(|| "an unknown number of".to_owned(), |count| count.to_string());
    let detail = format!(
        "The change has {} files and {} lines; from {most_files} files or {most_lines} lines on a maintainer has to look",
        told(measured.changed_files),
        told(measured.changed_lines)
    );
    let finding = Finding::new("oversized_pr", Severity::Warning, "The change is large, so it is held", detail);
    Some(finding.with_action("Split the change, or wait for a maintainer to look at it"))
}

/// What holds a change to paths that only a maintainer may let through.
pub(super) fn guardrail_hold(measured: &Measured) -> Option<Finding> {
    let guarded = measured.guarded.as_ref()?;
    let named = |GuardedPath { path, pattern }: &GuardedPath| format!("{path} ({pattern})");
    let named: Vec<String> = guarded.paths.iter().take(NAMED_PATHS).map(named).collect();
    let more = match guarded.paths.len() - named.len() + guarded.more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
    let (title, detail) = match guarded.unseen {
        Some(unseen) if guarded.paths.is_empty() => (
            "Not every path could be checked against the guarded ones",
            format!("The change may touch guarded paths, so it is held: {}", unseen.told()),
        ),
        Some(unseen) => (
            "Guarded paths are touched",
            format!("The change touches guarded paths, so it is held{named}. It may touch others: {}", unseen.told()),
        ),
        None => ("Guarded paths are touched", format!("The change touches guarded paths, so it is held{named}")),
    };
    let finding = Finding::new("guardrail_hold", Severity::Warning, title, detail);
    Some(finding.with_action("A maintainer has to look at the change before it can be merged"))
}
