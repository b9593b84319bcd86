//! The miner's rules, by function call: records of a vector go in, the answer comes out.
#![expect(clippy::unnecessary_wraps, reason = "every runner has one signature")]

use std::path::PathBuf;

use contract_core::loopover::QueueStatus;
use contract_tests::vectors::Vector;
use contract_tools::miner::rules::calibration::{Calibration, OUTCOME, Prediction};
use contract_tools::miner::rules::dashboard::{Counts, Dashboard};
use contract_tools::miner::rules::proposals::{BACKTEST, Proposals};
use contract_tools::miner::rules::{goal, plan, repo_name::repo_name as repo_name_of, whole_number};
use contract_tools::miner::{MinerHome, Store};
use serde_json::{Value, json};

use super::World;

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(crate) fn repo_name(_: &World, vector: &Vector) -> Result<Value, String> {
    let name = vector.input["repoFullName"].as_str().and_then(repo_name_of);
    Ok(name.map_or_else(|| json!({ "error": "invalid_repo_full_name" }), |name| json!({ "ok": name })))
}

pub(crate) fn paths(_: &World, vector: &Vector) -> Result<Value, String> {
    let environment = vector.input["env"].as_object().into_iter().flatten();
    let home = MinerHome {
        environment: environment
            .map(|(name, value)| (name.into(), value.as_str().unwrap_or_default().into()))
            .collect(),
        home: vector.input["homeDir"].as_str().map(PathBuf::from),
        current: None,
    };
    let stores: Value =
        Store::ALL.iter().map(|store| (store.name().to_owned(), json!(home.store_path(*store)))).collect();
    Ok(json!({ "stateDir": home.state_directory(), "stores": stores }))
}

pub(crate) fn plan_validate(_: &World, vector: &Vector) -> Result<Value, String> {
    Ok(match plan::parse(&vector.input["plan"]) {
        // A plan is read into all that it can hold: what was parsed is what was stored.
        Some(plan) => json!({ "ok": { "status": plan.status(), "roundTrips": true } }),
        None => json!({ "error": "invalid_plan" }),
    })
}

/// The warnings, and with them the note that everything is as it would be anyway, which fails nothing here.
pub(crate) fn goal_spec(_: &World, vector: &Vector) -> Result<Value, String> {
    let content = &vector.input["content"];
    let repeated = content["repeat"].as_str().zip(content["utf8Bytes"].as_u64());
    let text = match (content.as_str(), repeated) {
        (Some(text), _) => text.to_owned(),
        (None, Some((part, bytes))) => {
            let bytes = usize::try_from(bytes).map_err(|error| error.to_string())?;
            part.chars().cycle().take(bytes).collect()
        }
        (None, None) => return Err("the vector has no content".to_owned()),
    };
    let warnings = goal::warnings(&text);
    let mut fields = warnings.fields;
    if warnings.only_defaults {
        fields.push(None);
    }
    Ok(json!({ "warningCount": fields.len(), "warningFields": fields }))
}

pub(crate) fn backtest_proposals(_: &World, vector: &Vector) -> Result<Value, String> {
    let now = vector.input["nowMs"].as_i64().ok_or("the vector has no time")?;
    let mut proposals = Proposals::default();
    for event in list(&vector.input["events"]).filter(|event| event["type"] == BACKTEST) {
        if let (Some(payload), Some(at)) = (event["payload"].as_object(), event["createdAt"].as_str()) {
            proposals.backtest(payload, at, now);
        }
    }
    let proposals = proposals.finish().into_iter().map(|proposal| {
        json!({
            "candidateThreshold": proposal.candidate_threshold, "currentThreshold": proposal.current_threshold,
            "visibleCases": proposal.visible_cases, "heldOutCases": proposal.held_out_cases,
            "visibleVerdict": proposal.visible_verdict, "heldOutVerdict": proposal.held_out_verdict, "at": proposal.at,
        })
    });
    Ok(json!({ "proposals": proposals.collect::<Vec<_>>() }))
}

pub(crate) fn portfolio_dashboard(_: &World, vector: &Vector) -> Result<Value, String> {
    let mut dashboard = Dashboard::default();
    for entry in list(&vector.input["entries"]) {
        let text = |name: &str| entry[name].as_str().unwrap_or_default();
        if let Some(status) = entry["status"].as_str().and_then(QueueStatus::parse) {
            dashboard.add(text("apiBaseUrl"), text("repoFullName"), status, entry["enqueuedAt"].as_str());
        }
    }
    let summary = dashboard.finish(vector.input["nowMs"].as_i64());
    let counts =
        |counts: Counts| json!({ "queued": counts.queued, "in_progress": counts.in_progress, "done": counts.done });
    let repos = summary.repositories.into_iter().map(|(host, repository, of)| {
        json!({ "apiBaseUrl": host, "repoFullName": repository, "byStatus": counts(of), "total": of.total() })
    });
    Ok(json!({
        "total": summary.counts.total(), "byStatus": counts(summary.counts), "repos": repos.collect::<Vec<_>>(),
        "oldestQueuedAgeMs": summary.oldest_queued_age,
    }))
}

pub(crate) fn calibration_report(_: &World, vector: &Vector) -> Result<Value, String> {
    let mut calibration = Calibration::default();
    for record in list(&vector.input["outcomes"]).filter(|record| has_good_source(record)) {
        if let Some([project, target, decision, at]) =
            texts(record, ["project", "targetId", "outcomeDecision", "recordedAt"])
        {
            calibration.outcome(project, target, decision, at);
        }
    }
    for record in list(&vector.input["predictions"]).filter(|record| has_good_source(record)) {
        if let Some([project, target, conclusion, at]) =
            texts(record, ["project", "targetId", "predictedDecision", "recordedAt"])
        {
            calibration.prediction(Prediction { project, target, head: None, conclusion, at });
        }
    }
    Ok(report(calibration))
}

/// A source that is there is a text with something in it; the stores have none.
fn has_good_source(record: &Value) -> bool {
    record.get("source").is_none_or(|source| source.as_str().is_some_and(|text| !text.trim().is_empty()))
}

fn texts<'a, const N: usize>(record: &'a Value, names: [&str; N]) -> Option<[&'a str; N]> {
    let texts: Vec<&str> = names.iter().map(|name| record.get(*name)?.as_str()).collect::<Option<_>>()?;
    texts.try_into().ok()
}

pub(crate) fn calibration_ledger_join(_: &World, vector: &Vector) -> Result<Value, String> {
    let mut calibration = Calibration::default();
    let (mut predictions, mut outcomes) = (Vec::new(), Vec::new());
    let mut newest: Vec<(Value, Value)> = Vec::new();
    for event in list(&vector.input["events"]).filter(|event| event["type"] == OUTCOME) {
        let number = whole_number(&event["payload"]["prNumber"]);
        if let (Some(number), Some(decision)) = (number, event["payload"]["decision"].as_str()) {
            let (repository, at) = (&event["repoFullName"], &event["createdAt"]);
            let outcome = json!({
                "project": repository, "targetId": number.to_string(), "outcomeDecision": decision, "recordedAt": at,
            });
            let key = json!([repository, number]);
            match newest.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => *known = outcome,
                None => newest.push((key, outcome)),
            }
            if let (Some(repository), Some(at)) = (repository.as_str(), at.as_str()) {
                calibration.outcome(repository, &number.to_string(), decision, at);
            }
        }
    }
    outcomes.extend(newest.into_iter().map(|(_, outcome)| outcome));
    for row in list(&vector.input["predictionRows"]) {
        let target = row["targetId"].as_i64().ok_or("a prediction has no target")?.to_string();
        let [project, conclusion, at] =
            texts(row, ["repoFullName", "conclusion", "ts"]).ok_or("a prediction lacks a text")?;
        predictions.push(json!({
            "project": project, "targetId": target, "predictedDecision": conclusion, "recordedAt": at,
        }));
        calibration.prediction(Prediction { project, target: &target, head: row["headSha"].as_str(), conclusion, at });
    }
    Ok(json!({ "predictions": predictions, "outcomes": outcomes, "report": report(calibration) }))
}

fn report(calibration: Calibration) -> Value {
    let (rows, _) = calibration.finish();
    let row = |row: &contract_tools::miner::rules::calibration::ProjectCalibration| {
        json!({
            "project": row.project, "wouldMerge": row.would_merge, "mergeConfirmed": row.merge_confirmed,
            "mergeFalse": row.merge_false, "wouldClose": row.would_close, "closeConfirmed": row.close_confirmed,
            "closeFalse": row.close_false, "hold": row.hold, "decided": row.decided,
            "mergePrecision": row.merge_precision(), "closePrecision": row.close_precision(),
        })
    };
    json!({ "hasSignal": !rows.is_empty(), "rows": rows.iter().map(row).collect::<Vec<_>>() })
}
