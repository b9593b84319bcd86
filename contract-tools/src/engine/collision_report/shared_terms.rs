//! Items that speak of the same thing, or change the same files, compared pair by pair; and beside them those of one title.

use std::collections::{HashMap, HashSet};

use super::super::rounding::ratio;
use super::super::text::{Overlap, Terms, is_meaningful, item_terms, normalized_title, title_terms};
use super::candidate::{Candidate, Candidates};
use super::found::{ClusterName, FoundCluster};
use super::report::{CollisionReason, ItemType, Risk};
use super::shared_title::{self, TitleGroup};

/// The part of the smaller set of terms that makes it sure.
const HIGH_SCORE: f64 = 0.75;

/// A cluster for each group of one title and for each other pair that matches, in the order of the pool.
pub(super) fn clusters<'a>(candidates: &'a Candidates<'_>) -> Vec<FoundCluster<'a>> {
    let pool = candidates.pool();
    let of_title = |group: &TitleGroup| (group.discovered, group.cluster(&pool));
    let mut clusters: Vec<((usize, usize), FoundCluster<'a>)> =
        shared_title::groups(&pool).iter().map(of_title).collect();
    let mut numbering = Numbering::default();
    let compared: Vec<Compared<'a>> = pool.iter().map(|candidate| Compared::new(candidate, &mut numbering)).collect();
    for (place, left) in compared.iter().enumerate() {
        for (other, right) in compared.iter().enumerate().skip(place + 1) {
            if let Some(overlap) = matching(left, right) {
                clusters.push(((place, other), pair(overlap, vec![left.candidate, right.candidate])));
            }
        }
    }
    clusters.sort_by_key(|(discovered, _)| *discovered);
    clusters.into_iter().map(|(_, cluster)| cluster).collect()
}

fn pair<'a>(Overlap { score, shared }: Overlap, members: Vec<&'a Candidate<'a>>) -> FoundCluster<'a> {
    let risk = if score >= HIGH_SCORE { Risk::High } else { Risk::Medium };
    FoundCluster { name: ClusterName::Pair, risk, reason: CollisionReason::SharedTerms(shared), members }
}

/// How many of these clusters a candidate would be in, were it compared with all of `others`.
pub(super) fn count_with<'a>(own: &Candidate<'_>, others: impl Iterator<Item = &'a Candidate<'a>>) -> usize {
    let mut numbering = Numbering::default();
    let compared = Compared::new(own, &mut numbering);
    let words: HashSet<String> = numbering.0.keys().cloned().collect();
    let is_wordless = compared.title.0.is_empty();
    let (mut pairs, mut has_group) = (0, false);
    for other in others.filter(|other| other.rank() != own.rank()) {
        let has_word =
            item_terms(other.title, other.labels, other.changed_files).iter().any(|term| words.contains(term));
        // Most of a queue shares no word, which is found out with one look at it.
        if !has_word && !is_wordless {
            continue;
        }
        if shared_title::is_pair(own, &compared.normalized_title, other) {
            has_group = true;
        } else if has_word && matching(&compared, &Compared::new(other, &mut numbering)).is_some() {
            pairs += 1;
        }
    }
    pairs + usize::from(has_group)
}

/// What two items have in common, if that is enough. The first rule that applies decides.
///
/// | # | rule | |
/// |---|---|---|
/// | 1 | neither is open | no |
/// | 2 | both close one issue, or one closes the other: that is a group or as it should be | no |
/// | 3 | their titles are the same: that is a group | no |
/// | 4 | terms of titles and labels match, and one of them is from a title | yes |
/// | 5 | terms with paths match, both change a meaningful file, and they are not two pull requests of one author | yes |
fn matching(left: &Compared<'_>, right: &Compared<'_>) -> Option<Overlap> {
    let (one, other) = (left.candidate, right.candidate);
    if (one.is_merged() && other.is_merged()) || shares(&left.linked_issues, &right.linked_issues) {
        return None;
    }
    let with_paths = left.with_paths.overlap(&right.with_paths);
    if left.has_title_of(right) {
        return None;
    }
    let without_paths = left.plain.overlap(&right.plain);
    if without_paths.is_match() && left.shares_title_term_with(right) {
        // Paths add to what titles say and take nothing from it.
        let score = with_paths.score.max(without_paths.score);
        return Some(Overlap { shared: with_paths.shared, score });
    }
    let by_files = with_paths.is_match() && !have_one_author(one, other) && shares(&left.files, &right.files);
    by_files.then_some(with_paths)
}

/// Whether both are pull requests of the same author, who may well split one piece of work.
fn have_one_author(left: &Candidate<'_>, right: &Candidate<'_>) -> bool {
    let is_pull_request = |candidate: &Candidate<'_>| candidate.item_type != ItemType::Issue;
    let author = left.author_login.filter(|author| !author.is_empty());
    is_pull_request(left)
        && is_pull_request(right)
        && author.zip(right.author_login).is_some_and(|(left, right)| left.to_lowercase() == right.to_lowercase())
}

/// A candidate with everything that comparing needs, made once.
struct Compared<'a> {
    candidate: &'a Candidate<'a>,
    normalized_title: String,
    title: Numbers,
    /// Title and labels.
    plain: Numbers,
    with_paths: Numbers,
    /// Paths of meaningful files, sorted.
    files: Vec<&'a str>,
    /// Sorted.
    linked_issues: Vec<u64>,
}

impl<'a> Compared<'a> {
    fn new(candidate: &'a Candidate<'a>, numbering: &mut Numbering) -> Self {
        let Candidate { title, labels, changed_files, .. } = *candidate;
        let mut files: Vec<&str> =
            changed_files.unwrap_or_default().iter().map(String::as_str).filter(|path| is_meaningful(path)).collect();
        files.sort_unstable();
        let mut linked_issues = candidate.linked_issues.clone();
        linked_issues.sort_unstable();
        Self {
            candidate,
            normalized_title: normalized_title(title),
            title: numbering.numbers(&title_terms(title)),
            plain: numbering.numbers(&item_terms(title, labels, None)),
            with_paths: numbering.numbers(&item_terms(title, labels, changed_files)),
            files,
            linked_issues,
        }
    }

    fn has_title_of(&self, other: &Self) -> bool {
        !self.normalized_title.is_empty() && self.normalized_title == other.normalized_title
    }

    fn shares_title_term_with(&self, other: &Self) -> bool {
        shares(&self.title.0, &other.plain.0) || shares(&self.plain.0, &other.title.0)
    }
}

/// Gives each term a number, since numbers are compared faster than texts.
#[derive(Default)]
struct Numbering(HashMap<String, u32>);

impl Numbering {
    fn numbers(&mut self, terms: &Terms) -> Numbers {
        let number = |term: &str| {
            let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            *self.0.entry(term.to_owned()).or_insert(next)
        };
        let mut numbers: Vec<u32> = terms.iter().map(number).collect();
        numbers.sort_unstable();
        Numbers(numbers)
    }
}

/// Terms by their numbers, sorted.
struct Numbers(Vec<u32>);

impl Numbers {
    fn overlap(&self, other: &Self) -> Overlap {
        let shared = common(&self.0, &other.0).count();
        let smaller = self.0.len().min(other.0.len());
        Overlap { shared, score: ratio(shared as u64, smaller as u64) }
    }
}

fn shares<T: Ord>(left: &[T], right: &[T]) -> bool {
    common(left, right).next().is_some()
}

/// What two sorted lists have in common.
fn common<'a, T: Ord>(mut left: &'a [T], mut right: &'a [T]) -> impl Iterator<Item = &'a T> {
    std::iter::from_fn(move || {
        while let ([one, left_rest @ ..], [other, right_rest @ ..]) = (left, right) {
            let order = one.cmp(other);
            if order.is_le() {
                left = left_rest;
            }
            if order.is_ge() {
                right = right_rest;
            }
            if order.is_eq() {
                return Some(one);
            }
        }
        None
    })
}
