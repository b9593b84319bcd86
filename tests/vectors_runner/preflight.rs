//! `preflight_pr` and `predict_gate`: a plan with the records of its repository, by function call.

use contract_tests::vectors::Vector;
use contract_tools::engine::finding::Finding;
use contract_tools::engine::gate::{GateInput, GateRequest, Prediction, predict_gate};
use contract_tools::engine::issue_quality::{IssueQualityEntry, IssueQualityStatus};
use contract_tools::engine::manifest::parse_manifest;
use contract_tools::engine::preflight::{PlannedPullRequest, PreflightInput, preflight};
use contract_tools::engine::records::{Bounty, Issue, PullRequest, RecentMergedPullRequest, Repository};
use contract_tools::engine::text::KeptFirst;
use serde_json::{Map, Value, json};

use super::World;
use super::engine_input::{findings_in_vector_form, now, read, text, typed, without};

/// What a vector knows about a repository. What it leaves out is empty.
pub(crate) struct Records {
    pub(crate) repository: Option<Repository>,
    pub(crate) issues: Vec<Issue>,
    pub(crate) pull_requests: Vec<PullRequest>,
    pub(crate) recent_merged: Vec<RecentMergedPullRequest>,
    pub(crate) bounties: Vec<Bounty>,
}

impl Records {
    pub(crate) fn of(vector: &Vector) -> Result<Self, String> {
        let input = &vector.input;
        Ok(Self {
            repository: read(input, "repo")?,
            issues: read(input, "issues")?,
            pull_requests: read(input, "pullRequests")?,
            recent_merged: read(input, "recentMerged")?,
            bounties: read(input, "bounties")?,
        })
    }

    /// The name that the records carry.
    pub(crate) fn repo_full_name(&self) -> &str {
        let of_issue = || self.issues.first().map(|issue| issue.repo_full_name.as_str());
        self.repository.as_ref().map(|repository| repository.full_name.as_str()).or_else(of_issue).unwrap_or_default()
    }
}

pub(crate) fn preflight_pr(_: &World, vector: &Vector) -> Result<Value, String> {
    let (records, tool) = (Records::of(vector)?, &vector.input["tool"]);
    let planned = PlannedPullRequest {
        repo_full_name: text(tool, "repoFullName")?.to_owned(),
        contributor_login: read(tool, "contributorLogin")?,
        author_association: read(tool, "authorAssociation")?,
        title: text(tool, "title")?.to_owned(),
        body: read(tool, "body")?,
        labels: read(tool, "labels")?,
        changed_files: read(tool, "changedFiles")?,
        linked_issues: read(tool, "linkedIssues")?,
        tests: read(tool, "tests")?,
    };
    let report = preflight(&PreflightInput {
        planned: &planned,
        repository: records.repository.as_ref(),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        bounties: &records.bounties,
        issue_quality: &quality(vector)?,
        kept_first: KeptFirst::InText,
        now: now(&vector.input)?,
    });
    let collisions = report.collisions.iter().map(|cluster| {
        let items: Vec<Value> = cluster.items.iter().map(|item| json!([item.item_type, item.number])).collect();
        json!({ "id": cluster.id, "risk": cluster.risk, "items": items })
    });
    Ok(json!({
        "repoFullName": report.repo_full_name,
        "generatedAt": report.generated_at,
        "status": report.status,
        "reviewBurden": report.review_burden,
        "lane": without(&report.lane, &["summary", "contributorGuidance", "maintainerGuidance"])?,
        "linkedIssues": report.linked_issues,
        "findings": findings_in_vector_form(&report.findings),
        "collisions": collisions.collect::<Vec<_>>(),
    }))
}

pub(crate) fn predicted(_: &World, vector: &Vector) -> Result<Value, String> {
    let (records, tool) = (Records::of(vector)?, &vector.input["tool"]);
    let request = GateRequest {
        login: text(tool, "login")?.to_owned(),
        owner: text(tool, "owner")?.to_owned(),
        repo: text(tool, "repo")?.to_owned(),
        title: text(tool, "title")?.to_owned(),
        body: read(tool, "body")?,
        labels: read(tool, "labels")?,
        linked_issues: read(tool, "linkedIssues")?,
        changed_paths: read(tool, "changedPaths")?,
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
        calibration: read(&vector.input, "contributorCalibration")?,
        now: now(&vector.input)?,
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
        "pack": prediction.pack.word(),
        "conclusion": prediction.conclusion,
        "readinessScore": prediction.readiness_score,
        "blockers": codes(&prediction.blockers),
        "warnings": codes(&prediction.warnings),
        "withAction": told.map(|finding| finding.action.is_some()).collect::<Vec<_>>(),
        "funnel": prediction.funnel.map(|funnel| json!({ "registerUrl": funnel.register_url })),
        "noteDisclosesMissingPaths": prediction.note.contains("Supply the changed paths"),
        "noteDisclosesFileCountOnly": prediction.note.contains("files only, not lines"),
        "trace": {
            "lane": preflight.lane.lane,
            "preflightStatus": preflight.status,
            "preflightFindings": codes(&preflight.findings),
            "linkedIssues": preflight.linked_issues,
            "reviewBurden": preflight.review_burden,
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
                number: typed(&entry["number"])?,
                status: match entry["status"].as_str() {
                    Some("ready") => IssueQualityStatus::Ready,
                    Some("needs_proof") => IssueQualityStatus::NeedsProof,
                    Some("do_not_use") => IssueQualityStatus::DoNotUse,
                    _ => IssueQualityStatus::Hold,
                },
                score: 0,
                warnings: read(entry, "warnings")?,
                reasons: Vec::new(),
            })
        })
        .collect()
}
