//! Finds terms in a text that comes one character at a time.

use super::fold::{Folded, fold};
use super::terms::TERMS;

/// How many other characters may stand between two letters of a term.
const LONGEST_GAP: u8 = 3;

/// Where a term was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where its first letter begins, as [`Matcher::feed`] was told.
    pub start: usize,
}

/// Keeps what may still become a term. It looks at the text twice at once: as it is, and with digits read as letters, since
/// either reading alone hides something from the other.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    plain: Reading,
    leet: Reading,
}

impl Matcher {
    /// Takes the next character, which begins at byte `at`; tells of a term that it completes.
    pub fn feed(&mut self, at: usize, character: char) -> Option<Hit> {
        let plain = self.plain.feed(at, character, fold(character, false));
        let leet = self.leet.feed(at, character, fold(character, true));
        match (plain, leet) {
            (Some(one), Some(other)) => Some(Hit { start: one.min(other) }),
            (one, other) => one.or(other).map(|start| Hit { start }),
        }
    }

    /// The first byte that may still turn out to belong to a term; what stands before it is settled.
    pub fn undecided_from(&self) -> Option<usize> {
        let starts = self.plain.begun.iter().chain(&self.leet.begun).map(|begun| begun.start);
        starts.min()
    }
}

/// One way to read the text.
#[derive(Clone, Debug, Default)]
struct Reading {
    begun: Vec<Begun>,
    /// The character before, unless it is none that is seen.
    before: Before,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    /// Nothing, or no letter.
    #[default]
    Other,
    /// A letter, of which it is known whether it was small.
    Letter { was_small: bool },
}

/// The beginning of a term.
#[derive(Clone, Copy, Debug)]
struct Begun {
    term: &'static [u8],
    matched: usize,
    start: usize,
    gap: u8,
}

impl Reading {
    fn feed(&mut self, at: usize, character: char, folded: Folded) -> Option<usize> {
        match folded {
            Folded::Nothing => None,
            Folded::Other => {
                self.begun.retain_mut(|begun| {
                    begun.gap += 1;
                    begun.gap <= LONGEST_GAP
                });
                self.before = Before::Other;
                None
            }
            Folded::Letter(letter) => {
                let hit = self.letter(at, character, letter);
                self.before = Before::Letter { was_small: character.is_lowercase() };
                hit
            }
        }
    }

    fn letter(&mut self, at: usize, character: char, letter: char) -> Option<usize> {
        let mut hit = None;
        self.begun.retain_mut(|begun| {
            if u32::from(begun.term[begun.matched]) == u32::from(letter) {
                begun.matched += 1;
                begun.gap = 0;
                let is_whole = begun.matched == begun.term.len();
                if is_whole {
                    hit = Some(hit.map_or(begun.start, |start: usize| start.min(begun.start)));
                }
                !is_whole
            } else {
                false
            }
        });
        let begins_word = match self.before {
            Before::Other => true,
            // walletAddress, myWallet: a capital after a small letter begins a word.
            Before::Letter { was_small } => was_small && character.is_uppercase(),
        };
        if begins_word {
            let terms = TERMS.iter().map(|term| term.as_bytes()).filter(|term| u32::from(term[0]) == u32::from(letter));
            self.begun.extend(terms.map(|term| Begun { term, matched: 1, start: at, gap: 0 }));
        }
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_told_at_its_last_letter_and_what_may_become_one_is_known() {
        let mut matcher = Matcher::default();
        let hits: Vec<_> = "a wallet".char_indices().filter_map(|(at, c)| matcher.feed(at, c)).collect();
        assert_eq!(hits, [Hit { start: 2 }]);
        assert_eq!(matcher.undecided_from(), None);
        let mut matcher = Matcher::default();
        for (at, character) in "my wal".char_indices() {
            assert!(matcher.feed(at, character).is_none());
        }
        assert_eq!(matcher.undecided_from(), Some(3));
    }
}
