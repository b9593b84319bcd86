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
}

const fn term(letters: &'static str, name: &'static str) -> Term {
    Term { letters, name, is_beginning: false }
}

/// What is looked for. A term matches where its letters follow each other with few other characters between them, so one
/// spelling here stands for `trust score`, `trustScore` and `trust-score`, and whatever is appended to them.
pub const TERMS: [Term; 9] = [
    term("trustscore", "trust-score (trust score, trustscore)"),
    term("scoreability", "scoreability"),
    term("reward", "reward"),
    term("payout", "payout"),
    term("ranking", "ranking"),
    Term { letters: "privatescor", name: "private score", is_beginning: true },
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
    term("erocstsurt", "trust score"),
    term("ytilibaerocs", "scoreability"),
    term("drawer", "reward"),
    term("tuoyap", "payout"),
    term("gniknar", "ranking"),
    term("rocsetavirp", "private score"),
    term("tellaw", "wallet"),
    term("yektoh", "hotkey"),
    term("yekdloc", "coldkey"),
];
