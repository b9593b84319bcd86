//! Made-up input for tests of what always holds: the same on every run, since a test that fails once must fail again.

/// A small generator of numbers (xorshift).
pub(super) struct Dice(u64);

impl Dice {
    /// Each `seed` that is not 0 gives another sequence.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).unwrap_or_default() % sides
    }

    /// The same as a number of an issue or a pull request.
    pub(super) fn number(&mut self, sides: usize) -> u64 {
        self.roll(sides) as u64
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }

    pub(super) fn shuffle<Item>(&mut self, items: &mut [Item]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.roll(place + 1));
        }
    }
}
