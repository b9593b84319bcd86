//! Patterns with wildcards, followed all ways at once: a letter of a text is one step however many ways still fit, so no
//! pattern makes the rules go back and try again.
//!
//! Steps are counted. Many patterns on many texts are as many steps as their product, and who wrote either is a stranger:
//! with an [`Effort`] that is used up the answer is that there is none, and the caller says so.

use std::collections::BTreeMap;

/// How many steps may still be taken. One step follows at most 128 parts of a pattern over one letter of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effort(u64);

impl Effort {
    /// Far more than every pattern of a real repository takes on every path of a real change.
    pub const MOST: u64 = 3_000_000;

    /// So many steps.
    pub fn of(steps: u64) -> Self {
        Self(steps)
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.0
    }

    /// Takes steps; nothing when there are too few, and then none are left.
    pub fn take(&mut self, steps: u64) -> Option<()> {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or_default();
        left.map(|_| ())
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::of(Self::MOST)
    }
}

/// What a wildcard runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Everything.
    Text,
    /// Everything but the end of a line.
    Line,
    /// Everything but a slash.
    Directory,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// One letter.
    Letter(char),
    /// A run of anything within reach, the empty one too.
    Run(Reach),
    /// Either nothing, or the part behind it: whole directories.
    MaybeDirectories,
    /// A run of anything within reach that ends with a slash.
    Directories(Reach),
}

/// The parts of a pattern, written one after the other. What says nothing new beside its neighbour is left out, so that
/// runs of wildcards are no more work than one.
#[derive(Debug, Clone, Default)]
pub struct Parts(Vec<Part>);

impl Parts {
    /// A text that stands for itself.
    pub fn text(&mut self, text: &str) {
        self.0.extend(text.chars().map(Part::Letter));
    }

    /// Any run.
    pub fn run(&mut self, reach: Reach) {
        match self.0.last() {
            Some(Part::Run(last)) if *last == reach => {}
            Some(Part::Directories(last)) if *last == reach => {
                self.0.truncate(self.0.len() - 2);
                self.run(reach);
            }
            _ => self.0.push(Part::Run(reach)),
        }
    }

    /// Nothing, or any run with a slash at its end.
    pub fn directories(&mut self, reach: Reach) {
        let is_said = |part: &Part| matches!(part, Part::Run(last) | Part::Directories(last) if *last == reach);
        if !self.0.last().is_some_and(is_said) {
            self.0.extend([Part::MaybeDirectories, Part::Directories(reach)]);
        }
    }
}

/// One bit for each part: whether the parts before it have been gone over.
type Row = Vec<u128>;

/// A pattern, read once.
#[derive(Debug, Clone)]
pub struct Wildcards {
    /// The letters at its beginning and at its end, and its longest run of letters: most texts lack one of them, which is
    /// seen at once.
    begins: String,
    ends: String,
    holds: String,
    /// Which parts a letter goes over.
    letters: BTreeMap<char, Row>,
    /// Which parts stay where they are over any letter, over any but the end of a line, over any but a slash.
    stays: [Row; 3],
    /// Which parts may be nothing.
    optional: Row,
    /// Which parts may be nothing together with the one behind them.
    optional_pair: Row,
    /// The parts that are reached before the first letter.
    start: Row,
    /// The place behind the last part.
    end: usize,
}

impl Wildcards {
    /// Reads the parts of a pattern.
    pub fn new(parts: &Parts) -> Self {
        let parts = &parts.0;
        let row = || vec![0; parts.len() / BITS + 1];
        let letter = |part: &Part| if let Part::Letter(letter) = part { Some(*letter) } else { None };
        let runs =
            parts.split(|part| letter(part).is_none()).map(|run| run.iter().filter_map(letter).collect::<String>());
        let runs: Vec<String> = runs.collect();
        let mut pattern = Self {
            begins: runs.first().cloned().unwrap_or_default(),
            ends: runs.last().cloned().unwrap_or_default(),
            holds: runs.into_iter().max_by_key(String::len).unwrap_or_default(),
            letters: BTreeMap::new(),
            stays: [row(), row(), row()],
            optional: row(),
            optional_pair: row(),
            start: row(),
            end: parts.len(),
        };
        for (place, part) in parts.iter().enumerate() {
            match *part {
                Part::Letter(letter) => set(pattern.letters.entry(letter).or_insert_with(row), place),
                Part::Run(reach) => {
                    set(&mut pattern.stays[reach as usize], place);
                    set(&mut pattern.optional, place);
                }
                Part::MaybeDirectories => {
                    set(&mut pattern.optional, place);
                    set(&mut pattern.optional_pair, place);
                }
                Part::Directories(reach) => {
                    set(&mut pattern.stays[reach as usize], place);
                    set(pattern.letters.entry('/').or_insert_with(row), place);
                }
            }
        }
        let mut first = row();
        set(&mut first, 0);
        pattern.start = first.clone();
        pattern.pass(&mut first, |word, _| word);
        pattern.start = first;
        pattern
    }

    /// Whether the whole of `text` fits; nothing when the effort is used up before that is known.
    pub fn matches(&self, text: &str, effort: &mut Effort) -> Option<bool> {
        effort.take(1)?;
        if !text.starts_with(&self.begins) || !text.ends_with(&self.ends) || !text.contains(&self.holds) {
            return Some(false);
        }
        let steps = self.start.len() as u64;
        let mut reached = self.start.clone();
        for letter in text.chars() {
            effort.take(steps)?;
            if !self.step(&mut reached, letter) {
                return Some(false);
            }
        }
        Some(reached[self.end / BITS] >> (self.end % BITS) & 1 == 1)
    }

    /// Goes over one letter with every way that has come so far; whether one is left.
    fn step(&self, reached: &mut Row, letter: char) -> bool {
        let own = self.letters.get(&letter);
        let [in_text, in_line, in_directory] = &self.stays;
        let (ends_line, is_slash) = (matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}'), letter == '/');
        let mut carried = 0;
        self.pass(reached, |word, index| {
            let gone_over = word & own.map_or(0, |row| row[index]);
            let mut stays = in_text[index];
            stays |= if ends_line { 0 } else { in_line[index] };
            stays |= if is_slash { 0 } else { in_directory[index] };
            let next = gone_over << 1 | carried | word & stays;
            carried = gone_over >> (BITS - 1);
            next
        })
    }

    /// Makes each word of a row anew, then reaches what lies behind parts that may be nothing; whether anything is reached.
    fn pass(&self, row: &mut Row, mut renewed: impl FnMut(u128, usize) -> u128) -> bool {
        let (mut carried, mut is_any) = (0, 0);
        for (index, word) in row.iter_mut().enumerate() {
            let (optional, pair) = (self.optional[index], self.optional_pair[index]);
            let mut next = renewed(*word, index) | carried;
            // Neighbours that may be nothing are at most three, since those that say the same are one.
            loop {
                let grown = next | (next & optional) << 1 | (next & pair) << 2;
                if grown == next {
                    break;
                }
                next = grown;
            }
            carried = (next & optional) >> (BITS - 1) | (next & pair) >> (BITS - 2);
            is_any |= next;
            *word = next;
        }
        is_any != 0
    }
}

const BITS: usize = u128::BITS as usize;

fn set(row: &mut Row, place: usize) {
    row[place / BITS] |= 1 << (place % BITS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::dice::Dice;

    /// `*` over a directory, `+` over a line, `%` over everything, `~` for whole directories.
    fn parts(pattern: &str) -> Parts {
        let mut parts = Parts::default();
        for letter in pattern.chars() {
            match letter {
                '*' => parts.run(Reach::Directory),
                '+' => parts.run(Reach::Line),
                '%' => parts.run(Reach::Text),
                '~' => parts.directories(Reach::Line),
                _ => parts.text(letter.encode_utf8(&mut [0; 4])),
            }
        }
        parts
    }

    fn matches(pattern: &str, text: &str) -> bool {
        Wildcards::new(&parts(pattern)).matches(text, &mut Effort::default()).unwrap()
    }

    #[test]
    fn the_ways_that_are_followed_are_those_of_the_same_expression() {
        let mut dice = Dice::new(7);
        let mut fits = 0;
        for _ in 0..1_000 {
            let most = if dice.roll(20) == 0 { 300 } else { 8 };
            let pattern: String =
                (0..dice.roll(most)).map(|_| dice.pick(&["a", "b", "/", "*", "+", "%", "~"])).collect();
            let text: String = (0..dice.roll(12)).map(|_| dice.pick(&["a", "a", "b", "/", "\n", "é"])).collect();
            let expression: String = pattern
                .chars()
                .map(|letter| match letter {
                    '*' => "[^/]*".to_owned(),
                    '+' => r"[^\n\r\x{2028}\x{2029}]*".to_owned(),
                    '%' => "(?s:.*)".to_owned(),
                    '~' => r"(?:[^\n\r\x{2028}\x{2029}]*/)?".to_owned(),
                    letter => letter.to_string(),
                })
                .collect();
            let expected = regex::Regex::new(&format!(r"\A{expression}\z")).unwrap().is_match(&text);
            assert_eq!(matches(&pattern, &text), expected, "{text:?} against {pattern:?}");
            fits += u32::from(expected);
        }
        assert!(fits > 100, "{fits} fit");
    }

    #[test]
    fn wildcards_beside_wildcards_are_one() {
        assert_eq!(parts(&"*".repeat(300)).0, parts("*").0);
        assert_eq!(parts(&"~".repeat(300)).0, parts("~").0);
        assert_eq!(parts("~+~+").0, parts("+").0);
    }

    #[test]
    fn a_pattern_longer_than_a_word_goes_on_in_the_next() {
        for length in [126, 127, 128, 129, 255, 256, 257, 400] {
            let text = "a".repeat(length);
            for pattern in [format!("%{text}"), format!("{text}%"), format!("{text}~"), format!("%{text}~b")] {
                let whole = text.clone() + if pattern.ends_with('b') { "b" } else { "" };
                assert!(matches(&pattern, &whole), "{length}");
                assert!(!matches(&pattern, &whole[1..]), "{length}");
            }
        }
    }

    #[test]
    fn a_step_is_counted_for_every_letter_and_word() {
        let pattern = Wildcards::new(&parts(&format!("{}%a%", "%a".repeat(75))));
        let mut effort = Effort::of(10_000);
        assert_eq!(pattern.matches(&"a".repeat(400), &mut effort), Some(true));
        assert_eq!(effort.left(), 10_000 - 1 - 400 * 2);
        assert_eq!(pattern.matches(&"b".repeat(400), &mut effort), Some(false));
        assert_eq!(effort.left(), 10_000 - 2 - 400 * 2);
        let mut little = Effort::of(100);
        assert_eq!(pattern.matches(&"a".repeat(400), &mut little), None);
        assert_eq!((little.left(), pattern.matches("c", &mut little)), (0, None));
    }
}
