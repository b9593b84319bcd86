//! One object, its members looked at one by one: most of what GitHub sends is not kept, so it is not read either.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{RecordKind, Skip};
use crate::engine::moment;

/// The members of an object, as texts yet.
pub(super) struct Members<'t>(BTreeMap<Cow<'t, str>, &'t RawValue>);

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

/// A text that borrows where it can.
#[derive(Deserialize)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'t> Members<'t> {
    pub(super) fn of(text: &'t str) -> Result<Self, Skip> {
        if !text.trim_ascii_start().starts_with('{') {
            return Err(Skip::NotAnObject);
        }
        let members: BTreeMap<Key<'t>, &'t RawValue> = serde_json::from_str(text).map_err(|_| Skip::NotJson)?;
        Ok(Self(members.into_iter().map(|(Key(name), value)| (name, value)).collect()))
    }

    /// Whether there is such a member, be it null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether there is no member but these.
    pub(super) fn holds_only(&self, names: &[&str]) -> bool {
        self.0.keys().all(|name| names.contains(&&**name))
    }

    fn raw(&self, name: &str) -> Option<&'t str> {
        self.0.get(name).map(|value| value.get()).filter(|value| *value != "null")
    }

    /// A member of a type that can be nothing else; one of another type counts as none.
    fn get<T: Deserialize<'t>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get::<Text<'t>>(name).map(|Text(text)| text.into_owned())
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)
    }

    pub(super) fn truth(&self, name: &str) -> Option<bool> {
        self.get(name)
    }

    /// A moment that can be read as one: a text, or seconds since 1970 as pushes have them.
    pub(super) fn moment(&self, name: &str) -> Option<String> {
        if let Some(seconds) = self.get::<i64>(name) {
            return chrono::DateTime::from_timestamp(seconds, 0).map(moment::text);
        }
        self.text(name).filter(|text| moment::parse(text).is_some())
    }

    /// A member that is an object.
    pub(super) fn object(&self, name: &str) -> Option<Members<'t>> {
        Self::of(self.raw(name)?).ok()
    }

    /// The members of a member that is a list.
    pub(super) fn each(&self, name: &str) -> Option<impl Iterator<Item = Result<Members<'t>, Skip>> + use<'t>> {
        let list: Vec<&'t RawValue> = self.get(name)?;
        Some(list.into_iter().map(|value| Members::of(value.get())))
    }

    /// Names of what a list holds: texts, or objects with a `name`.
    pub(super) fn names(&self, name: &str) -> Option<Vec<String>> {
        let list: Vec<&'t RawValue> = self.get(name)?;
        let named = |value: &&'t RawValue| match Members::of(value.get()) {
            Ok(object) => object.text("name"),
            Err(_) => serde_json::from_str(value.get()).ok(),
        };
        list.iter().map(named).collect()
    }

    /// Somebody's login.
    pub(super) fn login(&self, name: &str) -> Option<String> {
        self.object(name)?.text("login")
    }
}

/// What a record must have.
pub(super) fn needed<T>(value: Option<T>, kind: RecordKind, member: &'static str) -> Result<T, Skip> {
    value.ok_or(Skip::Member { kind, member })
}

/// A number that GitHub may give: from 1, and exact in every JSON reader.
pub(super) fn number(record: &Members<'_>, kind: RecordKind, member: &'static str) -> Result<u64, Skip> {
    needed(record.number(member).filter(|number| (1..=(1 << 53) - 1).contains(number)), kind, member)
}
