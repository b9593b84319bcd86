//! Values that a reader takes for an answer: by format, by what a description gives as an example, by a property's name. The
//! same schema gives the same value, and each fits its schema.

use serde_json::{Map, Value, json};

/// A moment, for every format and name that asks for one.
const MOMENT: &str = "2026-01-15T09:30:00Z";

/// What a text says whose name promises a sentence.
const SENTENCE: &str = "The change is covered by tests.";

/// A value by the last word of its property's name.
const BY_NAME: [(&[&str], &str); 18] = [
    (&["at", "ts", "time", "timestamp"], MOMENT),
    (&["date"], "2026-01-15"),
    (&["sha", "commit"], "3f786850e387550fdab836ed7e6dc881de23001b"),
    (&["url", "uri", "link"], "https://example.com/widgets"),
    (&["email"], "ada@example.com"),
    (&["path", "file", "files"], "src/cache.rs"),
    (&["dir", "directory", "folder"], "/home/ada/widgets"),
    (&["ref", "branch"], "main"),
    (&["login", "user", "owner", "author", "actor"], "ada"),
    (&["repo", "repository", "project"], "widgets"),
    (&["version"], "1.2.0"),
    (&["name"], "widgets"),
    (&["title"], "Keep the cache warm"),
    (&["label", "labels"], "bug"),
    (&["var", "variable"], "WIDGETS_TOKEN"),
    (&["error", "warnings"], "The file was not there."),
    (&["guidance", "helps", "hints", "steps"], "Add a test for what changed."),
    (&["content", "detail", "message", "messages", "note", "reason", "sources", "summary", "text"], SENTENCE),
];

/// A value by the format that it is promised in.
const BY_FORMAT: [(&str, &str); 10] = [
    ("date-time", MOMENT),
    ("date", "2026-01-15"),
    ("time", "09:30:00Z"),
    ("duration", "PT30M"),
    ("email", "ada@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("uri", "https://example.com/widgets"),
    ("uuid", "3f786850-e387-550f-8ab8-36ed7e6dc881"),
];

/// A value of the text or number that `schema` describes and a property called `name` holds; none where nothing was found.
pub(crate) fn value(name: &str, schema: &Map<String, Value>) -> Option<Value> {
    let whole = Value::Object(schema.clone());
    let judge = crate::validator::compile(&whole).ok()?;
    let found = match schema.get("type").and_then(Value::as_str) {
        Some("string") => texts(name, schema).into_iter().map(Value::String).find(|text| judge.is_valid(text)),
        Some("integer" | "number") => numbers(name, schema).into_iter().find(|number| judge.is_valid(number)),
        _ => None,
    };
    found.or_else(|| crate::evolution::smallest(&whole).filter(|value| judge.is_valid(value)))
}

/// The most telling first.
fn texts(name: &str, schema: &Map<String, Value>) -> Vec<String> {
    let said = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    let by_format =
        BY_FORMAT.iter().find(|(format, _)| said("format") == Some(format)).map(|(_, text)| (*text).to_owned());
    let by_description = said("description").and_then(given);
    let by_name = BY_NAME.iter().find(|(names, _)| names.contains(&last)).map(|(_, text)| (*text).to_owned());
    let by_name = if words.ends_with(&["full".to_owned(), "name".to_owned()]) {
        Some("acme/widgets".to_owned())
    } else {
        by_name
    };
    let identifier = (last == "id")
        .then(|| format!("{}-1", words.first().filter(|_| words.len() > 1).map_or("item", String::as_str)));
    [by_format, by_description, by_name, identifier, Some(words.join("_"))].into_iter().flatten().collect()
}

fn numbers(name: &str, schema: &Map<String, Value>) -> Vec<Value> {
    let by_name = match words(name).last().map(String::as_str) {
        Some("number" | "issue" | "issues") => json!(7),
        Some("score") => json!(80),
        Some("count" | "total") => json!(3),
        _ => json!(1),
    };
    let bounds = ["minimum", "maximum"].iter().filter_map(|keyword| schema.get(*keyword).cloned());
    [by_name, json!(1)].into_iter().chain(bounds).collect()
}

/// The first example that a description gives in backticks: such as `this`, one of: `this` or `that`, always `this`.
fn given(description: &str) -> Option<String> {
    if ["`owner/name`", "`owner/repo`"].iter().any(|form| description.contains(form)) {
        return Some("acme/widgets".to_owned());
    }
    if description.starts_with("When ") {
        return Some(MOMENT.to_owned());
    }
    let leads = ["such as `", ": `", "lways `"];
    let (_, rest) = leads.iter().find_map(|lead| description.split_once(lead))?;
    rest.split_once('`').map(|(word, _)| word.to_owned())
}

/// `repoFullName` and `repo_full_name` as `repo`, `full`, `name`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        let is_word_full = words.last().is_some_and(|word| !word.is_empty());
        if (character.is_uppercase() || !character.is_alphanumeric()) && is_word_full {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(name: &str, schema: &Value, expected: &Value) {
        let schema = schema.as_object().unwrap();
        assert_eq!(value(name, schema).as_ref(), Some(expected));
        assert_eq!(value(name, schema), value(name, schema), "the same schema gives the same value");
    }

    #[test]
    fn a_value_reads_like_an_answer() {
        let text = |description: &str| json!({ "type": "string", "description": description });
        check("repoFullName", &text("The repository as `owner/name`."), &json!("acme/widgets"));
        check("state", &text("State of it, such as `pending` or `failure`."), &json!("pending"));
        check("source", &text("Where it comes from: `environment` or `none`."), &json!("environment"));
        check("status", &text("Always `ok`."), &json!("ok"));
        check("since", &text("When it was claimed."), &json!(MOMENT));
        check("head_sha", &text(""), &json!("3f786850e387550fdab836ed7e6dc881de23001b"));
        check("planId", &text(""), &json!("plan-1"));
        check("repoFullName", &text("Which one."), &json!("acme/widgets"));
        check("actionClass", &text("What kind it is."), &json!("action_class"));
        check("pullNumber", &json!({ "type": "integer", "minimum": 1 }), &json!(7));
        check("score", &json!({ "type": "integer", "minimum": 0, "maximum": 10 }), &json!(1));
    }

    #[test]
    fn it_fits_its_schema_before_it_reads_well() {
        for (format, text) in BY_FORMAT {
            check("name", &json!({ "type": "string", "format": format }), &json!(text));
        }
        check("name", &json!({ "type": "string", "pattern": "^[0-9]{3}$" }), &json!("000"));
        check(
            "version",
            &json!({ "type": "string", "description": "Always `soon`.", "pattern": "^[0-9.]+$" }),
            &json!("1.2.0"),
        );
        check("ratio", &json!({ "type": "number", "exclusiveMinimum": 1, "maximum": 2.5 }), &json!(2.5));
        let short = value("title", json!({ "type": "string", "maxLength": 3 }).as_object().unwrap()).unwrap();
        assert!(short.as_str().unwrap().chars().count() <= 3, "{short}");
    }
}
