//! What is already being done about the same as a plan: clusters of open work that the plan would join, and open work
//! that is in no cluster yet and would be in one together with the plan.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::plan::{Item, Likeness, Plan};
use super::planned::PlannedPullRequest;
use super::related_cluster::{RelatedCluster, Relation};
use super::surroundings::Surroundings;
use crate::engine::collision_report::{
    Candidate, Candidates, CollisionItem, CollisionReason, FoundCluster, ItemType, MOST_CLUSTERS, MOST_ITEMS,
    MOST_ITEMS_IN_ALL, Risk, find,
};
use crate::engine::records::{Issue, PullRequest};

/// What is already being done about the same as a plan.
pub(super) struct RelatedWork {
    /// How many clusters there are.
    pub(super) count: usize,
    /// The surest of them, high risks first.
    pub(super) clusters: Vec<RelatedCluster>,
}

/// A cluster before it is told.
enum Related<'a> {
    /// One that open work makes without the plan.
    Joined(&'a FoundCluster<'a>),
    /// Pull requests that close an issue which the plan closes too, with the issue where it is open.
    Rivals(u64, Option<&'a Issue>, Vec<&'a PullRequest>),
    /// An item that is like the plan.
    Alone(Work<'a>, Risk, Relation),
}

/// An open issue or pull request.
#[derive(Clone, Copy)]
enum Work<'a> {
    Issue(&'a Issue),
    PullRequest(&'a PullRequest),
}

impl Work<'_> {
    fn rank(self) -> (ItemType, u64) {
        match self {
            Self::Issue(issue) => (ItemType::Issue, issue.number),
            Self::PullRequest(row) => (ItemType::PullRequest, row.number),
        }
    }

    fn item(self) -> CollisionItem {
        match self {
            Self::Issue(issue) => CollisionItem::from(issue),
            Self::PullRequest(row) => CollisionItem::from(row),
        }
    }
}

/// Finds it.
pub(super) fn related_work(
    planned: &PlannedPullRequest,
    linked_issues: &[u64],
    issues: &[Issue],
    pull_requests: &[PullRequest],
) -> RelatedWork {
    let plan = Plan::new(planned, linked_issues);
    let around = Surroundings::of(&plan, issues, pull_requests);
    let candidates = Candidates::of(&around.issues, &around.pull_requests, &[]);
    let mut found = find(&candidates);
    found.retain(|cluster| would_join(cluster, &plan, &around));
    let told = Told::by(&found);
    let mut related: Vec<Related<'_>> = found.iter().map(Related::Joined).collect();
    related.extend(untold(&told, &plan, &around));
    let count = related.len();
    if count > MOST_CLUSTERS {
        related.sort_by_cached_key(Related::rank);
        related.truncate(MOST_CLUSTERS);
    }
    let mut room = MOST_ITEMS_IN_ALL;
    let mut clusters = Vec::new();
    for related in related {
        if room > 0 {
            let cluster = related.tell(room);
            room -= cluster.items.len();
            clusters.push(cluster);
        }
    }
    clusters.sort_by_key(|cluster| Reverse(cluster.risk));
    RelatedWork { count, clusters }
}

impl Related<'_> {
    fn risk(&self) -> Risk {
        match self {
            Self::Joined(cluster) => cluster.risk,
            Self::Rivals(..) => Risk::High,
            Self::Alone(_, risk, _) => *risk,
        }
    }

    /// Which are told when there are too many, whatever the order of the records: high risks, and of these the first.
    fn rank(&self) -> (Reverse<Risk>, u8, Vec<(ItemType, u64)>) {
        let (kind, mut items) = match self {
            Self::Joined(cluster) => (1, cluster.members.iter().map(|member| member.rank()).collect()),
            Self::Rivals(number, ..) => (0, vec![(ItemType::Issue, *number)]),
            Self::Alone(work, ..) => (2, vec![work.rank()]),
        };
        items.sort_unstable();
        (Reverse(self.risk()), kind, items)
    }

    fn tell(self, most: usize) -> RelatedCluster {
        match self {
            Self::Joined(cluster) => RelatedCluster::from(cluster.tell(most)),
            Self::Rivals(number, issue, rivals) => rivalry(number, issue, rivals, most),
            Self::Alone(work, risk, relation) => {
                let item = work.item();
                RelatedCluster { id: key(&item), risk, relation, items: vec![item] }
            }
        }
    }
}

/// Whether the plan belongs into a cluster of work that is already under way. Going on with one's own work repeats
/// nobody's, and the issue that the plan closes is there to be closed.
fn would_join(cluster: &FoundCluster<'_>, plan: &Plan<'_>, around: &Surroundings) -> bool {
    let is_issue = |member: &Candidate<'_>| member.item_type == ItemType::Issue;
    let is_own = |member: &Candidate<'_>| !is_issue(member) && plan.is_by_contributor(member.author_login);
    let others = || cluster.members.iter().filter(|member| !is_own(member));
    others().any(|member| !(is_issue(member) && plan.closes(member.number)))
        && others().any(|member| around.is_related(member.item_type, member.number))
}

/// What clusters tell already.
struct Told {
    /// Pull requests that are in a cluster with others, with the issues that these are all about.
    rivals: HashSet<(u64, u64)>,
    /// The highest risk that is told of an item.
    risks: HashMap<(ItemType, u64), Risk>,
}

impl Told {
    fn by(clusters: &[FoundCluster<'_>]) -> Self {
        let mut told = Self { rivals: HashSet::new(), risks: HashMap::new() };
        for cluster in clusters {
            let issues = match &cluster.reason {
                CollisionReason::SharedIssues { numbers, .. } => numbers.as_slice(),
                _ => &[],
            };
            for member in &cluster.members {
                let highest = told.risks.entry(member.rank()).or_insert(cluster.risk);
                *highest = cluster.risk.max(*highest);
                if member.item_type == ItemType::PullRequest {
                    told.rivals.extend(issues.iter().map(|issue| (member.number, *issue)));
                }
            }
        }
        told
    }

    /// Work that is like the plan. Words that both share are not told beside a cluster, which tells them; that the
    /// titles are the same is, unless the cluster's risk is as high.
    fn alone<'a>(&self, work: Work<'a>, likeness: &Likeness) -> Option<Related<'a>> {
        let (risk, relation) = match *likeness {
            Likeness::Title => (Risk::High, Relation::SameTitle),
            Likeness::Terms { risk, shared } => (risk, Relation::SharedTerms(shared)),
        };
        let told = self.risks.get(&work.rank());
        let is_told = told.is_some_and(|told| *told >= risk || matches!(likeness, Likeness::Terms { .. }));
        (!is_told).then_some(Related::Alone(work, risk, relation))
    }
}

/// Open work of which the clusters do not tell what it has to do with the plan: pull requests by the issue that the plan
/// closes too, then issues and pull requests that are like the plan.
fn untold<'a>(told: &Told, plan: &Plan<'_>, around: &'a Surroundings) -> Vec<Related<'a>> {
    let mut seen = HashSet::new();
    let mut alike = Vec::new();
    for issue in around.issues.iter().filter(|issue| !plan.closes(issue.number) && seen.insert(issue.number)) {
        let likeness = likeness(plan, Item::of_issue(issue));
        alike.extend(likeness.and_then(|likeness| told.alone(Work::Issue(issue), &likeness)));
    }
    let mut seen = HashSet::new();
    let mut by_issue: BTreeMap<u64, Vec<&PullRequest>> = BTreeMap::new();
    for row in around.pull_requests.iter().filter(|row| seen.insert(row.number)) {
        if plan.is_by_contributor(row.author_login.as_deref()) {
            continue;
        }
        match plan.shared_issue(&row.linked_issues) {
            Some(issue) if told.rivals.contains(&(row.number, issue)) => {}
            Some(issue) => by_issue.entry(issue).or_default().push(row),
            None => {
                let likeness = likeness(plan, Item::of_pull_request(row));
                alike.extend(likeness.and_then(|likeness| told.alone(Work::PullRequest(row), &likeness)));
            }
        }
    }
    let issues: HashMap<u64, &Issue> = around.issues.iter().rev().map(|issue| (issue.number, issue)).collect();
    let rivals =
        by_issue.into_iter().map(|(number, rivals)| Related::Rivals(number, issues.get(&number).copied(), rivals));
    rivals.chain(alike).collect()
}

fn likeness(plan: &Plan<'_>, item: Item<'_>) -> Option<Likeness> {
    plan.likeness(&item, &item.terms())
}

/// Pull requests that close an issue which the plan closes too; of too many those of the lowest numbers.
fn rivalry(number: u64, issue: Option<&Issue>, mut rivals: Vec<&PullRequest>, most: usize) -> RelatedCluster {
    let issue = issue.map(CollisionItem::from);
    let id = match (&issue, rivals.as_slice()) {
        (None, [rival]) => key(&CollisionItem::from(*rival)),
        (Some(issue), [rival]) => format!("{}--{}", key(issue), key(&CollisionItem::from(*rival))),
        _ => format!("issue-{number}"),
    };
    let relation = Relation::SameIssue { number, open_pull_requests: rivals.len() };
    let most = most.min(MOST_ITEMS);
    let there = rivals.len() + usize::from(issue.is_some());
    let relation = if there > most {
        rivals.sort_by_key(|rival| rival.number);
        Relation::InPart { of: Box::new(relation), listed: most, items: there }
    } else {
        relation
    };
    let items = issue.into_iter().chain(rivals.into_iter().map(CollisionItem::from)).take(most).collect();
    RelatedCluster { id, risk: Risk::High, relation, items }
}

fn key(item: &CollisionItem) -> String {
    format!("{}-{}", item.item_type.word(), item.number)
}
