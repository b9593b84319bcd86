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
/// An address in which a step is called as hooks are: what stands behind it lets anybody post there.
static HOOK_PATH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?i-u:https?:\\?/\\?/)[^\s"'<>]*?/(?i-u:(?:incoming-?)?(?:web)?hooks?(?:b2)?)\\?/(?<secret>[^\s"'<>]+)"#)
});
/// The same of a host.
static HOOK_HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?i-u:https?:\\?/\\?/(?:[a-z0-9_-]+\.)*(?:web)?hooks?\.[a-z0-9_.:-]+)\\?/(?<secret>[^\s"'<>]+)"#)
});
/// `NAME=value` and `name: value` inside of a text, up to where the value begins.
static ASSIGNMENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?<name>[\p{L}_][\p{L}\p{M}\p{Cf}\p{N}_.-]*)["']?[ \t]*(?:=|:[ \t])[ \t]*"#));
/// A value of one.
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"'][^\s]*)"#));

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
    for by_shape in [&*IN_ADDRESS, &*SCHEME, &*HOOK_PATH, &*HOOK_HOST] {
        found.extend(by_shape.captures_iter(text).filter_map(|hit| hit.name("secret")).map(|secret| secret.range()));
    }
    // One behind the other, so that `?a=b&token=c` is seen as two.
    let mut reached = 0;
    for hit in ASSIGNMENT.captures_iter(text) {
        if let (Some(whole), Some(name)) = (hit.get(0), hit.name("name"))
            && whole.start() >= reached
            && names::is_secret(name.as_str())
            && let Some(value) = ASSIGNED.find(&text[whole.end()..])
        {
            reached = whole.end() + value.end();
            found.push(whole.end()..reached);
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
        check("see https://x.example/a?b=c&token=hush now", Some("see https://x.example/a?b=c&token=[redacted] now"));
        check("https://hooks.slack.com/services/T0/B0/abcdefghijklm", Some("https://hooks.slack.com/[redacted]"));
        check("https://discord.com/api/webhooks/1/abcdefghijk", Some("https://discord.com/api/webhooks/[redacted]"));
        check("https://chat.example.org/hooks/abc!", Some("https://chat.example.org/hooks/[redacted]"));
        check(r"https:\/\/x.example\/webhook\/abc", Some(r"https:\/\/x.example\/webhook\/[redacted]"));
        check(
            "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}=hush",
            Some("\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}=[redacted]"),
        );
    }

    #[test]
    fn what_only_looks_alike_stays() {
        for text in [
            "https://host/a@b",
            "gate: strict",
            "token",
            "a basic test",
            "a token of trust",
            "https://x.example/hooked/a",
            "a hook",
        ] {
            check(text, None);
        }
    }
}
