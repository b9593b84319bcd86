//! Whether a line that cannot be read as a message tells what the session has: then that is not known, and nothing may follow.
//!
//! It is read as far as it is JSON, whatever its other members are, since escapes (`sy\u0073tem`) and members that come twice
//! would hide it from whoever only looks for words. Only behind what is no JSON at all words are looked for.
//!
//! Everything else is read with U+FFFD for what is no character, half of a pair of surrogates above all, which a model's pieces
//! may be cut into: what was said must not be missing without a sign of it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::message::Message;

/// Whether it does, as far as can be told.
pub(super) fn is_init(line: &[u8]) -> bool {
    let mut marks = Marks::default();
    let mut reader = serde_json::Deserializer::from_slice(line);
    let is_json = marks.deserialize(&mut reader).and_then(|()| reader.end()).is_ok();
    marks.are_those_of_init() || (!is_json && has_words(line))
}

/// What an object says of itself, in any of its members of these names.
#[derive(Default)]
struct Marks {
    is_system: bool,
    is_init: bool,
}

impl Marks {
    fn are_those_of_init(&self) -> bool {
        self.is_system && self.is_init
    }
}

impl<'de> DeserializeSeed<'de> for &mut Marks {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Marks {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "type" => self.is_system |= members.next_value::<Value>()? == "system",
                "subtype" => self.is_init |= members.next_value::<Value>()? == "init",
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn has_words(line: &[u8]) -> bool {
    let text = unescaped(&String::from_utf8_lossy(line));
    let packed: String = text.split_whitespace().collect();
    packed.contains(r#""type":"system""#) && packed.contains(r#""subtype":"init""#)
}

/// The text with its escapes of ASCII read.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split(r"\u");
    let mut read = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.get(..4).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                read.push(char::from(code));
                read.push_str(&piece[4..]);
            }
            None => read.push_str(piece),
        }
    }
    read
}

/// The message, if it can be read that way and is nothing that the session says of itself.
pub(super) fn mended(line: &[u8]) -> Option<Message> {
    let text = with_characters(&String::from_utf8_lossy(line));
    serde_json::from_str(&text).ok().filter(|message| !matches!(message, Message::System(_)))
}

/// The text with `\ufffd` for each escape of a surrogate that has no other half.
fn with_characters(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        read.push_str(before);
        let length = match unit(escape) {
            Some(0xd800..=0xdbff) if matches!(unit(&escape[6..]), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                read.push_str(r"\ufffd");
                rest = &escape[6..];
                continue;
            }
            Some(_) => 6,
            // The escaped sign with it: `\\u` is no escape.
            None => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        let (escape, behind) = escape.split_at(length);
        read.push_str(escape);
        rest = behind;
    }
    read + rest
}

/// The code that a text begins with, if it begins with `\u`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix(r"\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_however_it_is_written() {
        for line in [
            r#"{"type":"system","subtype":"init","tools":null}"#,
            r#"{"type":"sy\u0073tem","subtype":"\u0069nit","tools":null}"#,
            r#"{"ty\u0070e":"system","sub\u0074ype":"init"}"#,
            r#"{"type":"system","subtype":"init","type":"later"}"#,
            r#"{"type":"later","subtype":"later","subtype":"init","type":"system"}"#,
            r#"{"cwd":"\ud800","type":"system","subtype":"init"}"#,
            r#"{"type":"system","subtype":"init","tools":["Bash""#,
            r#"{"type":"sy\u0073tem","subtype":"\u0069nit","tools":["Bash""#,
            r#"{"cwd":nothing,"type" : "sy\u0073tem","subtype":"init"}"#,
            r#"{"type":"later"} {"type":"system","subtype":"init"}"#,
            r#"[{"type":"system","subtype":"init"}]"#,
        ] {
            assert!(is_init(line.as_bytes()), "{line}");
        }
        assert!(is_init(b"{\"cwd\":\"\xff\",\"type\":\"system\",\"subtype\":\"init\"}"));
        let deep = format!(r#"{{"a":{}{},"type":"system","subtype":"init"}}"#, "[".repeat(5000), "]".repeat(5000));
        assert!(is_init(deep.as_bytes()));
    }

    #[test]
    fn other_lines_are_nothing_to_worry_about() {
        for line in [
            "",
            "no JSON",
            "7",
            r#""system init""#,
            r#"{"type":"system"}"#,
            r#"{"type":"system","subtype":["init"]}"#,
            r#"{"type":"user","text":"{\"type\":\"system\",\"subtype\":\"init\"}"}"#,
            r#"{"message":{"type":"system","subtype":"init"}}"#,
            r#"{"type":"later","text":"\ud83d","subtype":"init"}"#,
            r"\u00e9 \uzzzz \u",
        ] {
            assert!(!is_init(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn only_half_a_pair_is_replaced() {
        for (text, expect) in [
            (r"a\ud83db", r"a\ufffdb"),
            (r"\ude00", r"\ufffd"),
            (r"\ud83d\ude00 \ud83d\ud83d\ude00", r"\ud83d\ude00 \ufffd\ud83d\ude00"),
            (r"\\ud83d \n\u00e9 \u12 \u+123 \é", r"\\ud83d \n\u00e9 \u12 \u+123 \é"),
            (r"\uD83D\", r"\ufffd\"),
        ] {
            assert_eq!(with_characters(text), expect);
        }
        assert!(mended(br#"{"type":"rate_limit_event","x":"\ud83d"}"#).is_some());
        assert!(mended(br#"{"type":"system","subtype":"status","x":"\ud83d"}"#).is_none());
        assert!(mended(b"no JSON").is_none());
    }
}
