//! A file's text to a document, JSON or YAML.
//!
//! Manifests, goals and configuration are read alike: what is ambiguous, or could grow, is unreadable as a whole.

mod node;
mod json;
mod scalar;
mod yaml;

pub(crate) use node::{Mapping, Node};

/// The largest file that is read, in bytes.
pub(crate) const MOST_BYTES: usize = 131_072;

/// Why a file says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// It is larger than [`MOST_BYTES`].
    TooLarge,
    /// It is neither JSON nor YAML, or has more than one meaning.
    Unreadable,
    /// It holds something other than keys and values.
    NotAMapping,
}

/// Whether `character` is a space to programs of the web. U+0085 and U+200B are none.
pub(crate) fn is_space(character: char) -> bool {
    character == '\u{FEFF}' || (character.is_whitespace() && character != '\u{85}')
}

/// `text` without the spaces around it.
pub(crate) fn trim_spaces(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// What a text that begins like JSON says.
pub(crate) fn json(text: &str) -> Option<Node> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&with_whole_characters(text)?).ok())
}

/// What the only YAML document of a text says; null when there is none.
pub(crate) fn yaml(text: &str) -> Option<Node> {
    yaml::read(text)
}

/// Whether a text can be JSON with something in it.
pub(crate) fn looks_like_json(text: &str) -> bool {
    trim_spaces(text).starts_with(['{', '['])
}

/// The mapping of a file; nothing when the file is blank.
pub(crate) fn read(content: &str) -> Result<Option<Mapping>, Unusable> {
    let text = trim_spaces(content);
    if text.is_empty() {
        return Ok(None);
    }
    if content.len() > MOST_BYTES {
        return Err(Unusable::TooLarge);
    }
    read_any_size(text)
}

/// The mapping of a text whose size somebody else has looked at.
pub(crate) fn read_any_size(text: &str) -> Result<Option<Mapping>, Unusable> {
    let text = trim_spaces(text);
    if text.is_empty() {
        return Ok(None);
    }
    let node = looks_like_json(text).then(|| json(text)).flatten().or_else(|| yaml(text));
    match node.ok_or(Unusable::Unreadable)? {
        Node::Mapping(mapping) => Ok(Some(mapping)),
        _ => Err(Unusable::NotAMapping),
    }
}

/// The same JSON with `\uFFFD` for each escape that is half a character, which many writers leave behind where they cut
/// a text and most readers take. Nothing when there is none.
fn with_whole_characters(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_changed = false;
    while let Some((before, escape)) = rest.split_once('\\') {
        whole.push_str(before);
        let length = match code_unit(escape) {
            Some(0xD800..=0xDBFF) if is_second_half(&escape[5..]) => 11,
            Some(0xD800..=0xDFFF) => {
                is_changed = true;
                whole.push_str("\\uFFFD");
                rest = &escape[5..];
                continue;
            }
            _ => escape.chars().next().map_or(0, char::len_utf8),
        };
        whole.push('\\');
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole.push_str(rest);
    is_changed.then_some(whole)
}

/// The unit that `uXXXX`, the escape behind a backslash, stands for.
fn code_unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

fn is_second_half(text: &str) -> bool {
    text.strip_prefix('\\').and_then(code_unit).is_some_and(|unit| (0xDC00..=0xDFFF).contains(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_json_yaml_or_nothing() {
        assert_eq!(read(" \u{FEFF}\n"), Ok(None));
        assert_eq!(read("42"), Err(Unusable::NotAMapping));
        assert_eq!(read("# only a comment"), Err(Unusable::NotAMapping));
        assert_eq!(read("[1]"), Err(Unusable::NotAMapping));
        assert_eq!(read("{\"a\": 1 // no\n, \"b\": [}"), Err(Unusable::Unreadable));
        assert!(read("{\"a\": 1 # yaml\n}").is_ok_and(|mapping| mapping.is_some()));
    }

    #[test]
    fn keys_of_json_may_stand_twice() {
        let mapping = read("{\"a\": 1, \"a\": 2}").ok().flatten().unwrap_or_default();
        assert_eq!(mapping.get("a"), Some(&Node::Number(2.0)));
    }

    #[test]
    fn half_a_character_empties_no_json() {
        for (written, read_as) in [
            (r"\ud83d", "\u{FFFD}"),
            (r"x\uD83Dy", "x\u{FFFD}y"),
            (r"\ud83d\ud83d\ude00", "\u{FFFD}😀"),
            (r"\udc00\ud800", "\u{FFFD}\u{FFFD}"),
            (r"\\ud800 \ud800", "\\ud800 \u{FFFD}"),
            (r"\ud800\n", "\u{FFFD}\n"),
        ] {
            let mapping = read(&format!("{{\"a\": \"{written}\", \"b\": 1}}")).ok().flatten().unwrap_or_default();
            assert_eq!(mapping.get("a"), Some(&Node::Text(read_as.to_owned())), "{written}");
            assert_eq!(mapping.get("b"), Some(&Node::Number(1.0)), "{written}");
        }
        for broken in [r"\ud8", r"\udc0g", "\\", r"\ué"] {
            assert_eq!(read(&format!("{{\"a\": \"{broken}\"}}")), Err(Unusable::Unreadable), "{broken}");
        }
    }

    #[test]
    fn the_limit_is_in_bytes_and_inclusive() {
        let padded = |bytes: usize| format!("a: 1\n#{}", "x".repeat(bytes - 6));
        assert!(read(&padded(MOST_BYTES)).is_ok());
        assert_eq!(read(&padded(MOST_BYTES + 1)), Err(Unusable::TooLarge));
    }
}
