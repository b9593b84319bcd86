//! Items of one title: one group, one cluster. They are found by the title itself, whatever its words are.

use std::collections::{BTreeMap, HashMap};

use super::super::text::{item_terms, normalized_title, title_terms};
use super::candidate::Candidate;
use super::found::{ClusterName, FoundCluster};
use super::report::{CollisionReason, Risk};

/// Items of one title, by their places.
pub(super) struct TitleGroup {
    /// Two or more, ascending.
    places: Vec<usize>,
    /// The first two that are no pair which is as it should be: where the group is discovered.
    pub(super) discovered: (usize, usize),
}

/// The groups of one title among items that are few enough to be compared pair by pair, each where its first pair is.
pub(super) fn groups(items: &[&Candidate<'_>]) -> Vec<TitleGroup> {
    let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let title = normalized_title(item.title);
        if !title.is_empty() {
            by_title.entry(title).or_default().push(place);
        }
    }
    let several = by_title.into_values().filter(|places| places.len() >= 2);
    let mut groups: Vec<TitleGroup> = several.flat_map(|places| parts(items, &places)).collect();
    groups.sort_by_key(|group| group.discovered);
    groups
}

impl TitleGroup {
    /// The group as a cluster. Two that are alike are a pair.
    pub(super) fn cluster<'a>(&self, items: &[&'a Candidate<'a>]) -> FoundCluster<'a> {
        let mut members: Vec<&'a Candidate<'a>> = self.places.iter().map(|place| items[*place]).collect();
        members.sort_by_key(|member| member.item_type);
        let (name, reason) = match members[..] {
            [one, other] => (ClusterName::Pair, same_title_of_two(one, other)),
            [first, ..] => {
                let terms = title_terms(first.title).len();
                (ClusterName::Title, CollisionReason::SameTitle { items: members.len(), terms })
            }
            [] => (ClusterName::Title, CollisionReason::SameTitle { items: 0, terms: 0 }),
        };
        FoundCluster { name, risk: Risk::High, reason, members }
    }
}

fn same_title_of_two(one: &Candidate<'_>, other: &Candidate<'_>) -> CollisionReason {
    let terms = |item: &Candidate<'_>| item_terms(item.title, item.labels, item.changed_files);
    match terms(one).overlap(&terms(other)).shared {
        0 => CollisionReason::SameTitle { items: 2, terms: 0 },
        shared => CollisionReason::SharedTerms(shared),
    }
}

/// Items of one title that close the same issues. Most of a large group are of one sort.
struct Sort {
    is_merged: bool,
    /// Sorted.
    linked_issues: Vec<u64>,
    places: Vec<usize>,
}

impl Sort {
    /// Whether one item of each is no pair: neither is open, or both close one issue, or one closes the other.
    fn is_apart_from(&self, other: &Self) -> bool {
        (self.is_merged && other.is_merged) || shares(&self.linked_issues, &other.linked_issues)
    }

    fn is_one_group(&self) -> bool {
        self.places.len() >= 2 && !self.is_apart_from(self)
    }
}

fn shares(left: &[u64], right: &[u64]) -> bool {
    let (fewer, more) = if left.len() < right.len() { (left, right) } else { (right, left) };
    fewer.iter().any(|number| more.binary_search(number).is_ok())
}

/// What items of one title fall apart into, when what is no pair joins nothing.
fn parts(items: &[&Candidate<'_>], places: &[usize]) -> Vec<TitleGroup> {
    let mut by_kind: BTreeMap<(bool, Vec<u64>), Vec<usize>> = BTreeMap::new();
    for place in places {
        let mut linked_issues = items[*place].linked_issues.clone();
        linked_issues.sort_unstable();
        by_kind.entry((items[*place].is_merged(), linked_issues)).or_default().push(*place);
    }
    let sorts: Vec<Sort> = by_kind
        .into_iter()
        .map(|((is_merged, linked_issues), places)| Sort { is_merged, linked_issues, places })
        .collect();
    joined(&sorts)
        .into_iter()
        .map(|mut places| {
            places.sort_unstable();
            let discovered = first_pair(items, &places);
            TitleGroup { places, discovered }
        })
        .collect()
}

/// The parts that are joined by pairs.
fn joined(sorts: &[Sort]) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut is_seen = vec![false; sorts.len()];
    for start in 0..sorts.len() {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut group = vec![start];
        let mut next = 0;
        while let Some(sort) = group.get(next).map(|place| &sorts[*place]) {
            for (other, is_seen) in is_seen.iter_mut().enumerate() {
                if !*is_seen && !sort.is_apart_from(&sorts[other]) {
                    *is_seen = true;
                    group.push(other);
                }
            }
            next += 1;
        }
        if group.len() > 1 || sorts[start].is_one_group() {
            groups.push(group.iter().flat_map(|sort| sorts[*sort].places.iter().copied()).collect());
        }
    }
    groups
}

/// The first place of a group, and the first that is a pair with it.
fn first_pair(items: &[&Candidate<'_>], places: &[usize]) -> (usize, usize) {
    let Some((first, others)) = places.split_first() else { return (0, 0) };
    let other = others.iter().find(|other| !is_apart(items[*first], items[**other]));
    (*first, other.or(others.first()).copied().unwrap_or(*first))
}

/// Whether two items are no pair, see [`Sort::is_apart_from`].
fn is_apart(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    (one.is_merged() && other.is_merged()) || one.linked_issues.iter().any(|issue| other.linked_issues.contains(issue))
}

/// Whether two items are a pair of one title, which is `title` for the one.
pub(super) fn is_pair(one: &Candidate<'_>, title: &str, other: &Candidate<'_>) -> bool {
    !title.is_empty() && title == normalized_title(other.title) && !is_apart(one, other)
}
