//! Redaction by lines, for comments and for a text that is neither YAML nor JSON: too much rather than too little.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::{Redacted, names, shapes};
use crate::privacy::MARK;

static KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?<name>[\p{L}_][\p{L}\p{M}\p{Cf}\p{N}_. -]*)["']?[ \t]*[:=]"#)
        .expect("a pattern of the code compiles; a test of its rule uses it")
});

/// What is left out until further notice.
enum Hiding {
    Nothing,
    /// The next line, and every one that is indented deeper than this.
    Deeper {
        indent: usize,
        is_next: bool,
    },
    /// Everything up to the line in which this quotation mark closes.
    Quoted(char),
}

/// The text without whatever stands behind a secret name.
pub(super) fn redact(text: &str) -> Redacted {
    // A private key reaches over several lines.
    let (text, mut count) = match shapes::without_keys_and_tokens(text) {
        Some(shown) => (Cow::Owned(shown), 1),
        None => (Cow::Borrowed(text), 0),
    };
    let mut out = String::with_capacity(text.len());
    let mut hiding = Hiding::Nothing;
    let mut values_are_secret = false;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        let indent = body.len() - body.trim_start().len();
        match hiding {
            Hiding::Quoted(mark) => {
                if body.contains(mark) {
                    hiding = Hiding::Nothing;
                }
                continue;
            }
            Hiding::Deeper { indent: outer, is_next } => {
                if body.trim().is_empty() || indent > outer || is_next {
                    let is_next = is_next && body.trim().is_empty();
                    hiding = Hiding::Deeper { indent: outer, is_next };
                    continue;
                }
                hiding = Hiding::Nothing;
            }
            Hiding::Nothing => {}
        }
        if let Some(end) = secret_key_end(body, &mut values_are_secret) {
            let rest = body[end..].trim();
            let opened = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
            hiding = match opened {
                Some(mark) if !rest[1..].contains(mark) => Hiding::Quoted(mark),
                _ => Hiding::Deeper { indent, is_next: rest.is_empty() || rest.starts_with(['|', '>']) },
            };
            count += 1;
            let before = &body[..end];
            out.push_str(shapes::without_secrets(before).as_deref().unwrap_or(before));
            if before.ends_with(':') {
                out.push(' ');
            }
            out.push_str(MARK);
            out.push_str(&line[body.len()..]);
            continue;
        }
        match shapes::without_secrets(body) {
            Some(shown) => {
                count += 1;
                out.push_str(&shown);
            }
            None => out.push_str(body),
        }
        out.push_str(&line[body.len()..]);
    }
    Redacted { text: out, count }
}

/// Where the first secret name of the line ends, its colon included.
fn secret_key_end(line: &str, values_are_secret: &mut bool) -> Option<usize> {
    for hit in KEY.captures_iter(line) {
        let (Some(whole), Some(name)) = (hit.get(0), hit.name("name")) else { continue };
        // `https:` is no key.
        if line[whole.end()..].starts_with("//") {
            continue;
        }
        let name = name.as_str().trim();
        let rest = line[whole.end()..].trim().trim_matches(['"', '\'', ',']);
        if rest.starts_with(MARK) {
            continue;
        }
        if names::is_secret(name) || (*values_are_secret && name == "value") {
            return Some(whole.end());
        }
        *values_are_secret |= matches!(name, "name" | "key") && names::is_secret(rest);
    }
    None
}
