//! How much work one comparison of two schemas may cost, counted in steps and not by a clock, so that it ends the same
//! everywhere.

use std::cell::Cell;

use super::backtracking::Trials;
use super::pattern::Patterns;

/// The most steps for one schema against its successor, whatever they look like. A step is about what it takes to look at one
/// keyword.
const LEAST: u64 = 2_000_000;

/// How many more for each character of the two: what is long has more to be looked at.
const PER_CHARACTER: u64 = 200;

/// The most for any.
const MOST: u64 = 200_000_000;

/// The most for all tools of two lists, and how many more for each of their characters.
const ALL: u64 = 10_000_000;
const ALL_PER_CHARACTER: u64 = 40;

/// The most steps that two lists of so many characters may cost.
pub(super) fn of_lists(size: u64) -> u64 {
    size.saturating_mul(ALL_PER_CHARACTER).saturating_add(ALL)
}

/// The word that an undecided change hangs on when its work would have been more than that.
pub(super) const BUDGET: &str = "budget";

/// What is left for one comparison, what it tried, and the automata that it shares with others.
pub(super) struct Effort<'patterns> {
    pub(super) patterns: &'patterns Patterns,
    pub(super) trials: Trials,
    /// The patterns' own count when this comparison began.
    began: u64,
    most: u64,
    own: Cell<u64>,
    was_refused: Cell<bool>,
}

impl<'patterns> Effort<'patterns> {
    /// The effort for schemas of so many characters, out of so many steps that are left for all.
    pub(super) fn new(patterns: &'patterns Patterns, size: u64, left: u64) -> Self {
        let began = patterns.steps();
        let most = size.saturating_mul(PER_CHARACTER).saturating_add(LEAST).min(MOST).min(left);
        patterns.stop_at(began + most);
        Self { patterns, trials: Trials::default(), began, most, own: Cell::new(0), was_refused: Cell::new(false) }
    }

    /// The most steps that there are.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// The steps so far.
    pub(super) fn spent(&self) -> u64 {
        self.own.get() + (self.patterns.steps() - self.began)
    }

    /// Pays for `steps` if there are as many left.
    pub(super) fn affords(&self, steps: u64) -> bool {
        let is_within = self.spent().saturating_add(steps) <= self.most;
        if is_within {
            self.own.set(self.own.get() + steps);
        } else {
            self.was_refused.set(true);
        }
        is_within
    }

    /// Says that something was not found out because it would have been too much.
    pub(super) fn refuse(&self) {
        self.was_refused.set(true);
    }

    /// Whether work was refused since this was asked last.
    pub(super) fn take_refusal(&self) -> bool {
        self.was_refused.replace(false)
    }
}
