//! The members of one JSON object, found without reading into their values.
//!
//! `serde_json` skips a value without recursion, so depth costs nothing here, and what stands before a broken place is kept.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Id;

/// The members of a message that mean something.
pub(super) fn is_of_envelope(key: &str) -> bool {
    matches!(key, "jsonrpc" | "id" | "method" | "params" | "result" | "error")
}

/// The members of an object, as far as it could be read.
pub(super) struct Members<'text> {
    /// Each key with the text of its value, which is missing when the value is not intact or the key is there twice.
    pub(super) found: BTreeMap<Cow<'text, str>, Option<&'text str>>,
    /// The first key that is written twice.
    pub(super) twice: Option<String>,
    /// Whether the object was read to its end, and nothing follows.
    pub(super) end: Result<(), serde_json::Error>,
}

/// The `id` of a message.
pub(super) enum IdMember<'text> {
    Absent,
    /// Neither a string nor an integer, or written twice, or cut off.
    Unusable,
    Usable(Id<'text>),
}

impl<'text> Members<'text> {
    /// Reads the object that `text` is; of no other member than those to `keep` anything is held.
    pub(super) fn read(text: &'text str, keep: fn(&str) -> bool) -> Self {
        let mut members = Self { found: BTreeMap::new(), twice: None, end: Ok(()) };
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let reader = Reader { text, keep, members: &mut members };
        members.end = deserializer.deserialize_map(reader).and_then(|()| deserializer.end());
        members
    }

    /// Whether the key is there at all.
    pub(super) fn has(&self, key: &str) -> bool {
        self.found.contains_key(key)
    }

    /// The text of a member's value.
    pub(super) fn value(&self, key: &str) -> Option<&'text str> {
        self.found.get(key).copied().flatten()
    }

    /// Whether this message answers another: answering it in turn would never end.
    pub(super) fn is_response(&self) -> bool {
        (self.has("result") || self.has("error")) && !self.has("method")
    }

    pub(super) fn id(&self) -> IdMember<'text> {
        match self.found.get("id") {
            None => IdMember::Absent,
            Some(value) => value.and_then(Id::read).map_or(IdMember::Unusable, IdMember::Usable),
        }
    }
}

/// A string, borrowed where it holds no escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Text<'text>(#[serde(borrow)] Cow<'text, str>);

/// The string that `json` is, if it is one.
pub(super) fn string(json: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(json).ok().map(|text| text.0)
}

/// What kind of value `json` is, with its article.
pub(super) fn kind(json: &str) -> &'static str {
    match json.bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

struct Reader<'text, 'members> {
    text: &'text str,
    keep: fn(&str) -> bool,
    members: &'members mut Members<'text>,
}

impl<'text> Visitor<'text> for Reader<'text, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut entries: A) -> Result<(), A::Error> {
        let end = self.text.as_bytes().as_ptr_range().end;
        while let Some(Text(key)) = entries.next_key()? {
            if !(self.keep)(&key) {
                entries.next_value::<IgnoredAny>()?;
                continue;
            }
            match self.members.found.entry(key) {
                Entry::Vacant(slot) => {
                    // The key counts even when its value is cut off.
                    let slot = slot.insert(None);
                    let value = entries.next_value::<&RawValue>()?.get();
                    // A number at the very end of a text that was cut may go on: `12` of `123`.
                    *slot = (value.as_bytes().as_ptr_range().end != end).then_some(value);
                }
                Entry::Occupied(mut slot) => {
                    *slot.get_mut() = None;
                    if self.members.twice.is_none() {
                        self.members.twice = Some(slot.key().clone().into_owned());
                    }
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
