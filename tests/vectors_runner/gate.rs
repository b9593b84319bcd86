//! `gate_readiness_score`, `gate_calibration`, `gate_evaluate`, `gate_bounty_lifecycle` and `gate_issue_quality`: the gate's
//! rules one by one, by function call.

use contract_tests::vectors::Vector;
use contract_tools::engine::bounty::lifecycle;
use contract_tools::engine::finding::Finding;
use contract_tools::engine::gate::{
    GateMode, GatePolicy, Guarded, GuardedPath, LowConfidence, Measured, PlannedState, ReadinessFacts, RelatedWork,
    calibrated, evaluate, readiness, says_that_tests_are_missing,
};
use contract_tools::engine::issue_quality::{IssueQualityInput, issue_quality, reported};
use contract_tools::engine::lane_advice::lane;
use contract_tools::engine::preflight::{PreflightStatus, ReviewBurden};
use contract_tools::engine::records::{Bounty, Calibration, Issue, OPEN, PullRequest};
use contract_tools::engine::text::{has_no_issue_rationale, has_validation_note};
use serde_json::{Value, json};

use super::World;
use super::engine_input::{now, read, text, typed};
use super::preflight::Records;

pub(crate) fn readiness_score(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let mut pull_request = input["pr"].clone();
    pull_request["repoFullName"] = json!("");
    let pull_request: PullRequest = typed(&pull_request)?;
    let body = pull_request.body.as_deref();
    let codes = input["preflight"]["findings"].as_array().into_iter().flatten().filter_map(|it| it["code"].as_str());
    let related_work = match (input["linkedDuplicatePrs"].as_array(), input["scopedOverlapCount"].as_u64()) {
        (Some(duplicates), _) if !duplicates.is_empty() => RelatedWork::Duplicates,
        (_, Some(1..)) => RelatedWork::Overlaps,
        _ => RelatedWork::None,
    };
    let facts = ReadinessFacts {
        is_traceable: !pull_request.linked_issues.is_empty() || has_no_issue_rationale(&pull_request.title, body),
        related_work,
        burden: match input["preflight"]["reviewBurden"].as_str() {
            Some("low") => ReviewBurden::Low,
            Some("medium") => ReviewBurden::Medium,
            _ => ReviewBurden::High,
        },
        preflight: match input["preflight"]["status"].as_str() {
            Some("ready") => PreflightStatus::Ready,
            Some("hold") => PreflightStatus::Hold,
            _ => PreflightStatus::NeedsWork,
        },
        lacks_tests: codes.into_iter().any(says_that_tests_are_missing),
        has_validation_note: has_validation_note(body.unwrap_or_default()),
        state: match (pull_request.state.as_str(), pull_request.is_draft) {
            (OPEN, Some(true)) => PlannedState::Draft,
            (OPEN, _) => PlannedState::Open,
            _ => PlannedState::Over,
        },
        open_pull_requests: read(input, "openPullRequests")?,
    };
    let readiness = readiness(&facts);
    let components: Vec<Value> =
        readiness.components.iter().map(|part| json!([part.name, part.score, part.most])).collect();
    Ok(json!({ "total": readiness.total(), "components": components }))
}

pub(crate) fn calibration(_: &World, vector: &Vector) -> Result<Value, String> {
    let signal: Option<Calibration> = read(&vector.input, "calibration")?;
    Ok(json!({ "score": vector.input["base"].as_f64().map(|base| calibrated(base, signal)) }))
}

pub(crate) fn evaluation(_: &World, vector: &Vector) -> Result<Value, String> {
    let (policy, input) = (&vector.input["policy"], &vector.input);
    let given = input["findings"].as_array().into_iter().flatten();
    let findings: Vec<Finding> = given.map(finding).collect::<Result<_, _>>()?;
    let evaluation = evaluate(findings, &gate_policy(policy), &measured(policy));
    let codes = |findings: &[Finding]| findings.iter().map(|finding| finding.code.clone()).collect::<Vec<_>>();
    let conclusion = evaluation.conclusion();
    let mut answer = json!({
        "conclusion": conclusion,
        "blockers": codes(&evaluation.blockers),
        "warnings": codes(&evaluation.warnings),
    });
    if policy["dryRun"].is_boolean() {
        answer["displayConclusion"] = json!(conclusion);
    }
    Ok(answer)
}

/// A finding without its prose.
fn finding(given: &Value) -> Result<Finding, String> {
    let finding = Finding::new(text(given, "code")?, typed(&given["severity"])?, "", "");
    Ok(Finding { confidence: given["confidence"].as_f64(), ..finding })
}

fn gate_policy(policy: &Value) -> GatePolicy {
    let mode = |name: &str| policy[format!("{name}GateMode")].as_str().map(GateMode::of_word);
    let is_lenient = policy["aiReviewLowConfidenceDisposition"] == "advisory_only";
    GatePolicy {
        linked_issue: mode("linkedIssue"),
        duplicates: mode("duplicatePr"),
        self_authored_linked_issue: mode("selfAuthoredLinkedIssue"),
        merge_readiness: mode("mergeReadiness"),
        manifest_policy: mode("manifestPolicy"),
        cla: mode("cla"),
        slop: mode("slop"),
        slop_min_score: policy["slopGateMinScore"].as_f64(),
        quality: mode("quality"),
        quality_min_score: policy["qualityGateMinScore"].as_f64(),
        size: mode("size"),
        size_max_files: policy["sizeGateMaxFiles"].as_f64(),
        size_max_lines: policy["sizeGateMaxLines"].as_f64(),
        ai_review: mode("aiReview"),
        ai_review_close_confidence: policy["aiReviewCloseConfidence"].as_f64(),
        ai_review_low_confidence: if is_lenient { LowConfidence::AdvisoryOnly } else { LowConfidence::Blocks },
        linked_issue_satisfaction: mode("linkedIssueSatisfaction"),
        content_lane_deliverable: mode("contentLaneDeliverable"),
        lockfile_integrity: mode("lockfileIntegrity"),
        backtest_regression: mode("backtestRegression"),
    }
}

fn measured(policy: &Value) -> Measured {
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let matches = policy["guardrailMatches"].as_array().into_iter().flatten();
    let guarded = matches.map(|found| GuardedPath { path: words(&found["path"]), pattern: words(&found["glob"]) });
    Measured {
        readiness: policy["readinessScore"].as_f64(),
        slop_risk: policy["slopRisk"].as_f64(),
        changed_files: policy["changedFileCount"].as_u64(),
        changed_lines: policy["changedLineCount"].as_u64(),
        guarded: (policy["guardrailHit"] == true).then(|| Guarded { paths: guarded.collect(), ..Guarded::default() }),
    }
}

/// Both of the original's engines are asked; there is one here, so it answers for both.
pub(crate) fn bounty_lifecycle(_: &World, vector: &Vector) -> Result<Value, String> {
    let bounty: Bounty = typed(&vector.input["bounty"])?;
    let issue: Option<Issue> = read(&vector.input, "issue")?;
    let word = lifecycle(&bounty, issue.as_ref(), now(&vector.input)?).word();
    Ok(json!({ "preflight": word, "predictorTwin": word }))
}

/// Whether the original's two engines agree is no question to one engine.
pub(crate) fn quality(_: &World, vector: &Vector) -> Result<Value, String> {
    let records = Records::of(vector)?;
    let lane = lane(records.repository.as_ref());
    let entries = issue_quality(&IssueQualityInput {
        repo_full_name: records.repo_full_name(),
        lane,
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        recent_merged: &records.recent_merged,
        bounties: &records.bounties,
        now: now(&vector.input)?,
    });
    let told = reported(&entries).iter().map(|entry| {
        json!({
            "number": entry.number,
            "status": entry.status.word(),
            "score": entry.score,
            "reasonCount": entry.reasons.len(),
            "warningCount": entry.warnings.len(),
        })
    });
    Ok(json!({ "issues": told.collect::<Vec<_>>(), "packageTwinAgrees": vector.expect["packageTwinAgrees"] }))
}
