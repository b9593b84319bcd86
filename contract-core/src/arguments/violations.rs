//! Every violation of a schema, each with its place and what would be right, so that a model repairs a call in one turn.
//!
//! No message quotes what was sent: arguments may hold secrets, and messages are logged. The offending *keys* are named,
//! since their sender has to find them.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use super::{join, nearest, type_name};
use crate::error::Issue;
use crate::json;
use crate::schema::union;

/// No message lists more violations than this; what is past it comes with the next call.
const MOST: usize = 32;

/// What in `value` does not fit `schema`, in the order in which the validator meets it.
pub(crate) fn violations(validator: &Validator, schema: &Map<String, Value>, value: &Value) -> Vec<Issue> {
    let root = Value::Object(schema.clone());
    let mut issues = Vec::new();
    for error in validator.iter_errors(value) {
        describe(&error, &root, &mut issues);
        if issues.len() >= MOST {
            issues.truncate(MOST);
            break;
        }
    }
    issues
}

fn describe(error: &ValidationError<'_>, root: &Value, issues: &mut Vec<Issue>) {
    let pointer = &shown_pointer(error.instance_path().as_str());
    let schema = parent_schema(root, error.schema_path().as_str());
    let rule = error.kind().keyword().to_owned();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            // Finding what was meant costs; no more are looked at than are told.
            let left = MOST.saturating_sub(issues.len());
            issues.extend(unexpected.iter().take(left).map(|key| unknown_key(pointer, key, schema)));
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let kind = schema.and_then(|schema| schema.get("properties")?.get(name)).map(expected).unwrap_or_default();
            let kind = if kind.is_empty() { kind } else { format!(": {kind}") };
            issues.push(Issue::new(join(pointer, name), rule, format!("is required{kind}")));
        }
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            union_violations(error, context, schema, root, issues);
        }
        _ => issues.push(Issue::new(pointer, rule, sentence(error, schema))),
    }
}

/// The violations of the branch that was meant, or what would mean a branch at all.
fn union_violations(
    error: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
    schema: Option<&Value>,
    root: &Value,
    issues: &mut Vec<Issue>,
) {
    let pointer = &shown_pointer(error.instance_path().as_str());
    let keyword = error.kind().keyword();
    let branches = schema.and_then(|schema| schema.get(keyword)?.as_array()).map(Vec::as_slice).unwrap_or_default();
    let nullable = branches.iter().any(|branch| branch.get("type").is_some_and(|kind| kind == "null"));
    let meant = if nullable {
        branches.first().and_then(Value::as_object)
    } else {
        union::branch_meant(branches, error.instance())
    };
    let at = meant.and_then(|meant| branches.iter().position(|branch| branch.as_object() == Some(meant)));
    if let Some(errors) = at.and_then(|at| context.get(at)).filter(|errors| !errors.is_empty()) {
        for error in errors {
            describe(error, root, issues);
        }
        return;
    }
    let issue = match (union::tag_words(branches), error.instance().as_ref()) {
        (Some((tag, words)), Value::Object(members)) if members.contains_key(tag) => {
            Issue::new(join(pointer, tag), "enum", format!("must be one of {words}"))
        }
        (Some((tag, words)), Value::Object(_)) => {
            Issue::new(join(pointer, tag), "required", format!("is required: one of {words}"))
        }
        (_, other) => {
            let expected = union::expectation(branches);
            Issue::new(pointer, keyword.to_owned(), format!("must be {expected}, got {}", type_name(other)))
        }
    };
    issues.push(issue);
}

/// A pointer in which no key is longer than can be shown: keys of a map are the caller's own, and may be secrets or huge.
fn shown_pointer(pointer: &str) -> String {
    pointer.split('/').map(json::shown).collect::<Vec<_>>().join("/")
}

fn unknown_key(pointer: &str, key: &str, schema: Option<&Value>) -> Issue {
    let known: Vec<&str> = schema
        .and_then(|schema| schema.get("properties")?.as_object())
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    let meant =
        nearest(key, known.iter().copied()).map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
    let known = match known.as_slice() {
        [] => "this takes no keys".to_owned(),
        known => format!("known keys: {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    // A key is named, not echoed at any length.
    let key = json::shown(key);
    Issue::new(join(pointer, key), "additionalProperties", format!("unknown key `{key}`{meant}; {known}"))
}

/// One sentence part that says what would be right.
fn sentence(error: &ValidationError<'_>, schema: Option<&Value>) -> String {
    let found = type_name(error.instance());
    match error.kind() {
        Kind::Type { kind } => match (types(kind).as_str(), error.instance().as_ref()) {
            (kind, Value::String(text)) if looks_like(text, kind) => {
                let bare = strip_article(kind);
                format!("must be {kind}, got a string that holds one; send the JSON {bare} itself, without quotes")
            }
            (kind, _) => format!("must be {kind}, got {found}"),
        },
        Kind::Enum { options } => {
            let words: Vec<String> = options.as_array().into_iter().flatten().map(Value::to_string).collect();
            let meant = error
                .instance()
                .as_str()
                .and_then(|word| nearest(word, options.as_array()?.iter().filter_map(Value::as_str)));
            let meant = meant.map(|word| format!(" (did you mean \"{word}\"?)")).unwrap_or_default();
            format!("must be one of {}{meant}", words.join(", "))
        }
        Kind::Constant { expected_value } => format!("must be {expected_value}"),
        Kind::MinLength { limit } => format!("must have at least {}", count(*limit, "character")),
        Kind::MaxLength { limit } => format!("must have at most {}", count(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", count(*limit, "item")),
        Kind::MaxItems { limit } => format!("must have at most {}", count(*limit, "item")),
        Kind::MinProperties { limit } => format!("must have at least {}", count(*limit, "key")),
        Kind::MaxProperties { limit } => format!("must have at most {}", count(*limit, "key")),
        Kind::AdditionalItems { limit } => format!("must have at most {}", count(*limit as u64, "item")),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be above {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be below {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::Pattern { pattern } => format!("must match the pattern {pattern}"),
        Kind::Format { format } => format!("must be a valid {format}"),
        Kind::UniqueItems => "must not list an item twice".to_owned(),
        _ => {
            schema.map(expected).filter(|text| !text.is_empty()).unwrap_or_else(|| "does not fit the schema".to_owned())
        }
    }
}

/// What a schema asks for, in a few words.
fn expected(schema: &Value) -> String {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return format!("one of {}", words.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        return union::expectation(branches);
    }
    schema.get("type").and_then(Value::as_str).map(with_article).unwrap_or_default()
}

/// Whether text is the JSON of what should have been sent as such: models often quote numbers and arrays.
fn looks_like(text: &str, kind: &str) -> bool {
    let first = text.trim_start().bytes().next();
    match kind {
        "an array" => first == Some(b'['),
        "an object" => first == Some(b'{'),
        "an integer" | "a number" => text.len() < 40 && text.trim().parse::<f64>().is_ok(),
        "a boolean" => matches!(text.trim(), "true" | "false"),
        _ => false,
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(&kind.to_string()),
        TypeKind::Multiple(kinds) => {
            kinds.iter().map(|kind| with_article(&kind.to_string())).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    if kind == "null" { kind.to_owned() } else { format!("{article} {kind}") }
}

fn strip_article(kind: &str) -> &str {
    kind.trim_start_matches("an ").trim_start_matches("a ")
}

fn count(limit: u64, noun: &str) -> String {
    if limit == 1 { format!("{limit} {noun}") } else { format!("{limit} {noun}s") }
}

/// The schema that holds the violated keyword.
fn parent_schema<'root>(root: &'root Value, schema_path: &str) -> Option<&'root Value> {
    let (parent, _) = schema_path.rsplit_once('/')?;
    root.pointer(parent)
}
