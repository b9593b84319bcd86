//! What is a secret by its shape, whatever its name.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::names;
use crate::privacy::{MARK, secret_ranges};

/// `scheme://user:password@host`: what stands between the slashes and the last `@` of the authority.
static IN_ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z][A-Za-z0-9+.-]*://(?<secret>[^/\s?#'\x22]+)@"));
/// `Bearer x`, `Basic x`: an authorization without its name.
static SCHEME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i-u:\b(?:bearer|basic))[ \t]+(?<secret>[A-Za-z0-9._~+/=-]{8,})"));
/// `NAME=value` and `name: value` inside of a text.
static ASSIGNMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?<name>[A-Za-z_][A-Za-z0-9_.-]*)["']?[ \t]*(?:=|:[ \t])[ \t]*(?<secret>"[^"\n]*"?|'[^'\n]*'?|[^\s"'][^\s]*)"#,
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of the code compiles; a test of its rule uses it")
}

/// The text without secrets; nothing when it holds none.
pub(super) fn without_secrets(text: &str) -> Option<String> {
    without(text, ranges(text))
}

/// The same for known kinds of tokens and for private keys alone, which need nothing around them.
pub(super) fn without_keys_and_tokens(text: &str) -> Option<String> {
    without(text, known(text).collect())
}

fn known(text: &str) -> impl Iterator<Item = Range<usize>> {
    secret_ranges(text).into_iter().map(|(start, end)| start..end)
}

fn without(text: &str, mut found: Vec<Range<usize>>) -> Option<String> {
    found.sort_by_key(|range| (range.start, range.end));
    if found.is_empty() {
        return None;
    }
    let mut shown = String::new();
    let mut reached = 0;
    for range in found {
        if range.start >= reached {
            shown.push_str(&text[reached..range.start]);
            shown.push_str(MARK);
        }
        reached = reached.max(range.end);
    }
    shown.push_str(&text[reached..]);
    Some(shown)
}

/// Where secrets stand, in order; they may overlap.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = known(text).collect();
    for by_shape in [&*IN_ADDRESS, &*SCHEME] {
        found.extend(by_shape.captures_iter(text).filter_map(|hit| hit.name("secret")).map(|secret| secret.range()));
    }
    for hit in ASSIGNMENT.captures_iter(text) {
        if let (Some(name), Some(secret)) = (hit.name("name"), hit.name("secret"))
            && names::is_secret(name.as_str())
        {
            found.push(secret.range());
        }
    }
    found.retain(|range| !text[range.clone()].trim_matches(['"', '\'']).starts_with(MARK));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(without_secrets(text).as_deref(), expected, "{text}");
        if let Some(shown) = expected {
            assert_eq!(without_secrets(shown), None, "what is shown stays as it is");
        }
    }

    #[test]
    fn secrets_are_known_by_their_shape() {
        check("https://me:hush@host/x", Some("https://[redacted]@host/x"));
        check("https://me:hu@sh@host/x", Some("https://[redacted]@host/x"));
        check("curl -H 'Authorization: Bearer abcdefgh1'", Some("curl -H 'Authorization: [redacted] [redacted]'"));
        check("Bearer abcdefgh1", Some("Bearer [redacted]"));
        check("EXAMPLE_TOKEN=planted and more", Some("EXAMPLE_TOKEN=[redacted] and more"));
        check("password = 'two words' x", Some("password = [redacted] x"));
        check("use ghp_0123456789abcdefXYZ here", Some("use [redacted] here"));
    }

    #[test]
    fn what_only_looks_alike_stays() {
        for text in ["https://host/a@b", "gate: strict", "token", "a basic test", "a token of trust"] {
            check(text, None);
        }
    }
}
