//! Preflight tells open work that is in no cluster, and one cluster for each group.

use std::collections::BTreeSet;

use contract_tests::vectors::Vector;
use serde_json::{Value, json};

use super::related::Work;

/// The part of words from which two items match, and from which one matches the plan.
const PAIR: f64 = 0.58;
const PLAN: f64 = 0.5;

/// Clusters may go and come, each for its reason; findings, burden and status follow from what there is.
pub(super) fn related_work(vector: &Vector, mut expected: Value, answer: &Value) -> Result<Value, String> {
    let tool = &vector.input["tool"];
    let plan = Work::plan(tool, "contributorLogin", "changedFiles", &expected["linkedIssues"]);
    let open = Work::open(&vector.input);
    let (before, after) = (clusters(&expected)?, clusters(answer)?);
    for cluster in before.iter().filter(|cluster| !after.contains(cluster)) {
        let members = members(cluster, &open)?;
        if !is_no_duplicate(&members, &plan) && !is_within_another(cluster, &after) {
            return Err(format!("nothing explains that this is gone: {cluster}"));
        }
    }
    for cluster in after.iter().filter(|cluster| !before.contains(cluster)) {
        let members = members(cluster, &open)?;
        if !is_work_of_others(&members, &plan) {
            return Err(format!("nothing explains that this is new: {cluster}"));
        }
    }
    let is_high = |cluster: &&Value| cluster["risk"] == "high";
    if !after.iter().is_sorted_by_key(|cluster| !is_high(&cluster)) {
        return Err("a high risk stands behind a lower one".to_owned());
    }
    expected["collisions"] = json!(after);
    let mut findings = expected["findings"].as_array().cloned().ok_or("there are no findings")?;
    findings.retain(|finding| finding["code"] != "possible_duplicate_work");
    if !after.is_empty() {
        let severity = if after.iter().any(|cluster| is_high(&cluster)) { "warning" } else { "info" };
        let first = ["lane_not_recommended", "missing_linked_issue", "linked_issue_overflow"];
        let place = findings.iter().take_while(|finding| first.iter().any(|code| finding["code"] == *code)).count();
        findings.insert(place, json!({ "code": "possible_duplicate_work", "severity": severity, "hasAction": true }));
    }
    let needs_work = findings.iter().any(|finding| finding["severity"] != "info");
    if expected["status"] != "hold" {
        expected["status"] = json!(if needs_work { "needs_work" } else { "ready" });
    }
    let files = tool["changedFiles"].as_array().map_or(0, Vec::len);
    expected["reviewBurden"] = json!(match files {
        _ if !after.is_empty() => "high",
        12.. => "high",
        5.. => "medium",
        _ => "low",
    });
    expected["findings"] = json!(findings);
    Ok(expected)
}

fn clusters(form: &Value) -> Result<Vec<Value>, String> {
    form["collisions"].as_array().cloned().ok_or_else(|| "there are no collisions".to_owned())
}

fn members(cluster: &Value, open: &[Work]) -> Result<Vec<Work>, String> {
    let items = cluster["items"].as_array().into_iter().flatten();
    items
        .map(|item| {
            let is_it = |work: &&Work| work.is_issue == (item[0] == "issue") && item[1].as_u64() == Some(work.number);
            open.iter().find(is_it).cloned().ok_or_else(|| format!("nothing open is {item}"))
        })
        .collect()
}

/// An issue and the one pull request that closes it, or only what the contributor does and means to close.
fn is_no_duplicate(members: &[Work], plan: &Work) -> bool {
    let is_own_pair = match members {
        [issue, row] => issue.is_issue != row.is_issue && issue.shares_issue(row),
        _ => false,
    };
    let is_own = |work: &Work| {
        if work.is_issue { plan.issues.contains(&work.number) } else { is_by_contributor(work, plan) }
    };
    is_own_pair || members.iter().all(is_own)
}

fn is_by_contributor(work: &Work, plan: &Work) -> bool {
    !plan.author.is_empty() && work.author == plan.author
}

/// A group is told once: another cluster holds everything that this one does.
fn is_within_another(cluster: &Value, after: &[Value]) -> bool {
    let items = |cluster: &Value| -> BTreeSet<String> {
        cluster["items"].as_array().into_iter().flatten().map(Value::to_string).collect()
    };
    after.iter().any(|other| items(cluster).is_subset(&items(other)))
}

/// Something of somebody else that is about the same as the plan, alone or with what it belongs to.
fn is_work_of_others(members: &[Work], plan: &Work) -> bool {
    // Alone, work with words of paths needs a file as well; what is in a cluster needs none.
    let is_alone = members.len() == 1;
    let is_related = |work: &Work| {
        let is_like = work.is_like(plan, PLAN) || (!is_alone && work.speaks_of(plan, PLAN));
        !is_by_contributor(work, plan) && (work.shares_issue(plan) || is_like)
    };
    let belong_together = match members {
        [_] => true,
        [one, other] => one.is_like(other, PAIR) || one.shares_issue(other),
        _ => members.iter().all(|work| members.iter().any(|issue| issue.is_issue && issue.shares_issue(work))),
    };
    belong_together && members.iter().any(is_related)
}
