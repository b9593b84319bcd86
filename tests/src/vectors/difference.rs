//! Compares an answer with an expectation, member by member.

use std::fmt;

use serde_json::{Number, Value};

use super::glob::Globs;
use super::pointer::member;

/// Members of an expectation that are never compared: the original's timing and the form of its text.
const UNCOMPARED: [&str; 3] = ["blocks", "slowMs", "errorMessageNonEmpty"];

/// Members that our contracts add to the original's: taken off an answer, at any depth, where the expectation lacks them.
/// The first of a pair is the pattern of the files in which a member with so plain a name may be added.
const ADDED: [(&str, &[&str]); 4] = [
    (
        "*",
        &[
            "apiBaseUrl",
            "detached",
            "errorCode",
            "freshness",
            "initialised",
            "nextSince",
            "seq",
            "skippedRows",
            "truncated",
        ],
    ),
    (
        "local-status",
        &["comparison", "conflicted", "gitErrorReason", "hints", "kind", "lossyPath", "shallow", "submodule", "totals"],
    ),
    ("contract-registry", &["openWorldHint"]),
    ("admin-get-config", &["redactions", "warnings"]),
];

/// The longest part of a value that a report shows.
const SHOWN: usize = 240;

/// A place where an answer is not what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where, as a JSON pointer into the expectation.
    pub pointer: String,
    /// What should be there; none for nothing.
    pub expected: Option<Value>,
    /// What is there; none for nothing.
    pub actual: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the whole" } else { &self.pointer };
        write!(f, "{place}: expected {}, got {}", shown(self.expected.as_ref()), shown(self.actual.as_ref()))
    }
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}

/// An expectation without the members that are never compared.
pub(super) fn without_uncompared(mut expect: Value) -> Value {
    if let Value::Object(members) = &mut expect {
        members.retain(|name, _| !UNCOMPARED.contains(&name.as_str()));
    }
    expect
}

/// Whether a member of this name is taken off the answers to `file`.
pub fn takes_off(file: &str, name: &str) -> bool {
    ADDED.iter().any(|(files, names)| Globs::One((*files).to_owned()).fits(file) && names.contains(&name))
}

/// Every place where `actual`, an answer to a vector of `file`, is not what is expected. The order of members is no
/// difference, nor is 1 for 1.0.
pub fn differences(file: &str, expected: &Value, actual: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(file, "", expected, actual, &mut found);
    found
}

fn compare(file: &str, pointer: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (name, expected) in expected {
                let pointer = member(pointer, name);
                match actual.get(name) {
                    Some(actual) => compare(file, &pointer, expected, actual, found),
                    None => found.push(Difference { pointer, expected: Some(expected.clone()), actual: None }),
                }
            }
            for (name, actual) in actual {
                if !expected.contains_key(name) && !takes_off(file, name) {
                    let pointer = member(pointer, name);
                    found.push(Difference { pointer, expected: None, actual: Some(actual.clone()) });
                }
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                compare(file, &format!("{pointer}/{index}"), expected, actual, found);
            }
        }
        (Value::Number(one), Value::Number(other)) if is_same_number(one, other) => {}
        _ if expected == actual => {}
        _ => found.push(Difference {
            pointer: pointer.to_owned(),
            expected: Some(expected.clone()),
            actual: Some(actual.clone()),
        }),
    }
}

fn is_same_number(one: &Number, other: &Number) -> bool {
    let (whole, other_whole) = (one.as_i128(), other.as_i128());
    if whole.is_some() && other_whole.is_some() { whole == other_whole } else { one.as_f64() == other.as_f64() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(file: &str, expected: &Value, actual: &Value, places: &[&str]) {
        let found = differences(file, expected, actual);
        assert_eq!(found.iter().map(|difference| difference.pointer.as_str()).collect::<Vec<_>>(), places);
    }

    #[test]
    fn each_place_is_named_once() {
        let expected = json!({"a": 1, "b": {"c/d": [1, 2]}, "gone": null, "list": [1], "n": null});
        let actual = json!({"b": {"c/d": [1, 3]}, "a": 1.0, "new": 0, "list": [1, 2], "n": false});
        check("any", &expected, &actual, &["/b/c~1d/1", "/gone", "/list", "/n", "/new"]);
        check("any", &json!([]), &json!({}), &[""]);
    }

    #[test]
    fn numbers_are_compared_by_value_and_whole_ones_exactly() {
        check("any", &json!([1, 1.5, 0]), &json!([1.0, 1.5, -0.0]), &[]);
        check("any", &json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64), &[""]);
    }

    #[test]
    fn added_members_are_taken_off_where_the_expectation_lacks_them() {
        check("any", &json!([{"id": 1}]), &json!([{"id": 1, "seq": 3}]), &[]);
        check("any", &json!([{"id": 1, "seq": 2}]), &json!([{"id": 1, "seq": 3}]), &["/0/seq"]);
        check("local-status", &json!({}), &json!({"kind": "file"}), &[]);
        check("auth-identity", &json!({}), &json!({"kind": "static"}), &["/kind"]);
    }

    #[test]
    fn a_long_value_is_shown_in_part() {
        let difference = &differences("any", &json!("x"), &json!("é".repeat(500)))[0];
        assert!(difference.to_string().ends_with("… (1002 bytes)"), "{difference}");
        assert!(difference.to_string().starts_with("the whole: expected \"x\", got \"é"), "{difference}");
    }
}
