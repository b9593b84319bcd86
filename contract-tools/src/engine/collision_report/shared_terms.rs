//! Items that speak of the same thing, or change the same files, compared pair by pair. Those of one title are one group.

use std::collections::{HashMap, HashSet};

use super::super::rounding::ratio;
use super::super::text::{Overlap, Terms, is_meaningful, item_terms, normalized_title, title_terms};
use super::candidate::Candidate;
use super::found::{ClusterName, FoundCluster};
use super::report::{CollisionReason, ItemType, Risk};

/// The part of the smaller set of terms that makes it sure.
const HIGH_SCORE: f64 = 0.75;

/// A cluster for each group of one title and for each other pair that matches, in the order of the pool.
pub(super) fn clusters<'a>(pool: &[&'a Candidate<'_>]) -> Vec<FoundCluster<'a>> {
    let mut numbering = Numbering::default();
    let compared: Vec<Compared<'a>> = pool.iter().map(|candidate| Compared::new(candidate, &mut numbering)).collect();
    let mut matches = Vec::new();
    let mut groups = TitleGroups::of(compared.len());
    for (place, left) in compared.iter().enumerate() {
        for (other, right) in compared.iter().enumerate().skip(place + 1) {
            let found = matching(left, right);
            if let Some(Match::Title(_)) = found {
                groups.join(place, other);
            }
            matches.extend(found.map(|found| (place, other, found)));
        }
    }
    let mut members = groups.members();
    let mut clusters = Vec::new();
    for (place, other, found) in matches {
        let candidates = || vec![compared[place].candidate, compared[other].candidate];
        clusters.push(match found {
            Match::Title(_) if groups.size_of(place) > 2 => {
                // The group stands where its first pair does.
                let Some(places) = members.remove(&groups.first_of(place)) else { continue };
                let terms = compared[place].title.0.len();
                FoundCluster {
                    name: ClusterName::Title,
                    risk: Risk::High,
                    reason: CollisionReason::SameTitle { items: places.len(), terms },
                    members: places.into_iter().map(|place| compared[place].candidate).collect(),
                }
            }
            Match::Title(shared) => pair(Risk::High, shared, candidates()),
            Match::Terms(Overlap { score, shared }) => {
                let risk = if score >= HIGH_SCORE { Risk::High } else { Risk::Medium };
                pair(risk, shared, candidates())
            }
        });
    }
    clusters
}

fn pair<'a>(risk: Risk, shared: usize, members: Vec<&'a Candidate<'a>>) -> FoundCluster<'a> {
    FoundCluster { name: ClusterName::Pair, risk, reason: CollisionReason::SharedTerms(shared), members }
}

/// How many of these clusters a candidate would be in, were it compared with all of `others`.
pub(super) fn count_with<'a>(own: &Candidate<'_>, others: impl Iterator<Item = &'a Candidate<'a>>) -> usize {
    let mut numbering = Numbering::default();
    let compared = Compared::new(own, &mut numbering);
    let words: HashSet<String> = numbering.0.keys().cloned().collect();
    let (mut pairs, mut has_group) = (0, false);
    for other in others.filter(|other| other.rank() != own.rank()) {
        let has_word =
            item_terms(other.title, other.labels, other.changed_files).iter().any(|term| words.contains(term));
        // Most of a queue shares no word, which is found out with one look at it.
        if !has_word {
            continue;
        }
        match matching(&compared, &Compared::new(other, &mut numbering)) {
            Some(Match::Title(_)) => has_group = true,
            Some(Match::Terms(_)) => pairs += 1,
            None => {}
        }
    }
    pairs + usize::from(has_group)
}

/// Which items have one title: a forest in which every group hangs on its first item.
struct TitleGroups(Vec<usize>);

impl TitleGroups {
    fn of(items: usize) -> Self {
        Self((0..items).collect())
    }

    fn first_of(&self, mut place: usize) -> usize {
        while self.0[place] != place {
            place = self.0[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first_of(one), self.first_of(other));
        self.0[one.max(other)] = one.min(other);
    }

    fn size_of(&self, place: usize) -> usize {
        let first = self.first_of(place);
        (0..self.0.len()).filter(|other| self.first_of(*other) == first).count()
    }

    /// The places of each group by its first.
    fn members(&self) -> HashMap<usize, Vec<usize>> {
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        for place in 0..self.0.len() {
            members.entry(self.first_of(place)).or_default().push(place);
        }
        members
    }
}

/// How two items match.
enum Match {
    /// They have one title, and so many terms in common.
    Title(usize),
    /// They share terms.
    Terms(Overlap),
}

/// What two items have in common, if that is enough. The first rule that applies decides.
///
/// | # | rule | |
/// |---|---|---|
/// | 1 | neither is open | no |
/// | 2 | both close one issue, or one closes the other: that is a group or as it should be | no |
/// | 3 | their titles are the same | yes |
/// | 4 | terms of titles and labels match, and one of them is from a title | yes |
/// | 5 | terms with paths match, both change a meaningful file, and they are not two pull requests of one author | yes |
fn matching(left: &Compared<'_>, right: &Compared<'_>) -> Option<Match> {
    let (one, other) = (left.candidate, right.candidate);
    if (one.is_merged() && other.is_merged()) || shares(&left.linked_issues, &right.linked_issues) {
        return None;
    }
    let with_paths = left.with_paths.overlap(&right.with_paths);
    if left.has_title_of(right) {
        return Some(Match::Title(with_paths.shared));
    }
    let without_paths = left.plain.overlap(&right.plain);
    if without_paths.is_match() && left.shares_title_term_with(right) {
        // Paths add to what titles say and take nothing from it.
        let score = with_paths.score.max(without_paths.score);
        return Some(Match::Terms(Overlap { shared: with_paths.shared, score }));
    }
    let by_files = with_paths.is_match() && !have_one_author(one, other) && shares(&left.files, &right.files);
    by_files.then_some(Match::Terms(with_paths))
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

    /// A title that holds no term, like "Fix", is nobody's in particular.
    fn has_title_of(&self, other: &Self) -> bool {
        !self.title.0.is_empty() && self.normalized_title == other.normalized_title
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
