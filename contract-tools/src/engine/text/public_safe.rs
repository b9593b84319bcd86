//! Whether a repository's own words may be shown to anyone.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compile;

/// Whether a text speaks of no score, reward, key or wallet, and names no place on somebody's disk.
pub fn is_public_safe(text: &str) -> bool {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        compile(concat!(
            r"(?-u:\b)(?:(?i-u:reward|score)",
            r"|(?:(?i-u:wallets?|hotkeys?|coldkeys?|mnemonics?|farming|payouts?|rankings?|scoreability)",
            r"|(?:(?i-u:private)[SPACE-]?)?(?i-u:reviewability)(?:[SPACE-]?(?i-u:internals?))?",
            r"|(?i-u:seed)[SPACE-]?(?i-u:phrases?)",
            r"|(?i-u:private)[SPACE-]?(?i-u:keys?)",
            r"|(?i-u:raw)[SPACE-]?(?i-u:trust)",
            r"|(?i-u:trust)[SPACE-]?(?i-u:scores?)",
            r"|(?i-u:estimated)[SPACE-]?(?i-u:scores?)",
            r"|(?i-u:public)[SPACE-]?(?i-u:score)[SPACE-]?(?i-u:estimates?|predictions?|claims?)",
            r")(?-u:\b))",
        ))
    });
    static PLACES: LazyLock<Regex> = LazyLock::new(|| {
        compile(concat!(
            r"(?i-u:/(?:users|home|root|var|opt|tmp|private)/)",
            r"|(?i-u:[a-z]:[/\\](?:users|program files)[/\\])",
        ))
    });
    !WORDS.is_match(text) && !PLACES.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is_safe: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(is_public_safe(text), is_safe, "{text}");
        }
    }

    #[test]
    fn words_of_money_and_identity_are_unsafe() {
        check(
            false,
            &[
                "Rewards",
                "scoreboard",
                "wallet",
                "seedphrase",
                "private-keys",
                "raw\u{A0}trust",
                "TrustScore",
                "estimated score",
            ],
        );
        check(false, &["reviewability", "private reviewability", "reviewability-internals", "public score claims"]);
        check(
            true,
            &["underscore", "under_score", "unrewarded", "walletless", "trust", "rank", "farm", "private  key"],
        );
    }

    #[test]
    fn places_on_a_disk_are_unsafe_wherever_they_stand() {
        check(false, &["/home/x", "src/tmp/x", "/Users/me", "see d:/Program Files/x", "C:\\Users\\me"]);
        check(true, &["homes/x", "/home", "tmp/x", "c:/users"]);
    }

    #[test]
    fn adversarial_text_stays_linear() {
        check(true, &[&"seed ".repeat(200_000), &"/hom/".repeat(200_000), &"\u{200B}".repeat(300_000)]);
    }
}
