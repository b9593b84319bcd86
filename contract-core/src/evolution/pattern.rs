//! Patterns as automata: whether every string of one is a string of another, and the shortest string that is not.
//!
//! A JSON Schema pattern is searched for, not matched from end to end, so each is wrapped in "anything" on both sides. What no
//! finite automaton can say (look-around, back-references) or what would need a huge one stays undecided.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::rc::Rc;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind, nfa::thompson};

use super::weight::weight;

/// The most memory for one automaton, in bytes.
const LARGEST: usize = 2 << 20;

/// The most states of a product that are looked at.
const STATES: usize = 40_000;

/// What it costs to find that an automaton would be larger than that, in steps.
const TOO_LARGE: u64 = 20_000;

/// What it costs to find that there is none.
const WITHOUT_AUTOMATON: u64 = 400;

/// Bytes tried first, so that a witness reads well.
const PREFERRED: &[u8] = b"a0A- _.@/:";

/// Whether one pattern's strings are all another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inclusion {
    Proved,
    Refuted,
    Unknown,
}

type Dfa = dense::DFA<Vec<u32>>;

/// An automaton that accepts the strings in which `pattern` is found.
fn automaton(pattern: &str) -> Option<Dfa> {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
    let wrapped = format!("(?s:.)*(?:{translated})(?s:.)*");
    dense::Builder::new()
        .configure(
            dense::Config::new()
                .start_kind(StartKind::Anchored)
                .match_kind(MatchKind::All)
                .minimize(false)
                .dfa_size_limit(Some(LARGEST))
                .determinize_size_limit(Some(LARGEST)),
        )
        .thompson(thompson::Config::new().nfa_size_limit(Some(LARGEST)))
        .build(&wrapped)
        .ok()
}

/// Whether automata can say `pattern` at all, however large they would be.
fn is_regular(pattern: &str) -> bool {
    jsonschema_regex::to_rust_regex(pattern).is_ok_and(|translated| syntax::parse(&translated).is_ok())
}

/// The patterns of one comparison: each becomes an automaton once, and each question is answered once.
#[derive(Default)]
pub(super) struct Patterns {
    automata: RefCell<BTreeMap<String, Option<Rc<Dfa>>>>,
    none: RefCell<BTreeMap<Both, (Inclusion, u64)>>,
    strings: RefCell<BTreeMap<Question, (Vec<String>, u64)>>,
    steps: Cell<u64>,
    stop: Cell<u64>,
}

/// Patterns that are held, and patterns that are not.
type Both = (Vec<String>, Vec<String>);

/// Which strings are looked for: with these patterns, without those, of these lengths, so many.
type Question = (Vec<String>, Vec<String>, Lengths, usize);

impl Patterns {
    /// What all questions have cost so far. One that was asked before costs what it did: a comparison is no cheaper for those
    /// that went before it.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// From so many steps on, nothing new is answered.
    pub(super) fn stop_at(&self, steps: u64) {
        self.stop.set(steps);
    }

    fn is_stopped(&self) -> bool {
        self.stop.get() != 0 && self.steps.get() >= self.stop.get()
    }

    fn automaton(&self, pattern: &str) -> Option<Rc<Dfa>> {
        if let Some(known) = self.automata.borrow().get(pattern) {
            return known.clone();
        }
        let automaton = automaton(pattern).map(Rc::new);
        self.automata.borrow_mut().insert(pattern.to_owned(), automaton.clone());
        automaton
    }

    /// Whether every string that holds `narrow` holds `wide`.
    pub(super) fn included(&self, narrow: &str, wide: &str) -> Inclusion {
        if narrow == wide { Inclusion::Proved } else { self.none(&[narrow], &[wide]) }
    }

    /// Whether no string holds both, for certain.
    pub(super) fn are_apart(&self, one: &str, other: &str) -> bool {
        self.none(&[one, other], &[]) == Inclusion::Proved
    }

    /// Whether no string holds every one of `with` and none of `without`.
    fn none(&self, with: &[&str], without: &[&str]) -> Inclusion {
        if self.is_stopped() {
            return Inclusion::Unknown;
        }
        let question = (owned(with), owned(without));
        if let Some(known) = self.none.borrow().get(&question) {
            self.steps.set(self.steps.get() + known.1);
            return known.0;
        }
        let before = self.steps.get();
        let search = Search::new(self, with, without);
        let answer = match search.map(|search| search.strings(Lengths { least: 0, most: usize::MAX }, 1)) {
            Some(Found::All(strings)) if strings.is_empty() => Inclusion::Proved,
            Some(Found::GaveUp(strings)) if strings.is_empty() => Inclusion::Unknown,
            Some(_) => Inclusion::Refuted,
            None => Inclusion::Unknown,
        };
        self.none.borrow_mut().insert(question, (answer, self.steps.get() - before));
        answer
    }

    /// Up to `count` of the shortest strings that hold every one of `with`, none of `without`, and are of such a length.
    pub(super) fn strings(&self, with: &[&str], without: &[&str], lengths: Lengths, count: usize) -> Vec<String> {
        if self.is_stopped() {
            return Vec::new();
        }
        let question = (owned(with), owned(without), lengths, count);
        if let Some(known) = self.strings.borrow().get(&question) {
            self.steps.set(self.steps.get() + known.1);
            return known.0.clone();
        }
        let before = self.steps.get();
        let strings = match Search::new(self, with, without).map(|search| search.strings(lengths, count)) {
            Some(Found::All(strings) | Found::GaveUp(strings)) => strings,
            None => with.iter().filter_map(|pattern| jsonschema_regex::pattern_witness(pattern)).collect(),
        };
        let cost = self.steps.get() - before;
        self.strings.borrow_mut().insert(question, (strings.clone(), cost));
        strings
    }

    /// Whether `pattern` is found in `text`; none where no automaton can say.
    pub(super) fn found(&self, pattern: &str, text: &str) -> Option<bool> {
        let start = start::Config::new().anchored(Anchored::Yes);
        let automaton = self.automaton(pattern)?;
        let state = automaton.start_state(&start).ok()?;
        let state = text.bytes().fold(state, |state, byte| automaton.next_state(state, byte));
        Some(automaton.is_match_state(automaton.next_eoi_state(state)))
    }

    /// Whether it certainly is.
    pub(super) fn is_found(&self, pattern: &str, text: &str) -> bool {
        self.found(pattern, text) == Some(true)
    }
}

fn owned(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|&pattern| pattern.to_owned()).collect()
}

/// How long a string may be, in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lengths {
    pub(super) least: usize,
    pub(super) most: usize,
}

enum Found {
    /// Everything was looked at (or enough was found).
    All(Vec<String>),
    /// There was more to look at than is worth it.
    GaveUp(Vec<String>),
}

struct Search<'patterns> {
    steps: &'patterns Cell<u64>,
    with: usize,
    automata: Vec<Rc<Dfa>>,
    alphabet: Vec<u8>,
}

impl<'patterns> Search<'patterns> {
    fn new(patterns: &'patterns Patterns, with: &[&str], without: &[&str]) -> Option<Self> {
        // Even without a pattern a string is text: the empty pattern sees to valid UTF-8.
        let all = std::iter::once("").chain(with.iter().copied()).chain(without.iter().copied());
        let automata: Option<Vec<Rc<Dfa>>> = all.map(|pattern| patterns.automaton(pattern)).collect();
        if automata.is_none() {
            // What no automaton can say shows at its first look-around, and not after all its states.
            let is_too_large = with.iter().chain(without).all(|pattern| is_regular(pattern));
            let cost = if is_too_large { TOO_LARGE } else { WITHOUT_AUTOMATON };
            patterns.steps.set(patterns.steps.get() + cost);
        }
        let automata = automata?;
        // Bytes that no automaton tells apart are one letter.
        let mut letters: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
        for byte in PREFERRED.iter().copied().chain(0x20..0x7f).chain(0..=255) {
            let class = automata.iter().map(|automaton| automaton.byte_classes().get(byte)).collect();
            letters.entry(class).or_insert(byte);
        }
        let mut alphabet: Vec<u8> = letters.into_values().collect();
        let rank = |byte: u8| PREFERRED.iter().position(|other| *other == byte).unwrap_or(PREFERRED.len());
        alphabet.sort_by_key(|byte| (rank(*byte), *byte < 0x20 || *byte >= 0x7f, *byte));
        // What an automaton costs to make goes with its states.
        let states = |automaton: &Rc<Dfa>| automaton.memory_usage() as u64 / 512;
        let made = with.iter().chain(without).map(|pattern| weight(pattern)).sum::<u64>();
        patterns.steps.set(patterns.steps.get() + made + automata.iter().map(states).sum::<u64>());
        Some(Self { steps: &patterns.steps, with: with.len() + 1, automata, alphabet })
    }

    /// Breadth first, so that the first string found is a shortest one.
    fn strings(&self, lengths: Lengths, count: usize) -> Found {
        let start = start::Config::new().anchored(Anchored::Yes);
        let starts: Option<Vec<StateID>> =
            self.automata.iter().map(|automaton| automaton.start_state(&start).ok()).collect();
        let Some(starts) = starts else { return Found::GaveUp(Vec::new()) };
        // The way here: the place of the predecessor and the byte.
        let mut steps: Vec<(usize, u8)> = vec![(0, 0)];
        let mut queue = VecDeque::from([(starts, 0_usize, 0_usize)]);
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some((states, length, step)) = queue.pop_front() {
            if length >= lengths.least && self.accepts(&states) {
                found.extend(String::from_utf8(path(&steps, step)));
                if found.len() >= count {
                    return Found::All(found);
                }
            }
            if length >= lengths.most {
                continue;
            }
            if steps.len() > STATES {
                return Found::GaveUp(found);
            }
            self.steps.set(self.steps.get() + 1 + self.alphabet.len() as u64 / 4);
            for byte in &self.alphabet {
                let next: Vec<StateID> = self
                    .automata
                    .iter()
                    .zip(&states)
                    .map(|(automaton, state)| automaton.next_state(*state, *byte))
                    .collect();
                // What must be held and cannot be any more leads nowhere.
                let is_dead =
                    self.automata[..self.with].iter().zip(&next).any(|(dfa, state)| dfa.is_dead_state(*state));
                // A continuation byte of UTF-8 makes no character of its own.
                let longer = length + usize::from(byte & 0b1100_0000 != 0b1000_0000);
                if !is_dead && seen.insert((next.clone(), longer.min(lengths.least))) {
                    steps.push((step, *byte));
                    queue.push_back((next, longer, steps.len() - 1));
                }
            }
        }
        Found::All(found)
    }

    fn accepts(&self, states: &[StateID]) -> bool {
        self.automata.iter().zip(states).enumerate().all(|(place, (automaton, state))| {
            let matches = automaton.is_match_state(automaton.next_eoi_state(*state));
            matches == (place < self.with)
        })
    }
}

fn path(steps: &[(usize, u8)], mut step: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while step != 0 {
        bytes.push(steps[step].1);
        step = steps[step].0;
    }
    bytes.reverse();
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Inclusion, Lengths, Patterns};

    #[test]
    fn inclusion_is_decided_where_automata_can() {
        for (narrow, wide, expected) in [
            ("^a+$", "^a*$", Inclusion::Proved),
            ("^a*$", "^a+$", Inclusion::Refuted),
            ("^[a-z]{2,4}$", "^[a-z0-9]{1,8}$", Inclusion::Proved),
            ("^[a-z]", "^[a-z]+$", Inclusion::Refuted),
            ("x", "", Inclusion::Proved),
            ("^\\d{4}-\\d{2}$", "^[0-9-]+$", Inclusion::Proved),
            ("^(?!x)a", "^a", Inclusion::Unknown),
            ("^(a|b)$", "^[ab]$", Inclusion::Proved),
        ] {
            assert_eq!(Patterns::default().included(narrow, wide), expected, "{narrow} in {wide}");
        }
    }

    #[test]
    fn the_shortest_strings_come_first() {
        let any = Lengths { least: 0, most: 20 };
        let patterns = Patterns::default();
        assert_eq!(patterns.strings(&["^a*$"], &["^a+$"], any, 1), [""]);
        assert_eq!(patterns.strings(&["^[a-z]{2,}$"], &["^a"], any, 1), ["ba"]);
        assert_eq!(patterns.strings(&["^a*$"], &[], Lengths { least: 3, most: 9 }, 1), ["aaa"]);
        assert_eq!(patterns.strings(&["^a$"], &["a"], any, 1), [""; 0]);
    }
}
