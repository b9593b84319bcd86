//! Finds terms in a text that comes one character at a time.

use super::fold::{Folded, fold};
use super::markup::{Layers, Looking};
use super::terms::{IN_OTHER_LETTERS, LONGEST_PREFIX, REVERSED, TERMS, Term};

/// How many other things may stand between two letters of a term. White space counts once, however much of it there is, and
/// so does one character that is repeated.
const LONGEST_GAP: u8 = 3;

/// What may follow the last letter of a term that was written in more than one word, whatever parts them. `hot keys` and
/// `hotKeys` are one, `hot keyboard` and `hot-keymap` are not; a term in one word is one whatever follows.
const ENDINGS: [&str; 10] = ["s", "es", "d", "ed", "r", "rs", "er", "ers", "ing", "ings"];
const LONGEST_ENDING: usize = 4;

/// Where a term was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// Where its first letter begins, as [`Matcher::feed`] was told.
    pub(super) start: usize,
    /// Whether the character that was fed last still belongs to it.
    pub(super) is_inside: bool,
}

impl Hit {
    /// The one that begins first; a character belongs to both or to what comes after both.
    fn first(one: Self, other: Self) -> Self {
        Self { start: one.start.min(other.start), is_inside: one.is_inside || other.is_inside }
    }
}

/// Keeps what may still become a term. It looks at the text as it is and, where there is markup or a code, as it is displayed
/// and as it is decoded.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    written: Readings,
    displayed: Seen,
    decoded: Seen,
}

/// The text read as something else, from where that begins to where nothing of it may become a term any more.
#[derive(Clone, Debug)]
struct Seen {
    looking: Looking,
    open: Option<(Layers, Readings)>,
}

/// A text read twice at once: as it is, and with digits read as letters, since either reading alone hides something from the
/// other.
#[derive(Clone, Debug)]
struct Readings {
    plain: Reading,
    leet: Reading,
}

impl Matcher {
    pub(super) fn new() -> Self {
        let written = Readings { plain: Reading::new(false), leet: Reading::new(true) };
        let seen = |looking| Seen { looking, open: None };
        Self { written, displayed: seen(Looking::AtMarkup), decoded: seen(Looking::AtCodes) }
    }

    /// Takes the next character, which begins at byte `at`; tells of a term that it completes.
    pub(super) fn feed(&mut self, at: usize, character: char) -> Option<Hit> {
        self.displayed.begin(character, &self.written);
        self.decoded.begin(character, &self.written);
        let hit = self.written.feed(at, character);
        let displayed = self.displayed.feed(at, character, &self.written);
        let decoded = self.decoded.feed(at, character, &self.written);
        merge(hit, merge(displayed, decoded))
    }

    /// The text is over: tells of a term that it completes.
    pub(super) fn finish(&mut self) -> Option<Hit> {
        merge(self.written.finish(), merge(self.displayed.finish(), self.decoded.finish()))
    }

    /// The first byte that may still turn out to belong to a term; what stands before it is settled.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        let seen = [&self.displayed, &self.decoded].into_iter().filter_map(Seen::undecided_from);
        self.written.undecided_from().into_iter().chain(seen).min()
    }
}

impl Seen {
    fn begin(&mut self, character: char, written: &Readings) {
        if self.open.is_none() && self.looking.begins(character) {
            self.open = Some((Layers::new(self.looking), written.clone()));
        }
    }

    fn feed(&mut self, at: usize, character: char, written: &Readings) -> Option<Hit> {
        let (layers, readings) = self.open.as_mut()?;
        let mut hit = None;
        layers.feed(at, character, |from, shown| hit = merge(hit, readings.feed(from, shown)));
        // What comes next is read by what stands before it, and here that may be another character.
        if self.undecided_from().is_none() && self.context() == Some(written.context()) {
            self.open = None;
        }
        hit
    }

    fn finish(&mut self) -> Option<Hit> {
        let (mut layers, mut readings) = self.open.take()?;
        let mut hit = None;
        layers.finish(|from, shown| hit = merge(hit, readings.feed(from, shown)));
        merge(hit, readings.finish())
    }

    fn undecided_from(&self) -> Option<usize> {
        let (layers, readings) = self.open.as_ref()?;
        layers.undecided_from().into_iter().chain(readings.undecided_from()).min()
    }

    fn context(&self) -> Option<(Before, bool)> {
        self.open.as_ref().map(|(_, readings)| readings.context())
    }
}

impl Readings {
    /// What the next character is read by.
    fn context(&self) -> (Before, bool) {
        (self.plain.before, self.plain.is_reversed)
    }

    fn feed(&mut self, at: usize, character: char) -> Option<Hit> {
        merge(self.plain.feed(at, character), self.leet.feed(at, character))
    }

    fn finish(&mut self) -> Option<Hit> {
        merge(self.plain.word_ends(), self.leet.word_ends())
    }

    fn undecided_from(&self) -> Option<usize> {
        let begun = self.plain.begun.iter().chain(&self.leet.begun).map(|begun| begun.start);
        let whole = self.plain.whole.iter().chain(&self.leet.whole).map(|whole| whole.start);
        begun.chain(whole).min()
    }
}

fn merge(one: Option<Hit>, other: Option<Hit>) -> Option<Hit> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Hit::first(one, other)),
        (one, other) => one.or(other),
    }
}

/// Whether the letter that is looked for is this one; a capital I and a small L look the same in every alphabet that has them.
fn is_same(wanted: u8, letter: u8, character: char) -> bool {
    wanted == letter
        || (wanted == b'l' && letter == b'i' && !character.is_lowercase())
        || (wanted == b'i' && letter == b'l')
}

/// One way to read the text.
#[derive(Clone, Debug)]
struct Reading {
    leet: bool,
    begun: Vec<Begun>,
    /// Terms in more than one word whose last word may go on.
    whole: Vec<Whole>,
    before: Before,
    /// Whether the text here is shown from right to left whatever its letters are.
    is_reversed: bool,
    /// The letters of the word that is read, as far as one is that terms are glued to.
    word: String,
}

/// The last character that is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Before {
    character: char,
    /// Whether a sentence ended since the last letter, and that letter was a small one.
    ended_sentence: bool,
    was_small: bool,
}

/// The beginning of a term.
#[derive(Clone, Copy, Debug)]
struct Begun {
    term: &'static Term,
    matched: usize,
    start: usize,
    gap: Gap,
    /// Whether anything stood between its letters, or a capital begins another word in it.
    is_parted: bool,
    /// Whether it stands behind letters of its own word: then it is written in one piece, or it is none.
    is_glued: bool,
    /// `HTTPWallet`: a capital behind a capital begins a word if a small letter comes next.
    needs_small: bool,
}

/// What stood since a term's last letter.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    length: u8,
    is_spaced: bool,
    /// Whether there was a sign that keeps words apart rather than joins them.
    is_bracketed: bool,
}

impl Gap {
    /// Takes one more character, behind `before`; whether the letters on both sides may still be of one word.
    fn take(&mut self, character: char, is_space: bool, before: char) -> bool {
        let is_repeated = if is_space { before.is_whitespace() } else { before == character };
        // A line of a quotation begins with a sign that parts nothing.
        let is_quotation = character == '>' && before == '\n';
        self.is_spaced |= is_space;
        self.is_bracketed |= "{}<>;".contains(character) && !is_quotation;
        self.length += u8::from(!is_repeated || self.length == 0);
        // `wa{ll}et` is one word, `hot { key` are two.
        self.length <= LONGEST_GAP && !(self.is_spaced && self.is_bracketed)
    }
}

/// All letters of a term, and those behind them.
#[derive(Clone, Debug)]
struct Whole {
    start: usize,
    ending: String,
}

impl Reading {
    fn new(leet: bool) -> Self {
        let before = Before { character: '\n', ended_sentence: false, was_small: false };
        Self { leet, begun: Vec::new(), whole: Vec::new(), before, is_reversed: false, word: String::new() }
    }

    fn feed(&mut self, at: usize, character: char) -> Option<Hit> {
        let mut hit = None;
        let leet = self.leet;
        fold(character, leet, |folded| hit = merge(hit, self.take(at, character, folded)));
        hit
    }

    fn take(&mut self, at: usize, character: char, folded: Folded) -> Option<Hit> {
        match folded {
            Folded::Nothing => {
                match character {
                    '\u{202e}' => self.is_reversed = true,
                    '\u{202c}' | '\u{202d}' => self.is_reversed = false,
                    _ => {}
                }
                None
            }
            Folded::Letter(letter) => {
                let hit = self.letter(at, character, letter);
                self.before = Before { character, ended_sentence: false, was_small: character.is_lowercase() };
                hit
            }
            Folded::Space | Folded::Other => {
                let hit = self.word_ends();
                self.is_reversed &= character != '\n';
                self.gap(character, folded == Folded::Space);
                hit
            }
        }
    }

    fn gap(&mut self, character: char, is_space: bool) {
        let before = self.before;
        self.begun.retain_mut(|begun| {
            begun.is_parted = true;
            begun.gap.take(character, is_space, before.character) && !begun.needs_small && !begun.is_glued
        });
        let ends_sentence = is_space && matches!(before.character, '.' | '!' | '?') && before.was_small;
        self.word.clear();
        self.before.ended_sentence |= ends_sentence;
        self.before.character = character;
    }

    fn letter(&mut self, at: usize, character: char, letter: u8) -> Option<Hit> {
        let mut hit = None;
        let before = self.before;
        let is_capital = character.is_uppercase();
        // `trust scoreCard` has one too.
        if character.is_ascii_alphabetic() && !(is_capital && before.character.is_lowercase()) {
            self.whole.retain_mut(|whole| {
                whole.ending.push(char::from(letter));
                whole.ending.len() <= LONGEST_ENDING && ENDINGS.iter().any(|ending| ending.starts_with(&whole.ending))
            });
        } else {
            hit = self.word_ends();
        }
        // `It is hot. Key findings follow.`
        let begins_sentence = before.ended_sentence && is_capital;
        let mut completed = Vec::new();
        self.begun.retain_mut(|begun| {
            if begins_sentence
                || (begun.needs_small && is_capital)
                || !is_same(begun.term.letters.as_bytes()[begun.matched], letter, character)
            {
                return false;
            }
            begun.is_parted |= is_capital && before.character.is_lowercase();
            begun.needs_small = false;
            begun.matched += 1;
            begun.gap = Gap::default();
            let is_whole = begun.matched == begun.term.letters.len();
            if is_whole {
                completed.push(*begun);
            }
            !is_whole
        });
        for begun in completed {
            if begun.is_parted && !begun.term.is_beginning {
                self.whole.push(Whole { start: begun.start, ending: String::new() });
            } else {
                hit = merge(hit, Some(Hit { start: begun.start, is_inside: true }));
            }
        }
        // In `HTTPWallet` a word begins here, in `MYWALLET` it goes on.
        let is_among_capitals = before.character.is_uppercase() && is_capital;
        // A letter of another script is no part of a Latin word. A capital behind a small letter begins one: `myWallet`.
        // From behind, what was appended to a term comes first.
        let begins_word = !before.character.is_ascii_alphabetic() || is_capital || self.is_reversed;
        if begins_word && !is_among_capitals {
            self.word.clear();
        }
        let reversed: &[Term] = if self.is_reversed { &REVERSED } else { &[] };
        let word = self.word.as_str();
        let terms = TERMS.iter().chain(&IN_OTHER_LETTERS).chain(reversed);
        for term in terms.filter(|term| term.letters.as_bytes()[0] == letter) {
            let begin = |is_glued: bool| Begun {
                term,
                matched: 1,
                start: at,
                gap: Gap::default(),
                is_parted: false,
                is_glued,
                needs_small: is_among_capitals && !is_glued,
            };
            self.begun.extend(begins_word.then(|| begin(false)));
            self.begun.extend(term.is_glued_to(word).then(|| begin(true)));
        }
        if self.word.len() <= LONGEST_PREFIX {
            self.word.push(char::from(letter));
        }
        hit
    }

    /// The word is over: terms that end with it are found.
    fn word_ends(&mut self) -> Option<Hit> {
        let whole =
            self.whole.drain(..).filter(|whole| whole.ending.is_empty() || ENDINGS.contains(&whole.ending.as_str()));
        whole.map(|whole| Hit { start: whole.start, is_inside: false }).reduce(Hit::first)
    }
}
