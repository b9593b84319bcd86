//! `preflight_pr` and `predict_gate`: a plan with the records of its repository, by function call.

use contract_tests::vectors::Vector;
use contract_tools::engine::finding::Finding;
use contract_tools::engine::gate::{GateInput, GateRequest, Prediction, pack_word, predict_gate};
use contract_tools::engine::issue_quality::{IssueQualityEntry, IssueQualityStatus};
use contract_tools::engine::lane_advice::LaneAdvice;
use contract_tools::engine::manifest::parse_manifest;
use contract_tools::engine::moment;
use contract_tools::engine::preflight::{PlannedPullRequest, PreflightInput, preflight};
use contract_tools::engine::text::KeptFirst;
use serde_json::{Map, Value, json};

use super::World;
use super::records::{Records, now, read};

pub(crate) fn preflight_pr(_: &World, vector: &Vector) -> Result<Value, String> {
    let (records, tool) = (Records::of(vector)?, &vector.input["tool"]);
    let planned = PlannedPullRequest {
        repo_full_name: text(tool, "repoFullName").unwrap_or_default(),
        contributor_login: text(tool, "contributorLogin"),
        author_association: text(tool, "authorAssociation"),
        title: text(tool, "title").unwrap_or_default(),
        body: text(tool, "body"),
        labels: texts(tool, "labels")?,
        changed_files: texts(tool, "changedFiles")?,
        linked_issues: numbers(tool, "linkedIssues")?,
        tests: texts(tool, "tests")?,
    };
    let report = preflight(&PreflightInput {
        planned: &planned,
        repository: records.repository.as_ref(),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        bounties: &records.bounties,
        issue_quality: &quality(vector)?,
        kept_first: KeptFirst::InText,
        now: now(vector)?,
    });
    let found = |finding: &Finding| {
        json!({ "code": finding.code, "severity": finding.severity, "hasAction": finding.action.is_some() })
    };
    let collisions = report.collisions.iter().map(|cluster| {
        let items: Vec<Value> = cluster.items.iter().map(|item| json!([item.item_type, item.number])).collect();
        json!({ "id": cluster.id, "risk": cluster.risk, "items": items })
    });
    Ok(json!({
        "repoFullName": report.repo_full_name,
        "generatedAt": moment::text(report.generated_at),
        "status": report.status.word(),
        "reviewBurden": report.review_burden.word(),
        "lane": lane_facts(&report.lane)?,
        "linkedIssues": report.linked_issues,
        "findings": report.findings.iter().map(found).collect::<Vec<_>>(),
        "collisions": collisions.collect::<Vec<_>>(),
    }))
}

/// The advice without its prose.
fn lane_facts(lane: &LaneAdvice) -> Result<Value, String> {
    let mut lane = serde_json::to_value(lane).map_err(|error| error.to_string())?;
    let members = lane.as_object_mut().ok_or("the lane is no object")?;
    for prose in ["summary", "contributorGuidance", "maintainerGuidance"] {
        members.shift_remove(prose).filter(Value::is_string).ok_or("the lane has no prose")?;
    }
    Ok(lane)
}

pub(crate) fn predicted(_: &World, vector: &Vector) -> Result<Value, String> {
    let (records, tool) = (Records::of(vector)?, &vector.input["tool"]);
    let request = GateRequest {
        login: text(tool, "login").unwrap_or_default(),
        owner: text(tool, "owner").unwrap_or_default(),
        repo: text(tool, "repo").unwrap_or_default(),
        title: text(tool, "title").unwrap_or_default(),
        body: text(tool, "body"),
        labels: texts(tool, "labels")?,
        linked_issues: numbers(tool, "linkedIssues")?,
        changed_paths: texts(tool, "changedPaths")?,
    };
    let manifest = vector.input["manifest"].as_str().map(parse_manifest).unwrap_or_default();
    let prediction = predict_gate(&GateInput {
        request: &request,
        manifest: &manifest,
        repository: records.repository.as_ref(),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        bounties: &records.bounties,
        issue_quality: &quality(vector)?,
        confirmed_contributor: vector.input["confirmedContributor"].as_bool(),
        calibration: read(&Value::Null, &vector.input["contributorCalibration"])?,
        now: now(vector)?,
    });
    Ok(in_vector_form(&prediction))
}

fn in_vector_form(prediction: &Prediction) -> Value {
    let codes = |findings: &[Finding]| findings.iter().map(|finding| finding.code.clone()).collect::<Vec<_>>();
    let told = prediction.blockers.iter().chain(&prediction.warnings);
    let preflight = &prediction.preflight;
    let components: Map<String, Value> =
        prediction.readiness.components.iter().map(|part| (part.name.to_owned(), json!(part.score))).collect();
    let mut form = json!({
        "predicted": true,
        "basis": "public_config",
        "pack": pack_word(prediction.pack),
        "conclusion": prediction.conclusion.word(),
        "readinessScore": prediction.readiness_score,
        "blockers": codes(&prediction.blockers),
        "warnings": codes(&prediction.warnings),
        "withAction": told.map(|finding| finding.action.is_some()).collect::<Vec<_>>(),
        "funnel": prediction.funnel.map(|funnel| json!({ "registerUrl": funnel.register_url })),
        "noteDisclosesMissingPaths": prediction.note.contains("Supply the changed paths"),
        "noteDisclosesFileCountOnly": prediction.note.contains("files only, not lines"),
        "trace": {
            "lane": preflight.lane.lane,
            "preflightStatus": preflight.status.word(),
            "preflightFindings": codes(&preflight.findings),
            "linkedIssues": preflight.linked_issues,
            "reviewBurden": preflight.review_burden.word(),
            "scopedOverlaps": preflight.collisions.len(),
            "openPullRequests": prediction.open_pull_requests,
            "components": components,
            "baselineReadiness": prediction.readiness.total(),
        },
    });
    if let Some(is_confirmed) = prediction.confirmed_contributor {
        form["confirmedContributor"] = json!(is_confirmed);
    }
    form
}

/// What the vector says about issues. A status that is none of ours reads as the one that says least.
fn quality(vector: &Vector) -> Result<Vec<IssueQualityEntry>, String> {
    let entries = vector.input["issueQuality"]["issues"].as_array().into_iter().flatten();
    entries
        .map(|entry| {
            Ok(IssueQualityEntry {
                number: read(&Value::Null, &entry["number"])?,
                status: match entry["status"].as_str() {
                    Some("ready") => IssueQualityStatus::Ready,
                    Some("needs_proof") => IssueQualityStatus::NeedsProof,
                    Some("do_not_use") => IssueQualityStatus::DoNotUse,
                    _ => IssueQualityStatus::Hold,
                },
                score: 0,
                warnings: texts(entry, "warnings")?,
                reasons: Vec::new(),
            })
        })
        .collect()
}

fn text(tool: &Value, name: &str) -> Option<String> {
    tool[name].as_str().map(str::to_owned)
}

fn texts(tool: &Value, name: &str) -> Result<Vec<String>, String> {
    Ok(read::<Option<Vec<String>>>(&Value::Null, &tool[name])?.unwrap_or_default())
}

fn numbers(tool: &Value, name: &str) -> Result<Vec<u64>, String> {
    Ok(read::<Option<Vec<u64>>>(&Value::Null, &tool[name])?.unwrap_or_default())
}
