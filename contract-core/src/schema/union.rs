//! How the branches of a union are told apart: by a tag, by a single key, or by being a word.
//!
//! One answer serves three users: registration refuses a union without one, the door descends into the branch that was
//! meant, and the violations of that branch alone are reported.

use serde_json::{Map, Value};

/// What marks one branch of a union.
#[derive(Debug, PartialEq, Eq)]
enum Mark<'schema> {
    /// One of these words: the unit variants of an externally tagged enum.
    Words(Vec<&'schema str>),
    /// An object with this one key: a data variant of an externally tagged enum.
    Key(&'schema str),
    /// An object whose member says which branch it is: internally or adjacently tagged.
    Tag(&'schema str, &'schema str),
}

fn mark(branch: &Value) -> Option<Mark<'_>> {
    mark_of(branch.as_object()?)
}

fn mark_of(branch: &Map<String, Value>) -> Option<Mark<'_>> {
    if branch.get("type")? == "string" {
        if let Some(word) = branch.get("const").and_then(Value::as_str) {
            return Some(Mark::Words(vec![word]));
        }
        return branch.get("enum")?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>().map(Mark::Words);
    }
    let properties = branch.get("properties")?.as_object()?;
    let required: Vec<&str> = branch.get("required")?.as_array()?.iter().filter_map(Value::as_str).collect();
    let tag = properties.iter().find_map(|(name, property)| {
        let word = property.get("const")?.as_str()?;
        required.contains(&name.as_str()).then_some(Mark::Tag(name, word))
    });
    tag.or_else(|| match required.as_slice() {
        [key] if properties.len() == 1 && properties.contains_key(*key) => Some(Mark::Key(key)),
        _ => None,
    })
}

/// Whether every value can be told to belong to at most one of `branches` without trying them all.
pub(crate) fn is_told_apart(branches: &[Value]) -> bool {
    let Some(marks) = branches.iter().map(mark).collect::<Option<Vec<Mark<'_>>>>() else { return false };
    let mut tags = marks.iter().filter_map(|mark| if let Mark::Tag(name, _) = mark { Some(*name) } else { None });
    let one_tag = match tags.next() {
        Some(first) => tags.all(|name| name == first) && marks.iter().all(|mark| matches!(mark, Mark::Tag(..))),
        None => true,
    };
    one_tag && marks.iter().enumerate().all(|(at, mark)| !marks[..at].contains(mark))
}

/// The branch that `value` means to be, valid or not.
pub(crate) fn branch_meant<'schema>(branches: &'schema [Value], value: &Value) -> Option<&'schema Map<String, Value>> {
    branches
        .iter()
        .find(|branch| match (mark(branch), value) {
            (Some(Mark::Words(_)), Value::String(_)) => true,
            (Some(Mark::Key(key)), Value::Object(members)) => members.contains_key(key),
            (Some(Mark::Tag(name, word)), Value::Object(members)) => {
                members.get(name).is_some_and(|value| value == word)
            }
            _ => false,
        })
        .and_then(Value::as_object)
}

/// What a value must look like to mean any branch, as one sentence part.
pub(crate) fn expectation(branches: &[Value]) -> String {
    if let Some((tag, words)) = tag_words(branches) {
        return format!("an object whose `{tag}` is one of {words}");
    }
    let mut words = Vec::new();
    let mut keys = Vec::new();
    for mark in branches.iter().filter_map(mark) {
        match mark {
            Mark::Words(listed) => words.extend(listed.into_iter().map(quoted)),
            Mark::Key(key) => keys.push(format!("`{key}`")),
            Mark::Tag(..) => {}
        }
    }
    let mut forms = Vec::new();
    if !words.is_empty() {
        forms.push(format!("one of {}", words.join(", ")));
    }
    if !keys.is_empty() {
        forms.push(format!("an object with exactly one of the keys {}", keys.join(", ")));
    }
    if forms.is_empty() { "one of the listed forms".to_owned() } else { forms.join(", or ") }
}

/// The one key by which a data variant of an externally tagged enum is known, if `branch` is such a one.
pub(crate) fn key_of(branch: &Map<String, Value>) -> Option<&str> {
    match mark_of(branch)? {
        Mark::Key(key) => Some(key),
        Mark::Words(_) | Mark::Tag(..) => None,
    }
}

/// What a branch is called by who sends it: its words, its key, or its tag's word.
pub(crate) fn name_of(branch: &Map<String, Value>) -> Option<String> {
    Some(match mark_of(branch)? {
        Mark::Words(words) => words.into_iter().map(quoted).collect::<Vec<_>>().join(" or "),
        Mark::Key(key) => format!("`{key}`"),
        Mark::Tag(name, word) => format!("`{name}` {}", quoted(word)),
    })
}

/// The tag of a union that has one, and the words it may be.
pub(crate) fn tag_words(branches: &[Value]) -> Option<(&str, String)> {
    let tags: Vec<(&str, &str)> = branches
        .iter()
        .filter_map(|branch| if let Mark::Tag(name, word) = mark(branch)? { Some((name, word)) } else { None })
        .collect();
    let (name, _) = tags.first()?;
    Some((name, tags.iter().map(|(_, word)| quoted(word)).collect::<Vec<_>>().join(", ")))
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{branch_meant, expectation, is_told_apart};

    #[test]
    fn the_three_ways_are_told_apart() {
        let tagged = json!([
            { "type": "object", "properties": { "kind": { "type": "string", "const": "one" } }, "required": ["kind"] },
            { "type": "object", "properties": { "kind": { "type": "string", "const": "two" } }, "required": ["kind"] },
        ]);
        let tagged = tagged.as_array().unwrap();
        assert!(is_told_apart(tagged));
        assert_eq!(branch_meant(tagged, &json!({ "kind": "two", "x": 1 })), tagged[1].as_object());
        assert_eq!(branch_meant(tagged, &json!({ "kind": "three" })), None);
        assert_eq!(expectation(tagged), r#"an object whose `kind` is one of "one", "two""#);

        let external = json!([
            { "type": "string", "enum": ["all"] },
            { "type": "object", "properties": { "pr": { "type": "integer" } }, "required": ["pr"] },
        ]);
        let external = external.as_array().unwrap();
        assert!(is_told_apart(external));
        assert_eq!(branch_meant(external, &json!({ "pr": 1 })), external[1].as_object());
        assert_eq!(branch_meant(external, &json!("nothing")), external[0].as_object());
        assert_eq!(expectation(external), r#"one of "all", or an object with exactly one of the keys `pr`"#);
    }

    #[test]
    fn two_tags_or_no_mark_are_not() {
        let unmarked = json!([{ "type": "object", "properties": {} }, { "type": "integer" }]);
        assert!(!is_told_apart(unmarked.as_array().unwrap()));
        let same = json!([{ "type": "string", "const": "a" }, { "type": "string", "const": "a" }]);
        assert!(!is_told_apart(same.as_array().unwrap()));
    }
}
