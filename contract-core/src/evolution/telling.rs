//! The wording of differences, for people: what it was, what it is.

use serde_json::{Map, Value};

use super::document::split;
use super::verdict::Rule;
use super::words::{Words, listed};

/// The longest piece of a schema or value that a sentence quotes, in characters.
const LONGEST: usize = 72;

/// A schema or a value in a few characters.
pub(super) fn short(value: &Value) -> String {
    let text = match (value, value.get("type")) {
        (Value::Bool(true), _) => return "anything".to_owned(),
        (Value::Bool(false), _) => return "nothing".to_owned(),
        (Value::Object(members), Some(Value::String(kind))) if members.len() == 1 => return kind.clone(),
        (Value::Object(members), _) if members.is_empty() => return "anything".to_owned(),
        _ => without_words(&without_sides(Some(value)).unwrap_or_default()).to_string(),
    };
    cut(&text)
}

/// `text`, or as much of it as a sentence quotes.
pub(crate) fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST - 1).collect();
    format!("{head}…")
}

/// Without what only people read.
fn without_words(schema: &Value) -> Value {
    let mut schema = super::recursion::changed(schema, &mut |_, child| without_words(child));
    if let Some(members) = schema.as_object_mut() {
        let words = ["title", "description", "examples", "$defs", "definitions"];
        members.retain(|keyword, _| !words.contains(&keyword.as_str()));
    }
    schema
}

/// References as they were written, so that the two sides compare.
pub(super) fn without_sides(schema: Option<&Value>) -> Option<Value> {
    fn plain(value: &Value) -> Value {
        match value {
            Value::Object(members) => members
                .iter()
                .map(|(name, member)| match member.as_str().filter(|_| name == "$ref").and_then(split) {
                    Some((_, pointer)) => (name.clone(), format!("#{pointer}").into()),
                    None => (name.clone(), plain(member)),
                })
                .collect::<Map<String, Value>>()
                .into(),
            Value::Array(items) => items.iter().map(plain).collect(),
            other => other.clone(),
        }
    }
    schema.map(plain)
}

/// A schema that is another altogether.
pub(super) fn whole((old, new): (&Value, &Value)) -> String {
    format!("it was {} and is {}", short(old), short(new))
}

/// A value that came, went or became another.
pub(super) fn value(what: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    let quoted = |value: &Value| cut(&value.to_string());
    match (old, new) {
        (None, Some(new)) => format!("{what} {} is new", quoted(new)),
        (Some(old), None) => format!("{what} {} is gone", quoted(old)),
        (Some(old), Some(new)) => format!("{what} was {} and is {}", quoted(old), quoted(new)),
        (None, None) => String::new(),
    }
}

/// Keywords of which no more is said than that they came, went or say another thing.
pub(super) fn keywords(keywords: &[&String], old: &Map<String, Value>, new: &Map<String, Value>) -> String {
    let told = |is: &dyn Fn(bool, bool) -> bool, one: &str, several: &str| {
        let meant = keywords.iter().filter(|keyword| is(old.contains_key(**keyword), new.contains_key(**keyword)));
        let listed: Vec<String> = meant.map(|keyword| format!("`{keyword}`")).collect();
        let what = if listed.len() == 1 { one } else { several };
        (!listed.is_empty()).then(|| format!("{} {what}", listed.join(", ")))
    };
    let parts = [
        told(&|was, is| !was && is, "is new", "are new"),
        told(&|was, is| was && !is, "is gone", "are gone"),
        told(&|was, is| was && is, "is another", "are others"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Keywords that hang together.
pub(super) fn group(keywords: &[&str], old: &Value, new: &Value) -> String {
    if keywords.contains(&"enum") {
        return words(old, new);
    }
    let changes: Vec<String> = keywords
        .iter()
        .filter(|keyword| old.get(**keyword) != new.get(**keyword))
        .map(|keyword| value(keyword, old.get(*keyword), new.get(*keyword)))
        .collect();
    changes.join(", ")
}

/// The words that came and went.
fn words(old: &Value, new: &Value) -> String {
    let listed = |schema: &Value| schema.as_object().and_then(listed).map(|words| words.into_iter().cloned().collect());
    let (old, new): (Option<Vec<Value>>, Option<Vec<Value>>) = (listed(old), listed(new));
    let quoted = |words: &[&Value]| cut(&words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    match (old, new) {
        (Some(old), Some(new)) => {
            let (before, after) = (Words::of(&old), Words::of(&new));
            let gone: Vec<&Value> = old.iter().filter(|word| !after.contains(word)).collect();
            let came: Vec<&Value> = new.iter().filter(|word| !before.contains(word)).collect();
            match (gone.is_empty(), came.is_empty()) {
                (false, false) => format!("{} is no longer allowed, {} is new", quoted(&gone), quoted(&came)),
                (false, true) => format!("{} is no longer allowed", quoted(&gone)),
                (true, false) => format!("{} is new", quoted(&came)),
                (true, true) => "the same words are written another way".to_owned(),
            }
        }
        (None, Some(new)) => format!("only {} is allowed now", quoted(&new.iter().collect::<Vec<_>>())),
        (Some(old), None) => format!("not only {} is allowed any more", quoted(&old.iter().collect::<Vec<_>>())),
        (None, None) => String::new(),
    }
}

/// A property that came or went.
pub(super) fn property(rule: Rule, is_required: bool) -> String {
    let asked = if is_required { "required" } else { "optional" };
    if rule == Rule::PropertyRemoved {
        format!("it is gone (it was {asked})")
    } else {
        format!("it is new and {asked}")
    }
}

/// What an object says of properties that it does not declare.
pub(super) fn openness(old: &Value, new: &Value) -> (Rule, String) {
    let says = |schema: &Value| match schema {
        Value::Bool(false) => "no undeclared properties".to_owned(),
        Value::Bool(true) => "any undeclared properties".to_owned(),
        other => format!("undeclared properties that are {}", short(other)),
    };
    let rank = |schema: &Value| match schema {
        Value::Bool(false) => 0,
        Value::Bool(true) => 2,
        _ => 1,
    };
    let rule = if rank(new) < rank(old) { Rule::Closed } else { Rule::Opened };
    (rule, format!("it took {} and takes {}", says(old), says(new)))
}

/// Branches of a union that came and went.
pub(super) fn branches(gone: &[String], new: &[String]) -> String {
    let listed = |branches: &[String]| branches.join(" and ");
    match (gone.is_empty(), new.is_empty()) {
        (false, false) => format!("the branch {} is gone, {} is new", listed(gone), listed(new)),
        (false, true) => format!("the branch {} is gone", listed(gone)),
        _ => format!("the branch {} is new", listed(new)),
    }
}
