//! The terms, each as the letters that it is made of.

/// A term: how it is found, and what people call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its letters, nothing else.
    pub letters: &'static str,
    /// How it is written in a sentence.
    pub name: &'static str,
    /// Whether it is only the beginning of what is meant, whatever word that comes to.
    pub(super) is_beginning: bool,
    /// What small letters it may stand behind without a break: `ewallet`.
    glue: Glue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Glue {
    /// Those of [`PREFIXES`]: there are words such as `franking` and names such as `snapshotKey`.
    Prefixes,
    None,
}

/// What people put in front of a word to say whose or what kind.
const PREFIXES: [&str; 30] = [
    "my", "your", "our", "their", "his", "her", "its", "the", "no", "e", "x", "i", "total", "net", "gross", "block",
    "miner", "user", "daily", "epoch", "main", "sub", "hot", "cold", "multi", "smart", "tao", "coin", "stake", "owner",
];
/// None of them is longer.
pub(super) const LONGEST_PREFIX: usize = 5;

impl Term {
    /// Whether it is found right behind these letters of the same word; no more than one more than [`LONGEST_PREFIX`] are
    /// told.
    pub(super) fn is_glued_to(&self, word: &str) -> bool {
        match self.glue {
            Glue::Prefixes => PREFIXES.contains(&word),
            Glue::None => false,
        }
    }
}

const fn term(letters: &'static str, name: &'static str) -> Term {
    Term { letters, name, is_beginning: false, glue: Glue::Prefixes }
}

/// A term from behind.
const fn reversed(letters: &'static str, name: &'static str) -> Term {
    Term { letters, name, is_beginning: false, glue: Glue::None }
}

/// What is looked for. A term matches where its letters follow each other with few other characters between them, so one
/// spelling here stands for `trust score`, `trustScore` and `trust-score`, and whatever is appended to them.
pub const TERMS: [Term; 9] = [
    term("trustscore", "trust-score (trust score, trustscore)"),
    term("scoreability", "scoreability"),
    term("reward", "reward"),
    term("payout", "payout"),
    term("ranking", "ranking"),
    Term { letters: "privatescor", name: "private score", is_beginning: true, glue: Glue::Prefixes },
    term("wallet", "wallet"),
    term("hotkey", "hotkey"),
    term("coldkey", "coldkey"),
];

/// Terms with two letters that together look like one of theirs.
pub(super) const IN_OTHER_LETTERS: [Term; 7] = [
    term("vvallet", "wallet"),
    term("uuallet", "wallet"),
    term("reuuard", "reward"),
    term("revvard", "reward"),
    term("rewarcl", "reward"),
    term("revvarcl", "reward"),
    term("coclkey", "coldkey"),
];

/// The terms from behind, for text that is shown from right to left though it is not.
pub(super) const REVERSED: [Term; 9] = [
    reversed("erocstsurt", "trust score"),
    reversed("ytilibaerocs", "scoreability"),
    reversed("drawer", "reward"),
    reversed("tuoyap", "payout"),
    reversed("gniknar", "ranking"),
    reversed("rocsetavirp", "private score"),
    reversed("tellaw", "wallet"),
    reversed("yektoh", "hotkey"),
    reversed("yekdloc", "coldkey"),
];
