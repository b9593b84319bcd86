//! Clusters before they are told. A stranger can make a hundred titles that all match each other, so that what is found
//! borrows its items, and only what a report has room for is written out.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::candidate::{Candidate, Candidates};
use super::report::{CollisionCluster, CollisionItem, CollisionReason, ItemType, Risk};
use super::{shared_issue, shared_terms};

/// The clusters that a report tells at most.
pub(in crate::engine) const MOST_CLUSTERS: usize = 100;

/// The items that a cluster tells at most.
pub(in crate::engine) const MOST_ITEMS: usize = 50;

/// The items that a report tells at most, in all its clusters.
pub(in crate::engine) const MOST_ITEMS_IN_ALL: usize = 500;

/// Work that may be the same.
pub(in crate::engine) struct FoundCluster<'a> {
    pub(super) name: ClusterName,
    pub(in crate::engine) risk: Risk,
    pub(in crate::engine) reason: CollisionReason,
    /// Two or more, in the order in which they are told.
    pub(in crate::engine) members: Vec<&'a Candidate<'a>>,
}

/// What names a cluster within its report.
pub(super) enum ClusterName {
    /// Its two items.
    Pair,
    /// The lowest of the issues that its items close.
    Issue(u64),
    /// The first of the items that have one title.
    Title,
}

impl FoundCluster<'_> {
    /// The cluster as a report tells it, with at most so many items.
    pub(in crate::engine) fn tell(&self, most: usize) -> CollisionCluster {
        CollisionCluster {
            id: self.id(),
            risk: self.risk,
            reason: self.told_reason(most.min(MOST_ITEMS)),
            items: self.told_members(most.min(MOST_ITEMS)).into_iter().map(Candidate::item).collect(),
        }
    }

    fn id(&self) -> String {
        let mut keys = self.members.iter().map(|member| member.rank()).collect::<Vec<_>>();
        match self.name {
            ClusterName::Issue(number) => format!("issue-{number}"),
            ClusterName::Pair => {
                let mut keys: Vec<String> = self.members.iter().map(|member| member.key()).collect();
                keys.sort();
                keys.join("--")
            }
            ClusterName::Title => {
                keys.sort_unstable();
                keys.first()
                    .map(|(item_type, number)| format!("title-{}-{number}", item_type.word()))
                    .unwrap_or_default()
            }
        }
    }

    fn told_reason(&self, most: usize) -> CollisionReason {
        let reason = self.reason.clone();
        if self.members.len() <= most {
            return reason;
        }
        CollisionReason::InPart { of: Box::new(reason), listed: most, items: self.members.len() }
    }

    /// Of more items than there is room for, those of the lowest numbers, whatever the order of the lists.
    fn told_members(&self, most: usize) -> Vec<&Candidate<'_>> {
        if self.members.len() <= most {
            return self.members.clone();
        }
        let mut ranks: Vec<(ItemType, u64)> = self.members.iter().map(|member| member.rank()).collect();
        ranks.sort_unstable();
        ranks.truncate(most);
        self.members.iter().copied().filter(|member| ranks.binary_search(&member.rank()).is_ok()).collect()
    }

    /// The open pull requests that are in it, if it is of high risk and holds two or more.
    fn duplicates(&self) -> Vec<u64> {
        let is_open = |member: &&&Candidate<'_>| member.item_type == ItemType::PullRequest;
        let numbers: Vec<u64> = self.members.iter().filter(is_open).map(|member| member.number).collect();
        if self.risk == Risk::High && numbers.len() >= 2 { numbers } else { Vec::new() }
    }
}

/// Every cluster, the surest first; inside one risk in the order of discovery.
pub(in crate::engine) fn find<'a>(candidates: &'a Candidates<'_>) -> Vec<FoundCluster<'a>> {
    let mut clusters = shared_issue::clusters(candidates, &candidates.recent());
    clusters.extend(shared_terms::clusters(candidates));
    clusters.sort_by_key(|cluster| Reverse(cluster.risk));
    clusters
}

/// How many clusters an open pull request is in. It is compared with everything, so that nothing else takes its place.
pub(in crate::engine) fn count_with(candidates: &Candidates<'_>, pull_request: u64) -> u64 {
    let Some(own) = candidates.pull_requests.iter().find(|candidate| candidate.number == pull_request) else {
        return 0;
    };
    let merged: Vec<&Candidate<'_>> = candidates.merged.iter().collect();
    let groups = shared_issue::clusters(candidates, &merged);
    let is_own = |member: &&Candidate<'_>| member.rank() == own.rank();
    let in_groups = groups.iter().filter(|cluster| cluster.members.iter().any(is_own)).count();
    (in_groups + shared_terms::count_with(own, candidates.all())) as u64
}

/// The clusters that a report has room for, in their order, and the duplicates among those that it has none for.
pub(super) fn tell(clusters: &[FoundCluster<'_>]) -> (Vec<CollisionCluster>, BTreeSet<u64>) {
    let mut places: Vec<usize> = (0..clusters.len()).collect();
    if clusters.len() > MOST_CLUSTERS {
        let lowest = |place: &usize| {
            let mut ranks: Vec<_> = clusters[*place].members.iter().map(|member| member.rank()).collect();
            ranks.sort_unstable();
            (Reverse(clusters[*place].risk), ranks)
        };
        places.sort_by_cached_key(lowest);
        places.truncate(MOST_CLUSTERS);
    }
    let mut room = MOST_ITEMS_IN_ALL;
    let mut told: Vec<(usize, CollisionCluster)> = Vec::new();
    for place in places {
        if room < 2 {
            break;
        }
        let cluster = clusters[place].tell(room);
        room -= cluster.items.len();
        told.push((place, cluster));
    }
    told.sort_by_key(|(place, _)| *place);
    let told: Vec<CollisionCluster> = told.into_iter().map(|(_, cluster)| cluster).collect();
    let all: BTreeSet<u64> = clusters.iter().flat_map(FoundCluster::duplicates).collect();
    let shown: BTreeSet<u64> = told.iter().flat_map(duplicates_told).collect();
    (told, all.difference(&shown).copied().collect())
}

/// The same as [`FoundCluster::duplicates`], of what is shown.
pub(in crate::engine) fn duplicates_told(cluster: &CollisionCluster) -> Vec<u64> {
    let is_open = |item: &&CollisionItem| item.item_type == ItemType::PullRequest;
    let numbers: Vec<u64> = cluster.items.iter().filter(is_open).map(|item| item.number).collect();
    if cluster.risk == Risk::High && numbers.len() >= 2 { numbers } else { Vec::new() }
}
