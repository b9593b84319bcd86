//! Every place at which a difference stands: what is defined once may be used many times, and is looked at once.
//!
//! The walk notes by which ways it comes to a pair of schemas. A place is a way from the root that comes to no pair twice:
//! what a definition holds of itself again is the same place, one level further in.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::edit::Edit;
use super::effort::Effort;
use super::verdict::Change;
use super::way::Step;

/// A schema of the narrow document and the one of the wide document that it is held against.
pub(super) type Pair = (String, String);

/// The most ways to one difference by which a value is lifted.
const WAYS: usize = 16;

/// The most places of one difference that are told by name.
const NAMED: usize = 32;

/// The most places of one difference that are counted.
const COUNTED: usize = 10_000;

/// The most steps back that a search takes, also on ways that lead nowhere; the first of them cost nothing.
const LOOKS: usize = 8 * COUNTED;
const FREE: usize = 1_000;

/// One way to a pair.
#[derive(Debug)]
struct Entrance {
    /// The pair before it; none before the root.
    from: Option<Pair>,
    /// What it adds to a place in people's words, where the walk went; what a keyword holds into which the walk does not go
    /// stands at the place of the keyword.
    walked: Option<Walked>,
}

#[derive(Debug)]
struct Walked {
    name: String,
    steps: Vec<Step>,
}

/// How one comes to a pair.
#[derive(Debug, Default)]
struct Entrances {
    all: Vec<Entrance>,
    is_seen: bool,
}

/// How one comes to the pairs that the walk looked at.
#[derive(Debug)]
pub(super) struct Uses {
    pairs: HashMap<Pair, Entrances>,
    is_whole: bool,
}

/// Places of one pair, in people's words, and whether what lies inside of the pair has a place of its own there.
#[derive(Debug)]
struct Places {
    named: Vec<(String, bool)>,
    /// How many there are besides; none when they are too many to be counted.
    more: Option<u64>,
}

impl Uses {
    pub(super) fn new() -> Self {
        Self { pairs: HashMap::new(), is_whole: true }
    }

    /// Notes that the walk came to `pair`, and says whether for the first time.
    pub(super) fn enter(&mut self, pair: &Pair, from: Option<Pair>, name: String, steps: Vec<Step>) -> bool {
        let entrances = self.pairs.entry(pair.clone()).or_default();
        let entrance = Entrance { from, walked: Some(Walked { name, steps }) };
        if entrances.is_seen {
            entrances.all.push(entrance);
            return false;
        }
        // The walk's own way comes before all others.
        entrances.all.insert(0, entrance);
        entrances.is_seen = true;
        true
    }

    /// Notes that `from` uses `pair` where the walk does not go.
    pub(super) fn mention(&mut self, pair: Pair, from: Pair) {
        self.pairs.entry(pair).or_default().all.push(Entrance { from: Some(from), walked: None });
    }

    /// Notes that not all uses are known.
    pub(super) fn cut(&mut self) {
        self.is_whole = false;
    }

    /// Up to [`WAYS`] ways to `pair`, the one by which the walk came first before all others.
    pub(super) fn ways(&self, pair: &Pair, effort: &Effort<'_>) -> Vec<Vec<Step>> {
        let mut ways = Vec::new();
        self.search(pair, FREE, effort, &mut |trail| {
            let walked: Option<Vec<&Walked>> = trail.iter().rev().map(|entrance| entrance.walked.as_ref()).collect();
            ways.extend(walked.map(|way| way.into_iter().flat_map(|walked| walked.steps.iter().cloned()).collect()));
            ways.len() < WAYS
        });
        ways
    }

    /// Where `pair` stands, each place once.
    fn places(&self, pair: &Pair, effort: &Effort<'_>) -> Places {
        let mut all = BTreeSet::new();
        let mut named = Vec::new();
        let is_whole = self.search(pair, LOOKS, effort, &mut |trail| {
            let walked = trail.iter().rev().map_while(|entrance| entrance.walked.as_ref());
            let name: String = walked.map(|walked| walked.name.as_str()).collect();
            let place = (name, trail.iter().all(|entrance| entrance.walked.is_some()));
            if all.insert(place.clone()) && named.len() < NAMED {
                named.push(place);
            }
            all.len() < COUNTED
        });
        let more = (all.len() - named.len()) as u64;
        Places { named, more: (is_whole && self.is_whole).then_some(more) }
    }

    /// Goes back from `pair` by every way that comes to no pair twice, until `take` has enough of them or `most` steps are done;
    /// says whether there are no others.
    fn search<'uses>(
        &'uses self,
        pair: &'uses Pair,
        most: usize,
        effort: &Effort<'_>,
        take: &mut dyn FnMut(&[&'uses Entrance]) -> bool,
    ) -> bool {
        let entrances = |pair: &Pair| {
            let entrances = self.pairs.get(pair).map(|entrances| entrances.all.as_slice());
            entrances.unwrap_or_default().iter()
        };
        let mut seen = BTreeSet::from([pair]);
        let (mut trail, mut open) = (Vec::new(), vec![entrances(pair)]);
        let mut looks = 0;
        while let Some(next) = open.last_mut() {
            let Some(entrance) = next.next() else {
                open.pop();
                let left: Option<&Entrance> = trail.pop();
                left.and_then(|left| left.from.as_ref()).map(|pair| seen.remove(pair));
                continue;
            };
            looks += 1;
            if looks > most || (looks > FREE && !effort.affords(1 + trail.len() as u64 / 4)) {
                return false;
            }
            trail.push(entrance);
            match &entrance.from {
                None => {
                    if !take(&trail) {
                        return false;
                    }
                    trail.pop();
                }
                Some(from) if seen.insert(from) => open.push(entrances(from)),
                Some(_) => {
                    trail.pop();
                }
            }
        }
        true
    }
}

/// Tells places, those of one pair once.
pub(super) struct Telling<'uses> {
    uses: &'uses Uses,
    effort: &'uses Effort<'uses>,
    known: BTreeMap<Pair, Places>,
}

impl<'uses> Telling<'uses> {
    pub(super) fn new(uses: &'uses Uses, effort: &'uses Effort<'uses>) -> Self {
        Self { uses, effort, known: BTreeMap::new() }
    }

    /// Says of `change` where `edit`, which it is about, stands.
    pub(super) fn put(&mut self, change: &mut Change, edit: &Edit) {
        let (uses, effort, pair) = (self.uses, self.effort, edit.pair());
        let known = self.known.entry(pair).or_insert_with_key(|pair| uses.places(pair, effort));
        let told = |(name, has_inside): &(String, bool)| {
            shown(&if *has_inside { format!("{name}{}", edit.inside) } else { name.clone() })
        };
        let mut seen = BTreeSet::new();
        let mut named = known.named.iter().map(told).filter(|place| seen.insert(place.clone()));
        change.place = named.next().unwrap_or_default();
        change.also_at = named.collect();
        change.more_places = known.more;
    }
}

/// A place as it is told: a step into a property is kept with a dot, also the first.
fn shown(name: &str) -> String {
    name.strip_prefix('.').unwrap_or(name).to_owned()
}
