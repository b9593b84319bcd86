//! Pull requests that close the same issue: one group, one cluster.

use std::collections::HashMap;

use super::candidate::{Candidate, Candidates, pair_id};
use super::report::{CollisionCluster, CollisionReason, Risk};

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
pub(super) fn clusters(candidates: &Candidates<'_>) -> Vec<CollisionCluster> {
    let Mentions { numbers, mut linkers } = mentions(candidates);
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
    groups.iter().map(|(linkers, (_, numbers))| cluster(candidates, &open_issues, numbers, linkers)).collect()
}

/// Which issues are closed by whom.
struct Mentions {
    /// The issues, in the order in which pull requests name them.
    numbers: Vec<u64>,
    linkers: HashMap<u64, Linkers>,
}

fn mentions(candidates: &Candidates<'_>) -> Mentions {
    let mut numbers = Vec::new();
    let mut linkers: HashMap<u64, Linkers> = HashMap::new();
    for (place, pull_request) in candidates.pull_requests.iter().enumerate() {
        for number in &pull_request.linked_issues {
            numbers.push(*number);
            linkers.entry(*number).or_default().open.push(place);
        }
    }
    for (place, merged) in candidates.merged.iter().enumerate() {
        for number in &merged.linked_issues {
            if let Some(linkers) = linkers.get_mut(number) {
                linkers.merged.push(place);
            }
        }
    }
    Mentions { numbers, linkers }
}

fn cluster(
    candidates: &Candidates<'_>,
    open_issues: &HashMap<u64, &Candidate<'_>>,
    numbers: &[u64],
    linkers: &Linkers,
) -> CollisionCluster {
    let is_open_group = linkers.open.len() >= 2;
    let issues = numbers.iter().filter(|_| is_open_group).filter_map(|number| open_issues.get(number).copied());
    let open = linkers.open.iter().map(|place| &candidates.pull_requests[*place]);
    let merged = linkers.merged.iter().map(|place| &candidates.merged[*place]);
    let members: Vec<&Candidate<'_>> = issues.chain(open).chain(merged).collect();
    CollisionCluster {
        id: match members[..] {
            [left, right] => pair_id(left, right),
            // The lowest number, whichever was listed first.
            _ => format!("issue-{}", numbers.iter().min().copied().unwrap_or_default()),
        },
        risk: if is_open_group { Risk::High } else { Risk::Medium },
        reason: CollisionReason::SharedIssues { numbers: numbers.to_vec(), open_pull_requests: linkers.open.len() },
        items: members.into_iter().map(Candidate::item).collect(),
    }
}
