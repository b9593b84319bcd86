//! Takes words of money and identity out of what a gate says in public.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::patterns::{compile, is_space};

/// What stands in place of what was taken out.
pub const REDACTED: &str = "[redacted]";

/// `text` without the words that are nobody else's business. A bare "score" stays.
pub fn redacted(text: &str) -> Cow<'_, str> {
    WORDS.replace_all(text, |found: &Captures<'_>| {
        // The command of that name is no secret.
        let is_command = found.name("command").is_some();
        if is_command { found[0].to_owned() } else { REDACTED.to_owned() }
    })
}

/// The same as one line: spaces collapsed, none around it.
pub fn redacted_line(text: &str) -> String {
    let text = redacted(text);
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?<command>@(?i-u:loopover)[SPACE]+(?i-u:reviewability\b))",
        // Numbers that move.
        r"|(?-u:\b)(?:(?i-u:projected|estimated|predicted|current)[SPACE]+)?(?i-u:scores?)[SPACE]+",
        r"(?:(?-u:\w+)[SPACE]+){0,2}",
        r"(?i-u:from)[SPACE]+[-+]?[0-9.]+[SPACE]+(?i-u:to)[SPACE]+[-+]?[0-9.]*[0-9]",
        r"|(?-u:\b)(?i-u:scores?):?[SPACE]*[-+]?[0-9.]*[0-9][SPACE]*(?:->|→)[SPACE]*[-+]?[0-9.]*[0-9]",
        r"|(?-u:\b)(?i-u:open pr count)[SPACE]+[0-9]+[SPACE]+(?i-u:exceeds)(?:[SPACE]+(?i-u:the))?[SPACE]+",
        r"(?i-u:threshold)(?:[SPACE]+[0-9]+)?",
        // Words.
        r"|(?-u:\b)(?:",
        r"(?:(?i-u:raw)[SPACE_-]+)?(?i-u:trust)[SPACE_-]*(?i-u:scores?)",
        r"|(?i-u:raw)[SPACE_-]+(?i-u:trust)",
        r"|(?i-u:estimated|projected|predicted|private)[SPACE_-]+(?i-u:scores?)",
        r"|(?i-u:scores?)[SPACE_-]+(?i-u:estimates?|previews?|predictions?|projections?)",
        r"|(?i-u:wallets?|hot[ _-]?keys?|cold[ _-]?keys?|seed[ _-]?phrases?|mnemonics?|private[ _-]?keys?)",
        r"|(?i-u:rewards?|payouts?|farming|cohorts?|rankings?|scoreability|credibility)",
        r"|(?i-u:miner|human)[SPACE_-](?i-u:originated)",
        r"|(?:(?i-u:private)[SPACE_-]+)?(?i-u:reviewability)(?:[SPACE_-]+(?i-u:internals?))?",
        // Words of programs.
        r"|(?i-u:open[ _]pr[ _]pressure|low_credibility|maintainer_lane|likely_duplicate|outside_contributor)",
        r"|(?i-u:trust_score|reward_[a-z_]+|score_(?:estimate|preview|prediction))",
        r")(?-u:\b)",
    ))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(redacted(text), expected);
    }

    #[test]
    fn words_of_money_and_identity_are_taken_out() {
        check("trust scores, wallets, payouts", "[redacted], [redacted], [redacted]");
        check("a raw trust score of a miner-originated change", "a [redacted] of a [redacted] change");
        check("low_credibility and open_pr_pressure", "[redacted] and [redacted]");
        check("Private reviewability", "[redacted]");
    }

    #[test]
    fn numbers_that_move_are_taken_out() {
        check("projected score changes from 1 to 2.5.", "[redacted].");
        check("score: 10 -> 12", "[redacted]");
        check("Open PR count 5 exceeds threshold 3.", "[redacted].");
    }

    #[test]
    fn harmless_words_stay() {
        for text in
            ["score", "score 70 of 100", "rewarding", "scoreboard", "ranked", "trust", "@loopover reviewability"]
        {
            check(text, text);
        }
    }

    #[test]
    fn a_line_has_single_spaces() {
        assert_eq!(redacted_line("  a\n\n wallet\u{A0} b "), "a [redacted] b");
    }
}
