//! `collision_report` and `reviewability`: what is told about the pull requests of a queue, and about one of them.

use contract_tests::vectors::Vector;
use contract_tools::engine::collision_report::{
    CollisionCluster, CollisionItem, CollisionReason, ItemType, collision_report,
};
use contract_tools::engine::records::{
    ContributorProfile, Issue, OfficialRepositoryActivity, PullRequest, RecentMergedPullRequest, Repository,
};
use contract_tools::engine::reviewability::{Evidence, Noise, ReviewVerdict, ReviewabilityInput, weigh};
use serde_json::{Value, json};

use super::World;
use super::engine_input::{now, read, text, typed, without};

pub(crate) fn collision_report_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let issues: Vec<Issue> = read(input, "issues")?;
    let pull_requests: Vec<PullRequest> = read(input, "pullRequests")?;
    let recent_merged: Vec<RecentMergedPullRequest> = read(input, "recentMergedPullRequests")?;
    let name = text(input, "repoFullName")?;
    let report = collision_report(name, &issues, &pull_requests, &recent_merged, now(input)?);
    let wants_full_items = input["wantFullItems"] == true;
    let mut form = without(&report, &["generatedAt"])?;
    let clusters = report.clusters.iter().map(|cluster| cluster_in_vector_form(cluster, wants_full_items));
    form["clusters"] = clusters.collect::<Result<_, _>>()?;
    Ok(form)
}

fn cluster_in_vector_form(cluster: &CollisionCluster, wants_full_items: bool) -> Result<Value, String> {
    let mut form = without(cluster, &["reason"])?;
    let holds_issue = cluster.items.iter().any(|item| item.item_type == ItemType::Issue);
    let reason = match &cluster.reason {
        CollisionReason::InPart { of, .. } => of,
        whole => whole,
    };
    match reason {
        CollisionReason::SharedIssues { numbers, .. } => {
            form["basis"] = json!(if holds_issue { "open_pr_references_issue" } else { "shared_linked_issue" });
            form["issue"] = json!(numbers.first());
        }
        CollisionReason::SharedTerms(shared) | CollisionReason::SameTitle { terms: shared, .. } => {
            form["basis"] = json!("term_overlap");
            form["sharedTerms"] = json!(shared);
        }
        CollisionReason::InPart { .. } => return Err("a part of a part".to_owned()),
    }
    if !wants_full_items {
        let short = |item: &CollisionItem| json!({ "type": item.item_type, "number": item.number });
        form["items"] = cluster.items.iter().map(short).collect();
    }
    Ok(form)
}

pub(crate) fn reviewability_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let known = read::<Option<Repository>>(input, "repo")?.zip(read::<Option<PullRequest>>(input, "pullRequest")?);
    let Some((repository, pull_request)) = known else {
        // The tool's answer; the rules cannot even be asked.
        return Ok(json!({ "error": { "code": "not_found" } }));
    };
    let issues: Vec<Issue> = read(input, "issues")?;
    let pull_requests: Vec<PullRequest> = read(input, "pullRequests")?;
    let recent_merged: Vec<RecentMergedPullRequest> = read(input, "recentMergedPullRequests")?;
    let (files, reviews, checks): (Vec<_>, Vec<_>, Vec<_>) =
        (read(input, "files")?, read(input, "reviews")?, read(input, "checks")?);
    let profile = profile(&input["profile"])?;
    let outcomes: Vec<_> = read(&input["outcomeHistory"], "repoOutcomes")?;
    let question = ReviewabilityInput {
        repo_full_name: text(input, "repoFullName")?,
        repository: &repository,
        pull_request: &pull_request,
        issues: &issues,
        pull_requests: &pull_requests,
        recent_merged: &recent_merged,
        files: &files,
        reviews: &reviews,
        checks: &checks,
        profile: profile.as_ref(),
        outcomes: &outcomes,
    };
    let now = now(input)?;
    let evidence = Evidence::gather(&question);
    let report = weigh(&question, &evidence, now);
    let steps = &report.maintainer_next_steps;
    let echoed = report.noise_sources.iter().filter(|noise| steps.contains(&noise.to_string()));
    let approvals = evidence.verdicts.iter().filter(|verdict| **verdict == ReviewVerdict::Approved);
    Ok(json!({
        "repoFullName": report.repo_full_name,
        "pullNumber": report.pull_number,
        "score": report.score,
        "action": report.action,
        "noise": report.noise_sources.iter().map(noise_in_vector_form).collect::<Vec<_>>(),
        "noiseSourcesLength": report.noise_sources.len(),
        "whyThisHelpsLength": report.why_this_helps.len(),
        "maintainerNextStepsLength": steps.len(),
        "nextStepsEchoedNoise": echoed.map(|noise| noise_in_vector_form(noise)["kind"].clone()).collect::<Vec<_>>(),
        "intermediate": {
            "login": pull_request.author_login.as_deref().unwrap_or("unknown"),
            "role": evidence.role,
            "roleSource": evidence.role_source,
            "maintainerLane": evidence.role.is_maintainer_lane(),
            "collisionClusters": evidence.collision_clusters,
            "approvalCount": approvals.count(),
            "linkedIssueCount": evidence.linked_issues,
            "fileCount": evidence.files,
            "codeFileCount": evidence.code_files,
            "testFileCount": evidence.test_files,
            "additions": evidence.additions,
            "deletions": evidence.deletions,
            "closedPullRequestRate": evidence.closed_rate,
        },
    }))
}

fn noise_in_vector_form(noise: &Noise) -> Value {
    match noise {
        Noise::NotOpen(state) => json!({ "kind": "pr_not_open", "state": state }),
        Noise::MissingLinkedIssue => json!({ "kind": "missing_linked_issue" }),
        Noise::Collisions(count) => json!({ "kind": "collisions", "count": count }),
        Noise::CodeWithoutTests => json!({ "kind": "code_without_tests" }),
        Noise::FailingChecks(count) => json!({ "kind": "failing_checks", "count": count }),
        Noise::BroadDiff => json!({ "kind": "broad_diff" }),
        Noise::ContributorClosedRate(rate) => {
            json!({ "kind": "contributor_closed_rate", "percent": (rate * 100.0).round() })
        }
    }
}

fn profile(profile: &Value) -> Result<Option<ContributorProfile>, String> {
    if profile.is_null() {
        return Ok(None);
    }
    let rows = profile["gittensor"]["repositories"].as_array().into_iter().flatten();
    Ok(Some(ContributorProfile {
        login: text(profile, "login")?.to_owned(),
        official_repositories: rows.map(typed::<OfficialRepositoryActivity>).collect::<Result<_, _>>()?,
        repositories_touched: read(&profile["registeredRepoActivity"], "reposTouched")?,
    }))
}
