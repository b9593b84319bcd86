//! What is already being done about the same as a plan: clusters of open work that the plan would join, and open work
//! that is in no cluster yet and would be in one together with the plan.

use std::collections::{BTreeMap, HashSet};

use super::plan::{Item, Likeness, Plan};
use super::planned::PlannedPullRequest;
use super::surroundings::Surroundings;
use crate::engine::collision_report::{
    CollisionCluster, CollisionItem, CollisionReason, ItemType, Risk, collision_report,
};
use crate::engine::moment::Moment;
use crate::engine::records::{Issue, PullRequest};

/// The clusters, high risks first.
pub(super) fn related_work(
    planned: &PlannedPullRequest,
    linked_issues: &[u64],
    issues: &[Issue],
    pull_requests: &[PullRequest],
    now: Moment,
) -> Vec<CollisionCluster> {
    let plan = Plan::new(planned, linked_issues);
    let around = Surroundings::of(&plan, issues, pull_requests);
    let report = collision_report(&planned.repo_full_name, &around.issues, &around.pull_requests, &[], now);
    let mut clusters: Vec<_> = report.clusters.into_iter().filter(|cluster| plan.would_join(cluster)).collect();
    let clustered = clusters.iter().flat_map(|cluster| &cluster.items).map(|item| (item.item_type, item.number));
    clusters.extend(outside(clustered.collect(), &plan, &around));
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.risk));
    clusters
}

/// Open work in none of the clusters, of which `clustered` names the items: pull requests by the issue that the plan
/// closes too, then issues and pull requests that are like the plan.
fn outside(clustered: HashSet<(ItemType, u64)>, plan: &Plan<'_>, around: &Surroundings) -> Vec<CollisionCluster> {
    let mut seen = clustered;
    let mut alike = Vec::new();
    for issue in around.issues.iter().filter(|issue| !plan.closes(issue.number)) {
        if seen.insert((ItemType::Issue, issue.number)) {
            let item = CollisionItem::from(issue);
            alike.extend(plan.likeness(&Item::of_issue(issue)).map(|likeness| alone(item, likeness)));
        }
    }
    let mut by_issue: BTreeMap<u64, Vec<CollisionItem>> = BTreeMap::new();
    for row in &around.pull_requests {
        if plan.is_by_contributor(row.author_login.as_deref()) || !seen.insert((ItemType::PullRequest, row.number)) {
            continue;
        }
        let item = CollisionItem::from(row);
        if let Some(issue) = plan.shared_issue(&row.linked_issues) {
            by_issue.entry(issue).or_default().push(item);
        } else if let Some(likeness) = plan.likeness(&Item::of_pull_request(row)) {
            alike.push(alone(item, likeness));
        }
    }
    let rivals = by_issue
        .into_iter()
        .map(|(number, rivals)| rivalry(number, around.issues.iter().find(|issue| issue.number == number), rivals));
    rivals.chain(alike).collect()
}

/// Pull requests that close an issue which the plan closes too.
fn rivalry(number: u64, issue: Option<&Issue>, rivals: Vec<CollisionItem>) -> CollisionCluster {
    let reason = CollisionReason::PlannedIssue { number, open_pull_requests: rivals.len() };
    let items: Vec<CollisionItem> = issue.map(CollisionItem::from).into_iter().chain(rivals).collect();
    let id = match items.as_slice() {
        [rival] => key(rival),
        [issue, rival] => format!("{}--{}", key(issue), key(rival)),
        _ => format!("issue-{number}"),
    };
    CollisionCluster { id, risk: Risk::High, reason, items }
}

/// One item that is like the plan.
fn alone(item: CollisionItem, likeness: Likeness) -> CollisionCluster {
    let (risk, reason) = match likeness {
        Likeness::Title => (Risk::High, CollisionReason::PlannedTitle),
        Likeness::Terms { risk, shared } => (risk, CollisionReason::PlannedTerms(shared)),
    };
    CollisionCluster { id: key(&item), risk, reason, items: vec![item] }
}

fn key(item: &CollisionItem) -> String {
    format!("{}-{}", item.item_type.word(), item.number)
}
