//! Whether somebody says that they tried their change.
//!
//! A clause has to name a way of trying and must not take it back, before or after. The words are easy to write without
//! having done anything, which is known and accepted: the note is worth a few points and no more.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compile;

/// Whether at least one clause of `text` says that something was tested.
pub fn has_validation_note(text: &str) -> bool {
    text.split(['.', ',', '!', '?']).any(|clause| {
        AFFIRMATIVE.is_match(clause)
            && !DENIED.is_match(clause)
            && !NEGATED_BEFORE.is_match(clause)
            && !NEGATED_AFTER.is_match(clause)
    })
}

const NEGATION: &str =
    r"(?i-u:\b(?:no|not|never|without|skip|skipped|didn't|doesn't|isn't|wasn't|weren't|haven't|hasn't)\b)";
const STEM: &str = r"(?i-u:(?:tests|test|tested|testing|validation|validated|verify|verified|verifying|manual check|smoke tests|smoke test|smoke)\b)";
const OUTCOME: &str = r"(?i-u:(?:not|never|failed|failing|skipped|incomplete)\b)";
const GAP: &str = r"(?:[SPACE]+|[:;\-–—][SPACE]*)";
const FILLER: &str = r"(?:[^SPACE.,!?;]+[SPACE]+)";

static AFFIRMATIVE: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?i-u:\b(?:test|tests|tested|testing|validation|validated|verified|smoke|pytest|vitest|manual check)\b)")
});
static DENIED: LazyLock<Regex> = LazyLock::new(|| compile(r"(?i-u:\b(?:untested|unvalidated|unverified)\b)"));
static NEGATED_BEFORE: LazyLock<Regex> = LazyLock::new(|| compile(&format!("{NEGATION}{GAP}{FILLER}{{0,3}}{STEM}")));
static NEGATED_AFTER: LazyLock<Regex> =
    LazyLock::new(|| compile(&format!(r"(?-u:\b){STEM}{GAP}{FILLER}{{0,2}}{OUTCOME}")));

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(has_validation_note(text), expected, "{text:?}");
    }

    #[test]
    fn a_clause_names_a_way_of_trying() {
        check("ran pytest", true);
        check("manual check", true);
        check("manual  check", false);
        check("verify", false);
        check("latest", false);
        check("test_plan", false);
    }

    #[test]
    fn a_negation_takes_its_clause_back() {
        check("did not run any tests", false);
        check("did not run any of the tests", true);
        check("tests: not run", false);
        check("not\u{3000}tested", false);
        check("tests that failed", false);
        check("tests that we all ran failed", true);
    }

    #[test]
    fn other_clauses_stay() {
        check("No tests run locally. Validated with a script", true);
        check("not a breaking change, tested", true);
    }

    #[test]
    fn adversarial_text_stays_linear() {
        check(&"not a ".repeat(200_000), false);
        check(&"x".repeat(1_000_000), false);
    }
}
