//! JSON text to a value in one pass, with what a plain parse loses: duplicate keys, and the place where reading stopped.
//!
//! Arguments of a call and the parts of a wire frame around them are read by it, so that both say the same of the same text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::Issue;

/// No more duplicate keys than this are listed: a text may hold a million.
const MOST: usize = 32;

/// A key is shown up to this many characters: it may be the whole of a long text.
const SHOWN: usize = 64;

/// Reads `text`; the issues are the duplicate keys, the error is why there is no value at all.
pub(crate) fn read(text: &str) -> Result<(Value, Vec<Issue>), Issue> {
    let mut path = Path::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Node { path: &mut path }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| broken(&error, &path))?;
    let issues = path
        .duplicates
        .into_iter()
        .map(|pointer| Issue::new(pointer, "uniqueKeys", "is written twice; send each key once"))
        .collect();
    Ok((value, issues))
}

/// Why reading stopped, in our words: serde's may quote what was sent.
fn broken(error: &serde_json::Error, path: &Path) -> Issue {
    // serde_json has no kind for these two; their texts are pinned by a test below.
    let text = error.to_string();
    if text.starts_with("number out of range") {
        return Issue::new(path.pointer(), "type", "is a number too large for JSON readers; send one within ±(2^53−1)");
    }
    if text.starts_with("recursion limit exceeded") {
        return Issue::new("", "maxDepth", "is nested too deeply; the limit is 127 levels");
    }
    let place = format!("line {}, column {}", error.line(), error.column());
    let message = if error.is_eof() {
        format!("is JSON that stops in the middle ({place})")
    } else {
        format!("is not JSON ({place})")
    };
    Issue::new("", "json", message)
}

/// `pointer` and one more step, escaped as RFC 6901 says.
pub(crate) fn join(pointer: &str, step: impl fmt::Display) -> String {
    let step = step.to_string();
    if step.contains(['~', '/']) {
        format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
    } else {
        format!("{pointer}/{step}")
    }
}

/// Where `value` has an integer that JSON readers do not keep exact, if anywhere.
pub(crate) fn inexact_integer(value: &Value) -> Option<String> {
    const MOST: u64 = (1 << 53) - 1;
    match value {
        Value::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            size.is_some_and(|size| size > MOST).then(String::new)
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| Some(join("", at) + &inexact_integer(item)?))
        }
        Value::Object(members) => {
            members.iter().find_map(|(key, member)| Some(join("", shown(key)) + &inexact_integer(member)?))
        }
        _ => None,
    }
}

/// As much of a key as a message shows.
pub(crate) fn shown(key: &str) -> &str {
    key.char_indices().nth(SHOWN).map_or(key, |(end, _)| &key[..end])
}

/// Where the reader stands, and what it has seen twice.
#[derive(Default)]
struct Path {
    steps: Vec<Step>,
    duplicates: Vec<String>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    fn pointer(&self) -> String {
        self.steps.iter().fold(String::new(), |pointer, step| match step {
            Step::Key(key) => join(&pointer, shown(key)),
            Step::Index(index) => join(&pointer, index),
        })
    }
}

struct Node<'path> {
    path: &'path mut Path,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            self.path.steps.push(Step::Index(values.len()));
            let Some(value) = items.next_element_seed(Node { path: &mut *self.path })? else { break };
            values.push(value);
            self.path.steps.pop();
        }
        self.path.steps.pop();
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if key == NUMBER && numbers_come_as_maps() {
                return number(&entries.next_value::<String>()?).ok_or_else(|| A::Error::custom("number out of range"));
            }
            self.path.steps.push(Step::Key(key));
            let value = entries.next_value_seed(Node { path: &mut *self.path })?;
            if self.path.duplicates.len() < MOST {
                let pointer = self.path.pointer_if(|key| members.contains_key(key));
                self.path.duplicates.extend(pointer);
            }
            let Some(Step::Key(key)) = self.path.steps.pop() else {
                return Err(A::Error::custom("the reader lost its place"));
            };
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

impl Path {
    /// The pointer to here, when `is` holds of the key that was just read.
    fn pointer_if(&self, is: impl Fn(&str) -> bool) -> Option<String> {
        match self.steps.last() {
            Some(Step::Key(key)) if is(key) => Some(self.pointer()),
            _ => None,
        }
    }
}

/// The key under which `serde_json` hands out a number where any crate of the program turns on its `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// Whether it does so in this program; without the feature the key is an ordinary one.
fn numbers_come_as_maps() -> bool {
    struct Probe;
    impl<'de> Visitor<'de> for Probe {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
            Ok(false)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
            while entries.next_entry::<String, serde::de::IgnoredAny>()?.is_some() {}
            Ok(true)
        }
    }
    static ANSWER: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *ANSWER.get_or_init(|| serde_json::Deserializer::from_str("0.5").deserialize_any(Probe).unwrap_or(false))
}

/// A number as every build of `serde_json` keeps it without that feature.
fn number(text: &str) -> Option<Value> {
    let integer = text.parse::<i64>().ok().filter(|_| text != "-0").map(Value::from);
    integer.or_else(|| text.parse::<u64>().ok().map(Value::from)).or_else(|| {
        let float = text.parse::<f64>().ok().filter(|float| float.is_finite())?;
        Number::from_f64(float).map(Value::Number)
    })
}

#[cfg(test)]
mod tests {
    use super::{number, numbers_come_as_maps, read};

    #[test]
    fn a_number_that_comes_as_text_is_the_number_it_is() {
        assert!(!numbers_come_as_maps(), "no crate of this workspace turns the feature on");
        for (text, value) in [
            ("7", "7"),
            ("-7", "-7"),
            ("18446744073709551615", "18446744073709551615"),
            ("0.5", "0.5"),
            ("1E2", "100.0"),
            ("-0", "-0.0"),
        ] {
            assert_eq!(number(text).unwrap().to_string(), value);
        }
        assert!(number("1e400").is_none() && number("x").is_none());
        let (value, _) = read(r#"{"$serde_json::private::Number":"1"}"#).unwrap();
        assert!(value.is_object(), "without the feature the key is an ordinary one");
    }

    #[test]
    fn duplicate_keys_are_seen_at_any_depth() {
        let (value, issues) = read(r#"{"a":1,"b":[{"c/d":1,"c/d":2}],"a":3}"#).unwrap();
        assert_eq!(value["a"], 3);
        let pointers: Vec<&str> = issues.iter().map(|issue| issue.pointer.as_str()).collect();
        assert_eq!(pointers, ["/b/0/c~1d", "/a"]);
    }

    #[test]
    fn duplicate_keys_are_listed_up_to_a_bound_whatever_is_sent() {
        let long = "k".repeat(1 << 20);
        let text = format!("{{\"{long}\":{{{}\"a\":1}}}}", "\"a\":1,".repeat(100_000));
        let (_, issues) = read(&text).unwrap();
        assert_eq!(issues.len(), super::MOST);
        assert!(issues.iter().all(|issue| issue.pointer.len() < 80));
    }

    #[test]
    fn a_number_out_of_range_is_named_by_its_place() {
        let issue = read(r#"{"a":[1,{"since":1e400}]}"#).unwrap_err();
        assert_eq!(issue.pointer, "/a/1/since");
        assert!(!issue.message.contains("float"), "{}", issue.message);
    }

    #[test]
    fn too_deep_is_said_and_never_overflows() {
        for depth in [200, 100_000] {
            let issue = read(&"[".repeat(depth)).unwrap_err();
            assert_eq!((issue.rule.as_ref(), issue.pointer.as_str()), ("maxDepth", ""));
        }
    }

    #[test]
    fn text_that_is_no_json_says_where_and_quotes_nothing() {
        for (text, part) in [
            ("{\"a\":", "stops in the middle"),
            ("{secret}", "is not JSON (line 1, column 2)"),
            ("{} x", "is not JSON"),
        ] {
            let issue = read(text).unwrap_err();
            assert!(issue.message.contains(part) && !issue.message.contains("secret"), "{}", issue.message);
        }
    }

    #[test]
    fn every_kind_of_value_is_read_as_it_is() {
        let text = r#"{"n":null,"b":true,"i":-7,"u":18446744073709551615,"f":1.5,"s":"é\n","l":[1,[2]],"o":{}}"#;
        assert_eq!(read(text).unwrap().0.to_string(), text);
    }
}
