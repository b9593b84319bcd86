//! The messages that pass: each with its own text, and the parts of it that decide what happens.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::members::string;
use crate::Arguments;

/// A message that is well formed. Whether its method exists is for the server to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message<'frame> {
    /// It wants an answer.
    Request(Request<'frame>),
    /// It wants none.
    Notification(Notification<'frame>),
    /// It is one, to a request that this side sent.
    Response(Response<'frame>),
}

/// A message with an id and a method.
#[derive(Clone, PartialEq, Eq)]
pub struct Request<'frame> {
    // Private, since `relayed` counts on each part being a part of the text.
    pub(super) text: &'frame str,
    pub(super) id: Id<'frame>,
    pub(super) method: Cow<'frame, str>,
    pub(super) params: Option<&'frame str>,
    pub(super) call: Option<ToolCall<'frame>>,
}

/// A message with a method and no id.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notification<'frame> {
    /// The whole message.
    pub text: &'frame str,
    /// What it is about.
    pub method: Cow<'frame, str>,
    /// The text of `params`, an object; null is as good as absent.
    pub params: Option<&'frame str>,
}

/// A message with a result or an error.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response<'frame> {
    /// The whole message.
    pub text: &'frame str,
    /// The id of the request that it answers; an error may have none.
    pub id: Option<Id<'frame>>,
    /// Whether it has an `error`.
    pub is_error: bool,
}

/// The parameters of `tools/call`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall<'frame> {
    /// The tool's name.
    pub name: Cow<'frame, str>,
    /// The text of `arguments`, an object that nobody has read yet: keys may be written twice in it, and numbers too large.
    pub arguments: Option<&'frame str>,
}

impl ToolCall<'_> {
    /// The arguments in the form that the one door takes.
    pub fn to_arguments(&self) -> Arguments {
        self.arguments.map_or(Arguments::Absent, |text| Arguments::Text(text.to_owned()))
    }
}

impl<'frame> Request<'frame> {
    /// The whole message.
    pub fn text(&self) -> &'frame str {
        self.text
    }

    /// Its id.
    pub fn id(&self) -> &Id<'frame> {
        &self.id
    }

    /// What is asked for.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The text of `params`, an object; null is as good as absent.
    pub fn params(&self) -> Option<&'frame str> {
        self.params
    }

    /// What is called, when the method is `tools/call`.
    pub fn call(&self) -> Option<&ToolCall<'frame>> {
        self.call.as_ref()
    }

    /// The message for a reader behind this one that keeps ids as `i64` and parses arguments its own way: with `id` for an
    /// id, and with `{}` for the arguments of a tool call.
    pub fn relayed(&self, id: i64) -> String {
        let id = id.to_string();
        let arguments = self.call.as_ref().and_then(|call| call.arguments);
        let mut parts = vec![(self.place(self.id.raw()), id.as_str())];
        parts.extend(arguments.map(|arguments| (self.place(arguments), "{}")));
        parts.sort_by_key(|(place, _)| place.start);
        let mut relayed = String::with_capacity(self.text.len() - arguments.map_or(0, str::len) + 24);
        let mut from = 0;
        for (place, new) in parts {
            relayed.push_str(&self.text[from..place.start]);
            relayed.push_str(new);
            from = place.end;
        }
        relayed.push_str(&self.text[from..]);
        relayed
    }

    /// Where in the message `part` of it stands.
    fn place(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr() - self.text.as_ptr().addr();
        start..start + part.len()
    }
}

// What was sent may hold secrets: these say what a message is about and never what is in it.

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("id", &self.id.raw).field("method", &self.method).finish_non_exhaustive()
    }
}

impl fmt::Debug for Notification<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notification").field("method", &self.method).finish_non_exhaustive()
    }
}

impl fmt::Debug for Response<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("id", &self.id).field("is_error", &self.is_error).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An id as it was written: a string or an integer of any length.
///
/// Two ids are equal when they mean the same: `"a"` and `"\u0061"` are, `"3"` and `3` are not.
#[derive(Clone, Debug)]
pub struct Id<'frame> {
    raw: Cow<'frame, str>,
    /// What a string says.
    string: Option<Cow<'frame, str>>,
}

impl<'frame> Id<'frame> {
    /// The id that is written as `json`; none when that is no string and no integer.
    pub fn read(json: &'frame str) -> Option<Self> {
        let digits = json.strip_prefix('-').unwrap_or(json);
        let string = if json.starts_with('"') {
            Some(string(json)?)
        } else if digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9')) {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(None)?
        } else {
            return None;
        };
        Some(Self { raw: Cow::Borrowed(json), string })
    }

    /// Exactly as it was written, and as every reply has to have it.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What it says, when it is a string.
    pub fn as_str(&self) -> Option<&str> {
        self.string.as_deref()
    }

    /// Its value, when it is an integer that an `i64` writes back as it was written; rmcp takes no other.
    pub fn as_i64(&self) -> Option<i64> {
        self.raw.parse().ok().filter(|value: &i64| value.to_string() == self.raw)
    }

    /// The same, for as long as it is needed.
    pub fn into_owned(self) -> Id<'static> {
        Id { raw: Cow::Owned(self.raw.into_owned()), string: self.string.map(|string| Cow::Owned(string.into_owned())) }
    }

    /// What two ids are compared by.
    fn meaning(&self) -> (bool, &str) {
        (self.string.is_some(), self.string.as_deref().unwrap_or(&self.raw))
    }
}

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.meaning() == other.meaning()
    }
}

impl Eq for Id<'_> {}

impl Hash for Id<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.meaning().hash(state);
    }
}

impl PartialOrd for Id<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Id<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.meaning().cmp(&other.meaning())
    }
}

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn strings_and_integers_are_ids_and_nothing_else_is() {
        for raw in ["0", "-7", "-0", "9007199254740993", "123456789012345678901234567890", r#""""#, r#""007""#] {
            assert_eq!(Id::read(raw).map(|id| id.raw().to_owned()).as_deref(), Some(raw));
        }
        for raw in ["1.5", "1.0", "1e2", "null", "true", "{}", "[]", "", "-", "01", "1 ", r#""\ud800""#, r#"""#] {
            assert!(Id::read(raw).is_none(), "{raw}");
        }
    }

    #[test]
    fn an_id_is_a_number_only_where_a_number_writes_it_back() {
        let as_i64 = |raw| Id::read(raw).unwrap().as_i64();
        assert_eq!(as_i64("9223372036854775807"), Some(i64::MAX));
        assert_eq!(as_i64("-9223372036854775808"), Some(i64::MIN));
        for raw in ["9223372036854775808", "18446744073709551615", "-0", r#""7""#] {
            assert_eq!(as_i64(raw), None, "{raw}");
        }
    }

    #[test]
    fn ids_are_compared_by_what_they_mean() {
        let id = |raw| Id::read(raw).unwrap();
        assert_eq!(id(r#""a""#), id(r#""\u0061""#));
        assert_ne!(id(r#""3""#), id("3"));
        assert_eq!(id("3"), id("3").into_owned());
    }
}
