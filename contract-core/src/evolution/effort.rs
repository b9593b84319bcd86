//! How much work one comparison of two schemas may cost, counted in steps and not by a clock, so that it ends the same
//! everywhere.

use std::cell::Cell;

use super::pattern::Patterns;

/// The most steps for one schema against its successor. A step is about what it takes to look at one keyword.
pub(super) const MOST: u64 = 20_000_000;

/// The word that an undecided change hangs on when its work would have been more than that.
pub(super) const BUDGET: &str = "budget";

/// What is left for one comparison, and the automata that it shares with others.
pub(super) struct Effort<'patterns> {
    pub(super) patterns: &'patterns Patterns,
    /// The patterns' own count when this comparison began.
    began: u64,
    own: Cell<u64>,
    was_refused: Cell<bool>,
}

impl<'patterns> Effort<'patterns> {
    pub(super) fn new(patterns: &'patterns Patterns) -> Self {
        let began = patterns.steps();
        patterns.stop_at(began + MOST);
        Self { patterns, began, own: Cell::new(0), was_refused: Cell::new(false) }
    }

    /// The steps so far.
    pub(super) fn spent(&self) -> u64 {
        self.own.get() + (self.patterns.steps() - self.began)
    }

    /// Pays for `steps` if there are as many left.
    pub(super) fn affords(&self, steps: u64) -> bool {
        let is_within = self.spent().saturating_add(steps) <= MOST;
        if is_within {
            self.own.set(self.own.get() + steps);
        } else {
            self.was_refused.set(true);
        }
        is_within
    }

    /// Whether work was refused since this was asked last.
    pub(super) fn take_refusal(&self) -> bool {
        self.was_refused.replace(false)
    }
}
