//! A rate of closed pull requests needs five decided ones besides the one that is looked at.

use contract_tests::vectors::Vector;
use serde_json::{Value, json};

/// The noise that comes of a rate.
const KIND: &str = "contributor_closed_rate";

/// The rate again, and everything that hangs on it: the noise, the score, the action by the score, and its steps.
pub(super) fn closed_rate(vector: &Vector, mut expected: Value, _: &Value) -> Result<Value, String> {
    let rate = rate(&vector.input)?;
    let facts = &expected["intermediate"];
    let is_maintainer = facts["maintainerLane"] == true;
    let mut noise = expected["noise"].as_array().cloned().ok_or("the vector lists no noise")?;
    noise.retain(|entry| entry["kind"] != KIND);
    if let Some(rate) = rate.filter(|rate| *rate >= 0.35 && !is_maintainer) {
        noise.push(json!({ "kind": KIND, "percent": (rate * 100.0).round() }));
    }
    let of_kind = |kind: &str| noise.iter().find(|entry| entry["kind"] == kind);
    let count = |kind: &str| of_kind(kind).map_or(0, |entry| entry["count"].as_i64().unwrap_or(1));
    let bonus = if facts["approvalCount"].as_u64() > Some(0) { 12 } else { 0 };
    let entries = i64::try_from(noise.len()).map_err(|error| error.to_string())?;
    let against = 14 * entries + 12 * count("collisions") + 18 * count("failing_checks") + 18 * count("broad_diff");
    let score = (100 - against + bonus).clamp(0, 100);
    let hangs_on_score = ["review_now", "needs_author", "watch"].iter().any(|action| expected["action"] == *action);
    if hangs_on_score {
        expected["action"] = json!(match score {
            75.. => "review_now",
            45.. => "needs_author",
            _ => "watch",
        });
    }
    let echoed: Vec<Value> = match expected["action"].as_str() {
        Some("needs_author") => noise.iter().take(3).map(|entry| entry["kind"].clone()).collect(),
        _ => Vec::new(),
    };
    expected["score"] = json!(score);
    // An empty list has a placeholder in the original.
    expected["noiseSourcesLength"] = json!(noise.len().max(1));
    expected["noise"] = json!(noise);
    expected["maintainerNextStepsLength"] = json!(1 + echoed.len());
    expected["nextStepsEchoedNoise"] = json!(echoed);
    expected["intermediate"]["closedPullRequestRate"] = json!(rate);
    Ok(expected)
}

fn rate(input: &Value) -> Result<Option<f64>, String> {
    if input["pullRequest"]["state"] != "open" {
        return Err("only open pull requests were looked at".to_owned());
    }
    let name = |row: &Value| row["repoFullName"].as_str().unwrap_or_default().to_lowercase();
    let rows = input["outcomeHistory"]["repoOutcomes"].as_array().into_iter().flatten();
    let count = |row: &Value, member: &str| row[member].as_f64().unwrap_or(0.0);
    let mut rates = rows.filter(|row| name(row) == name(input)).map(|row| {
        let (closed, merged) = (count(row, "closedPullRequests"), count(row, "mergedPullRequests"));
        let others = (count(row, "openPullRequests") - 1.0).max(0.0);
        let rate = (closed / (closed + merged + others) * 10_000.0).round() / 10_000.0;
        (closed + merged >= 5.0).then_some(rate)
    });
    Ok(rates.next().flatten())
}
