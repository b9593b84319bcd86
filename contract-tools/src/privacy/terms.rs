//! The terms, each as the letters that it is made of.

/// What is looked for. A term matches where its letters follow each other with few other characters between them, so one
/// spelling here stands for `trust score`, `trustScore` and `trust-score`, and whatever is appended to them.
pub const TERMS: [&str; 9] =
    ["trustscore", "scoreability", "reward", "payout", "ranking", "privatescor", "wallet", "hotkey", "coldkey"];
