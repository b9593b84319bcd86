//! `lane_advice`, `config_quality`, `queue_health`, `queue_trends` and `data_quality`: the parts of a repository's context.

use contract_tests::vectors::Vector;
use contract_tools::engine::collision_report::{
    CollisionCluster, CollisionItem, CollisionReason, CollisionReport, CollisionSummary, ItemType, Risk,
};
use contract_tools::engine::config_quality::{config_quality, invalid_multipliers};
use contract_tools::engine::data_quality::{DataWarning, STALE_MILLISECONDS, data_quality};
use contract_tools::engine::lane_advice::{LaneAdvice, lane_advice};
use contract_tools::engine::queue_health::queue_health;
use contract_tools::engine::queue_trends::{
    QueueObservation, QueueTrends, TrendStatus, TrendWarning, queue_trends, queue_trends_unavailable,
};
use contract_tools::engine::records::{Issue, PullRequest, Repository};
use serde_json::{Value, json};

use super::World;
use super::engine_input::{findings_in_vector_form, now, read, text, typed, without};

pub(crate) fn lane_advice_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let repository: Option<Repository> = read(&vector.input, "repo")?;
    lane_in_vector_form(&lane_advice(repository.as_ref(), text(&vector.input, "fullName")?))
}

fn lane_in_vector_form(advice: &LaneAdvice) -> Result<Value, String> {
    without(advice, &["summary", "contributorGuidance", "maintainerGuidance"])
}

pub(crate) fn config_quality_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let mut input = vector.input.clone();
    // As when a registry is read: a multiplier that is no number is no multiplier.
    let multipliers = input.pointer_mut("/repo/registryConfig/labelMultipliers").and_then(Value::as_object_mut);
    if let Some(multipliers) = multipliers {
        multipliers.retain(|_, value| value.is_number());
    }
    let repository: Option<Repository> = read(&input, "repo")?;
    let issues: Vec<Issue> = read(&input, "issues")?;
    let pull_requests: Vec<PullRequest> = read(&input, "pullRequests")?;
    let name = text(&input, "fullName")?;
    let quality = config_quality(repository.as_ref(), &issues, &pull_requests, name, now(&input)?);
    let config = repository.as_ref().and_then(|repository| repository.registry_config.as_ref());
    let mut form = without(&quality, &["generatedAt"])?;
    form["lane"] = lane_in_vector_form(&quality.lane)?;
    form["findings"] = json!(findings_in_vector_form(&quality.findings));
    form["invalidMultipliersListed"] = json!(config.map(invalid_multipliers).unwrap_or_default());
    Ok(form)
}

pub(crate) fn queue_health_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let repository: Option<Repository> = read(input, "repo")?;
    let issues: Vec<Issue> = read(input, "issues")?;
    let pull_requests: Vec<PullRequest> = read(input, "pullRequests")?;
    let collisions = collisions(&input["collisions"])?;
    let counts = read(input, "countOverrides")?;
    let health = queue_health(repository.as_ref(), &issues, &pull_requests, &collisions, &counts, now(input)?);
    let mut form = without(&health, &["generatedAt", "summary"])?;
    form["findings"] = json!(findings_in_vector_form(&health.findings));
    Ok(form)
}

/// The ready report of a vector, as far as the queue's health reads it.
fn collisions(report: &Value) -> Result<CollisionReport, String> {
    let count = |name: &str| report["summary"][name].as_u64().ok_or_else(|| format!("the summary has no {name}"));
    let clusters = report["clusters"].as_array().ok_or("the report has no clusters")?;
    Ok(CollisionReport {
        repo_full_name: text(report, "repoFullName")?.to_owned(),
        generated_at: text(report, "generatedAt")?.to_owned(),
        summary: CollisionSummary {
            cluster_count: count("clusterCount")?,
            high_risk_count: count("highRiskCount")?,
            items_reviewed: count("itemsReviewed")?,
        },
        clusters: clusters.iter().map(cluster).collect::<Result<_, _>>()?,
        untold_duplicates: std::collections::BTreeSet::new(),
    })
}

fn cluster(cluster: &Value) -> Result<CollisionCluster, String> {
    Ok(CollisionCluster {
        id: text(cluster, "id")?.to_owned(),
        risk: match text(cluster, "risk")? {
            "low" => Risk::Low,
            "medium" => Risk::Medium,
            "high" => Risk::High,
            other => return Err(format!("{other} is no risk")),
        },
        reason: CollisionReason::SharedTerms(0),
        items: cluster["items"].as_array().into_iter().flatten().map(item).collect::<Result<_, _>>()?,
    })
}

fn item(item: &Value) -> Result<CollisionItem, String> {
    Ok(CollisionItem {
        item_type: match text(item, "type")? {
            "issue" => ItemType::Issue,
            "pull_request" => ItemType::PullRequest,
            "recent_merged_pull_request" => ItemType::RecentMergedPullRequest,
            other => return Err(format!("{other} is no type of item")),
        },
        number: typed(&item["number"])?,
        title: text(item, "title")?.to_owned(),
        author_login: None,
        html_url: None,
        labels: Vec::new(),
        linked_issues: read(item, "linkedIssues")?,
        linked_issue_claimed_at: None,
        changed_files: None,
    })
}

pub(crate) fn queue_trends_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let name = text(input, "repoFullName")?;
    let generated_at = match input["generatedAt"].as_str() {
        Some(text) => now(&json!({ "now": text }))?,
        None => now(input)?,
    };
    if input["unavailable"] == true {
        return trends_in_vector_form(&queue_trends_unavailable(name, generated_at));
    }
    let totals: Vec<_> = read(input, "totalsSnapshots")?;
    let snapshots = input["queueHealthSnapshots"].as_array().into_iter().flatten();
    let observations: Vec<QueueObservation> =
        snapshots.filter_map(|snapshot| observation(&snapshot["generatedAt"], &snapshot["payload"])).collect();
    let current = &input["currentQueueHealth"];
    let current = observation(&current["generatedAt"], current);
    trends_in_vector_form(&queue_trends(name, &totals, &observations, current.as_ref(), generated_at))
}

/// A stored payload as whoever stores it reads it: none without signals or a moment, and 0 for what is no number.
fn observation(generated_at: &Value, payload: &Value) -> Option<QueueObservation> {
    let signals = payload["signals"].as_object()?;
    let count = |name: &str| signals.get(name).and_then(Value::as_u64).unwrap_or(0);
    Some(QueueObservation {
        generated_at: generated_at.as_str().filter(|text| !text.is_empty())?.to_owned(),
        open_pull_requests: count("openPullRequests"),
        stale_pull_requests: count("stalePullRequests"),
        collision_clusters: count("collisionClusters"),
    })
}

fn trends_in_vector_form(trends: &QueueTrends) -> Result<Value, String> {
    let ready = trends.windows.iter().find(|window| window.status == TrendStatus::Ready);
    let first = ready.map(|window| window.window_days);
    let warning = |warning: &TrendWarning| match warning {
        TrendWarning::SnapshotMissing => json!({ "kind": "snapshot_missing" }),
        TrendWarning::QueueGrowth { window_days, pull_requests } => {
            json!({ "kind": "queue_growth", "windowDays": window_days, "value": pull_requests })
        }
        TrendWarning::StaleRate { rate } => {
            json!({ "kind": "stale_rate", "windowDays": first, "percent": (rate * 100.0).round() })
        }
        TrendWarning::DuplicateGrowth { window_days, clusters } => {
            json!({ "kind": "duplicate_growth", "windowDays": window_days, "value": clusters })
        }
    };
    let mut form = without(trends, &["summary"])?;
    form["warnings"] = trends.warnings.iter().map(warning).collect();
    Ok(form)
}

pub(crate) fn data_quality_runner(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let state = read::<Option<_>>(input, "syncState")?;
    let segments: Vec<_> = read(input, "segments")?;
    let stale_milliseconds = input["options"]["staleMs"].as_i64().unwrap_or(STALE_MILLISECONDS);
    let name = text(input, "repoFullName")?;
    let quality = data_quality(name, state.as_ref(), &segments, stale_milliseconds, now(input)?);
    let warning = |warning: &DataWarning| match warning {
        DataWarning::NoSyncState => json!({ "kind": "no_sync_state" }),
        DataWarning::NothingCovered => json!({ "kind": "nothing_covered" }),
        DataWarning::Partial(_) => json!({ "kind": "partial" }),
        DataWarning::Capped(_) => json!({ "kind": "capped" }),
        DataWarning::Stale(_) => json!({ "kind": "stale" }),
        DataWarning::RateLimited(_) => json!({ "kind": "rate_limited" }),
        DataWarning::SyncError(_) => json!({ "kind": "sync_error" }),
        DataWarning::Reported(text) => json!({ "kind": "sync_state_warning_echo", "text": text }),
    };
    let mut form = without(&quality, &["generatedAt"])?;
    form["warnings"] = quality.warnings.iter().map(warning).collect();
    Ok(form)
}
