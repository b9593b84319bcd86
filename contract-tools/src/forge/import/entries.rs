//! A document read entry by entry, so that one that does not fit keeps no other out: the list is cut out of its text, the rest
//! is read as a document with an empty list, and each entry on its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fmt;

use contract_core::schemars::JsonSchema;
use contract_core::{Document, ToolError};
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::forge::github::Skip;

/// Violations of one document or entry that are told.
const MOST_TOLD: usize = 20;

/// Reads documents `D` with a list of entries `E`.
pub(super) struct Entries<D, E> {
    list: &'static str,
    whole: Document<D>,
    entry: Document<E>,
}

/// An entry that fits.
pub(super) struct Entry<E> {
    /// Where it stands, as a JSON pointer.
    pub(super) place: String,
    pub(super) value: E,
}

impl<D: JsonSchema + DeserializeOwned, E: JsonSchema + DeserializeOwned> Entries<D, E> {
    pub(super) fn of(list: &'static str) -> Self {
        // The types stand in this house, and a test makes them: a schema that cannot be derived never leaves it.
        fn made<T>(document: Result<Document<T>, Vec<String>>) -> Document<T> {
            document.unwrap_or_else(|problems| unreachable!("a document's type is no contract: {problems:?}"))
        }
        Self { list, whole: made(Document::new()), entry: made(Document::new()) }
    }

    /// The document without its entries, none when that does not fit; and these as texts with their places. `place` is where
    /// it stands itself.
    pub(super) fn cut<'t>(
        &self,
        text: &'t str,
        place: &str,
        skipped: &mut Vec<Skip>,
    ) -> (Option<D>, Vec<(String, &'t str)>) {
        let (rest, entries) = cut(text, self.list).unwrap_or_else(|| (text.to_owned(), Vec::new()));
        let document = self.whole.read(rest).map_err(|error| {
            let told = told(place, &error);
            skipped.push(if place.is_empty() { Skip::Misfit(told) } else { Skip::MisfitEntry(told) });
        });
        let placed = |(index, entry): (usize, &'t RawValue)| (format!("{place}/{}/{index}", self.list), entry.get());
        (document.ok(), entries.into_iter().enumerate().map(placed).collect())
    }

    /// The same with the entries that fit; the others are skipped by their places. When the rest does not fit there is none,
    /// and what is wrong in entries is told all the same.
    pub(super) fn read(&self, text: &str, place: &str, skipped: &mut Vec<Skip>) -> Option<(D, Vec<Entry<E>>)> {
        let (document, entries) = self.cut(text, place, skipped);
        let mut fitting = Vec::new();
        for (place, text) in entries {
            match self.entry.read(text) {
                Ok(value) => fitting.push(Entry { place, value }),
                Err(error) => skipped.push(Skip::MisfitEntry(told(&place, &error))),
            }
        }
        Some((document?, fitting))
    }
}

/// What was listed so far, by what makes two entries the same.
pub(super) struct Listed<K>(BTreeMap<K, String>);

impl<K: Ord> Listed<K> {
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Whether this is the first of its kind; the second is skipped by its place, since only an order would choose.
    pub(super) fn is_first(&mut self, key: K, place: &str, skipped: &mut Vec<Skip>) -> bool {
        match self.0.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(place.to_owned());
                true
            }
            Slot::Occupied(first) => {
                let told = format!("{place} is about the same as {}, letter case aside; list it once", first.get());
                skipped.push(Skip::MisfitEntry(vec![told]));
                false
            }
        }
    }
}

fn told(place: &str, error: &ToolError) -> Vec<String> {
    let told = |issue: &contract_core::Issue| {
        let at = format!("{place}{}", issue.pointer);
        format!("{} {}", if at.is_empty() { "the document" } else { &at }, issue.message)
    };
    error.issues().iter().take(MOST_TOLD).map(told).collect()
}

/// An object's text with an empty list in place of this one, and what stood in it; none when it is no object.
fn cut<'t>(text: &'t str, list: &str) -> Option<(String, Vec<&'t RawValue>)> {
    let Pairs(members) = serde_json::from_str(text).ok()?;
    let (mut rest, mut entries) = (String::from("{"), Vec::new());
    for (name, value) in members {
        if rest.len() > 1 {
            rest.push(',');
        }
        rest += &serde_json::to_string(&name).ok()?;
        rest.push(':');
        match serde_json::from_str::<Vec<&'t RawValue>>(value.get()) {
            Ok(found) if name == list => {
                entries.extend(found);
                rest += "[]";
            }
            _ => rest += value.get(),
        }
    }
    rest.push('}');
    Some((rest, entries))
}

/// The members of an object in their order, those that stand there twice twice.
pub(super) struct Pairs<'t>(pub(super) Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Pairs<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(Name(name)) = map.next_key()? {
                    pairs.push((name, map.next_value()?));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
