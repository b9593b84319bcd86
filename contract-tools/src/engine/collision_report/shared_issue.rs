//! Pull requests that close the same issue: one group, one cluster.

use std::collections::HashMap;

use super::candidate::{Candidate, Candidates};
use super::found::{ClusterName, FoundCluster};
use super::report::{CollisionReason, Risk};

/// Who closes an issue.
#[derive(Default, PartialEq, Eq, Hash)]
struct Linkers {
    /// Places among the open pull requests.
    open: Vec<usize>,
    /// Places among the merged ones.
    merged: Vec<usize>,
}

impl Linkers {
    /// Whether they may do the same work: two of them, at least one of which is open.
    fn collide(&self) -> bool {
        self.open.len() >= 2 || (self.open.len() == 1 && !self.merged.is_empty())
    }
}

/// A cluster for each group of pull requests that close the same issues.
///
/// | open pull requests on the issue | merged ones | risk | items |
/// |---|---|---|---|
/// | 2 or more | any | high | the issue when it is open, then all of them |
/// | 1 | 1 or more | medium | all of them |
/// | 1 | none | no cluster: that is how it should be | |
pub(super) fn clusters<'a>(candidates: &'a Candidates<'_>, merged: &[&'a Candidate<'_>]) -> Vec<FoundCluster<'a>> {
    let Mentions { numbers, mut linkers } = mentions(candidates, merged);
    let open_issues: HashMap<u64, &Candidate<'_>> =
        candidates.issues.iter().map(|issue| (issue.number, issue)).collect();
    let known_first = candidates.issues.iter().map(|issue| issue.number).chain(numbers);
    // The same pull requests on two issues are still one group.
    let mut groups: HashMap<Linkers, (usize, Vec<u64>)> = HashMap::new();
    for number in known_first {
        if let Some(linkers) = linkers.remove(&number).filter(Linkers::collide) {
            let discovered = groups.len();
            groups.entry(linkers).or_insert_with(|| (discovered, Vec::new())).1.push(number);
        }
    }
    let mut groups: Vec<(Linkers, (usize, Vec<u64>))> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (discovered, _))| *discovered);
    let cluster = |(linkers, (_, numbers)): &(Linkers, (usize, Vec<u64>))| {
        cluster(candidates, merged, &open_issues, numbers, linkers)
    };
    groups.iter().map(cluster).collect()
}

/// Which issues are closed by whom.
struct Mentions {
    /// The issues, in the order in which pull requests name them.
    numbers: Vec<u64>,
    linkers: HashMap<u64, Linkers>,
}

fn mentions(candidates: &Candidates<'_>, merged: &[&Candidate<'_>]) -> Mentions {
    let mut numbers = Vec::new();
    let mut linkers: HashMap<u64, Linkers> = HashMap::new();
    for (place, pull_request) in candidates.pull_requests.iter().enumerate() {
        for number in &pull_request.linked_issues {
            numbers.push(*number);
            linkers.entry(*number).or_default().open.push(place);
        }
    }
    for (place, merged) in merged.iter().enumerate() {
        for number in &merged.linked_issues {
            if let Some(linkers) = linkers.get_mut(number) {
                linkers.merged.push(place);
            }
        }
    }
    Mentions { numbers, linkers }
}

fn cluster<'a>(
    candidates: &'a Candidates<'_>,
    recent: &[&'a Candidate<'_>],
    open_issues: &HashMap<u64, &'a Candidate<'_>>,
    numbers: &[u64],
    linkers: &Linkers,
) -> FoundCluster<'a> {
    let is_open_group = linkers.open.len() >= 2;
    let mut members: Vec<&'a Candidate<'a>> = Vec::new();
    if is_open_group {
        members.extend(numbers.iter().filter_map(|number| open_issues.get(number).copied()));
    }
    members.extend(linkers.open.iter().map(|place| &candidates.pull_requests[*place]));
    members.extend(linkers.merged.iter().map(|place| recent[*place]));
    FoundCluster {
        name: match members[..] {
            [_, _] => ClusterName::Pair,
            // The lowest number, whichever was listed first.
            _ => ClusterName::Issue(numbers.iter().min().copied().unwrap_or_default()),
        },
        risk: if is_open_group { Risk::High } else { Risk::Medium },
        reason: CollisionReason::SharedIssues { numbers: numbers.to_vec(), open_pull_requests: linkers.open.len() },
        members,
    }
}
