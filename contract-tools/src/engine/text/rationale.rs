//! Whether somebody says why their change has no issue.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compile;

/// Whether title and body, read as one text, hold a reason for having no issue.
pub fn has_no_issue_rationale(title: &str, body: Option<&str>) -> bool {
    static STATED: LazyLock<Regex> =
        LazyLock::new(|| compile(r"(?i-u:\bno (?:linked issue|issue|ticket))[SPACE]*(?:(?i-u:\bbecause\b)|:)"));
    static KIND_OF_WORK: LazyLock<Regex> = LazyLock::new(|| {
        compile(
            r"(?i-u:\b(?:maintenance|typo|chore|cleanup)\b)|(?i-u:\b(?:docs?|tests?|ci|refactor))[SPACE-]+(?i-u:only\b)",
        )
    });
    let text = format!("{title} {}", body.unwrap_or_default());
    STATED.is_match(&text) || KIND_OF_WORK.is_match(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: bool) {
        assert_eq!(has_no_issue_rationale("", Some(body)), expected, "{body:?}");
    }

    #[test]
    fn a_stated_reason_counts() {
        check("no issue because it is small", true);
        check("No Linked Issue\u{A0}: small", true);
        check("no ticket:", true);
        check("no  issue: small", false);
        check("no issuebecause", false);
        check("no issue becauſe", false);
    }

    #[test]
    fn a_kind_of_work_that_needs_none_counts() {
        check("docs - only", true);
        check("refactor-only", true);
        check("typos", false);
        check("dechore", false);
    }

    #[test]
    fn a_phrase_may_straddle_title_and_body() {
        assert!(has_no_issue_rationale("docs", Some("only")));
        assert!(has_no_issue_rationale("chore: x", None));
    }
}
