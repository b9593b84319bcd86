//! What is already being done about the same as a plan: clusters of open work that the plan would join, and open work
//! that is in no cluster yet and would be in one together with the plan.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::plan::{Item, Likeness, Plan};
use super::planned::PlannedPullRequest;
use super::related_cluster::{RelatedCluster, Relation};
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
) -> Vec<RelatedCluster> {
    let plan = Plan::new(planned, linked_issues);
    let around = Surroundings::of(&plan, issues, pull_requests);
    let report = collision_report(&planned.repo_full_name, &around.issues, &around.pull_requests, &[], now);
    let joined = report.clusters.into_iter().filter(|cluster| would_join(cluster, &plan, &around));
    let mut clusters: Vec<RelatedCluster> = joined.map(RelatedCluster::from).collect();
    let told = Told::by(&clusters);
    clusters.extend(untold(&told, &plan, &around));
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.risk));
    clusters
}

/// Whether the plan belongs into a cluster of work that is already under way. Going on with one's own work repeats
/// nobody's, and the issue that the plan closes is there to be closed.
fn would_join(cluster: &CollisionCluster, plan: &Plan<'_>, around: &Surroundings) -> bool {
    let is_issue = |item: &CollisionItem| item.item_type == ItemType::Issue;
    let is_own = |item: &CollisionItem| !is_issue(item) && plan.is_by_contributor(item.author_login.as_deref());
    let others = || cluster.items.iter().filter(|item| !is_own(item));
    others().any(|item| !(is_issue(item) && plan.closes(item.number)))
        && others().any(|item| around.is_related(item.item_type, item.number))
}

/// What clusters tell already.
struct Told {
    /// Pull requests that are in a cluster with others, with the issues that these are all about.
    rivals: HashSet<(u64, u64)>,
    /// The highest risk that is told of an item.
    risks: HashMap<(ItemType, u64), Risk>,
}

impl Told {
    fn by(clusters: &[RelatedCluster]) -> Self {
        let mut told = Self { rivals: HashSet::new(), risks: HashMap::new() };
        for cluster in clusters {
            let issues = match &cluster.relation {
                Relation::Joins(CollisionReason::SharedIssues { numbers, .. }) => numbers.as_slice(),
                _ => &[],
            };
            for item in &cluster.items {
                let highest = told.risks.entry((item.item_type, item.number)).or_insert(cluster.risk);
                *highest = cluster.risk.max(*highest);
                if item.item_type == ItemType::PullRequest {
                    told.rivals.extend(issues.iter().map(|issue| (item.number, *issue)));
                }
            }
        }
        told
    }

    /// An item that is like the plan. Words that both share are not told beside a cluster, which tells them; that the
    /// titles are the same is, unless the cluster's risk is as high.
    fn alone(&self, item: CollisionItem, likeness: &Likeness) -> Option<RelatedCluster> {
        let (risk, relation) = match *likeness {
            Likeness::Title => (Risk::High, Relation::SameTitle),
            Likeness::Terms { risk, shared } => (risk, Relation::SharedTerms(shared)),
        };
        let told = self.risks.get(&(item.item_type, item.number));
        let is_told = told.is_some_and(|told| *told >= risk || matches!(likeness, Likeness::Terms { .. }));
        (!is_told).then(|| RelatedCluster { id: key(&item), risk, relation, items: vec![item] })
    }
}

/// Open work of which the clusters do not tell what it has to do with the plan: pull requests by the issue that the plan
/// closes too, then issues and pull requests that are like the plan.
fn untold(told: &Told, plan: &Plan<'_>, around: &Surroundings) -> Vec<RelatedCluster> {
    let mut seen = HashSet::new();
    let mut alike = Vec::new();
    for issue in around.issues.iter().filter(|issue| !plan.closes(issue.number) && seen.insert(issue.number)) {
        let likeness = likeness(plan, Item::of_issue(issue));
        alike.extend(likeness.and_then(|likeness| told.alone(CollisionItem::from(issue), &likeness)));
    }
    let mut seen = HashSet::new();
    let mut by_issue: BTreeMap<u64, Vec<CollisionItem>> = BTreeMap::new();
    for row in around.pull_requests.iter().filter(|row| seen.insert(row.number)) {
        if plan.is_by_contributor(row.author_login.as_deref()) {
            continue;
        }
        match plan.shared_issue(&row.linked_issues) {
            Some(issue) if told.rivals.contains(&(row.number, issue)) => {}
            Some(issue) => by_issue.entry(issue).or_default().push(CollisionItem::from(row)),
            None => {
                let likeness = likeness(plan, Item::of_pull_request(row));
                alike.extend(likeness.and_then(|likeness| told.alone(CollisionItem::from(row), &likeness)));
            }
        }
    }
    let issues: HashMap<u64, &Issue> = around.issues.iter().rev().map(|issue| (issue.number, issue)).collect();
    let rivals = by_issue.into_iter().map(|(number, rivals)| rivalry(number, issues.get(&number).copied(), rivals));
    rivals.chain(alike).collect()
}

fn likeness(plan: &Plan<'_>, item: Item<'_>) -> Option<Likeness> {
    plan.likeness(&item, &item.terms())
}

/// Pull requests that close an issue which the plan closes too.
fn rivalry(number: u64, issue: Option<&Issue>, rivals: Vec<CollisionItem>) -> RelatedCluster {
    let relation = Relation::SameIssue { number, open_pull_requests: rivals.len() };
    let items: Vec<CollisionItem> = issue.map(CollisionItem::from).into_iter().chain(rivals).collect();
    let id = match items.as_slice() {
        [rival] => key(rival),
        [issue, rival] => format!("{}--{}", key(issue), key(rival)),
        _ => format!("issue-{number}"),
    };
    RelatedCluster { id, risk: Risk::High, relation, items }
}

fn key(item: &CollisionItem) -> String {
    format!("{}-{}", item.item_type.word(), item.number)
}
