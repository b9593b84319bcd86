//! What each keyword of JSON Schema holds, and where schemas lie in it: one table for both.

use serde_json::{Map, Value};

use super::{Findings, Place, Rule};
use crate::evolution::{cut, kind};

/// The words for types.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// What a keyword holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Schema,
    Schemas,
    SchemasByName,
    Text,
    Address,
    Texts,
    TextsByName,
    Pattern,
    Number,
    NumberAboveZero,
    Count,
    Switch,
    Values,
    Words,
    Type,
}

/// Every keyword of 2020-12 whose value may be wrong, and those before it that are still written.
const KEYWORDS: [(&str, Holds); 56] = [
    ("properties", Holds::SchemasByName),
    ("patternProperties", Holds::SchemasByName),
    ("additionalProperties", Holds::Schema),
    ("unevaluatedProperties", Holds::Schema),
    ("propertyNames", Holds::Schema),
    ("dependentSchemas", Holds::SchemasByName),
    ("dependentRequired", Holds::TextsByName),
    ("required", Holds::Texts),
    ("items", Holds::Schema),
    ("prefixItems", Holds::Schemas),
    ("additionalItems", Holds::Schema),
    ("unevaluatedItems", Holds::Schema),
    ("contains", Holds::Schema),
    ("anyOf", Holds::Schemas),
    ("oneOf", Holds::Schemas),
    ("allOf", Holds::Schemas),
    ("not", Holds::Schema),
    ("if", Holds::Schema),
    ("then", Holds::Schema),
    ("else", Holds::Schema),
    ("contentSchema", Holds::Schema),
    ("$defs", Holds::SchemasByName),
    ("definitions", Holds::SchemasByName),
    ("type", Holds::Type),
    ("enum", Holds::Words),
    ("examples", Holds::Values),
    ("multipleOf", Holds::NumberAboveZero),
    ("minimum", Holds::Number),
    ("maximum", Holds::Number),
    ("exclusiveMinimum", Holds::Number),
    ("exclusiveMaximum", Holds::Number),
    ("minLength", Holds::Count),
    ("maxLength", Holds::Count),
    ("minItems", Holds::Count),
    ("maxItems", Holds::Count),
    ("minContains", Holds::Count),
    ("maxContains", Holds::Count),
    ("minProperties", Holds::Count),
    ("maxProperties", Holds::Count),
    ("uniqueItems", Holds::Switch),
    ("deprecated", Holds::Switch),
    ("readOnly", Holds::Switch),
    ("writeOnly", Holds::Switch),
    ("pattern", Holds::Pattern),
    ("format", Holds::Text),
    ("title", Holds::Text),
    ("description", Holds::Text),
    ("contentEncoding", Holds::Text),
    ("contentMediaType", Holds::Text),
    ("$comment", Holds::Text),
    ("$schema", Holds::Address),
    ("$id", Holds::Address),
    ("$ref", Holds::Address),
    ("$dynamicRef", Holds::Address),
    ("$anchor", Holds::Text),
    ("$dynamicAnchor", Holds::Text),
];

/// The keywords of `node` in which schemas lie.
pub(super) fn with_schemas(node: &Map<String, Value>) -> impl Iterator<Item = (&'static str, Holds, &Value)> {
    KEYWORDS
        .iter()
        .filter(|(_, holds)| matches!(holds, Holds::Schema | Holds::Schemas | Holds::SchemasByName))
        .filter_map(|(keyword, holds)| Some((*keyword, *holds, node.get(*keyword)?)))
}

/// Every keyword of `node` that holds what it may not.
pub(super) fn check(node: &Map<String, Value>, is_current: bool, place: &Place, findings: &mut Findings) {
    for (keyword, value) in node {
        let Some((_, holds)) = KEYWORDS.iter().find(|(known, _)| known == keyword) else { continue };
        // Drafts before 2020-12 had a flag and a list there.
        let was_right = match keyword.as_str() {
            "exclusiveMinimum" | "exclusiveMaximum" | "required" => value.is_boolean(),
            "items" => value.is_array(),
            _ => false,
        };
        if was_right && !is_current {
            continue;
        }
        let Some(expected) = holds.missed_by(value) else { continue };
        let shown = match value {
            Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
            Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
            plain => cut(&plain.to_string()),
        };
        let fix = match (keyword.as_str(), value) {
            ("items", Value::Array(_)) => {
                "write the list as `prefixItems`; `items` is one schema for all that follows".into()
            }
            ("required", Value::Bool(_)) => {
                "list the names that are required in the object's own `required`, beside `properties`".into()
            }
            ("type", Value::String(word)) => crate::nearest(word, TYPES).map_or_else(
                || "write one of these types, or leave `type` out".to_owned(),
                |nearest| format!("write `\"type\":\"{nearest}\"`"),
            ),
            _ => format!("write {expected}, or leave `{keyword}` out"),
        };
        let message = format!("`{keyword}` is {shown}, and JSON Schema has {expected} there");
        findings.add(Rule::Invalid, &place.member(keyword), message, fix);
    }
}

impl Holds {
    /// What should stand there, when `value` is something else.
    fn missed_by(self, value: &Value) -> Option<&'static str> {
        let texts = |value: &Value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
        let is_right = match self {
            // What lies in the places of several schemas is looked at one by one.
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::Schemas => value.as_array().is_some_and(|branches| !branches.is_empty()),
            Self::SchemasByName => value.is_object(),
            Self::Text => value.is_string(),
            Self::Address => value.as_str().is_some_and(is_address),
            Self::Texts => texts(value),
            Self::TextsByName => value.as_object().is_some_and(|members| members.values().all(texts)),
            Self::Pattern => value.as_str().is_some_and(is_pattern),
            Self::Number => value.is_number(),
            Self::NumberAboveZero => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Count => value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
            Self::Switch => value.is_boolean(),
            Self::Values => value.is_array(),
            // Before 2020-12 it had to be one or more, and no value fits an empty one in any draft.
            Self::Words => value.as_array().is_some_and(|words| !words.is_empty()),
            Self::Type => is_type(value),
        };
        (!is_right).then(|| self.expected())
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Schema => "one schema, an object or true or false",
            Self::Schemas => "a list of one or more schemas",
            Self::SchemasByName => "an object of schemas by name",
            Self::Text => "a text",
            Self::Address => "a URI, or what leads to one from the document's own",
            Self::Texts => "a list of texts",
            Self::TextsByName => "an object of lists of texts",
            Self::Pattern => "a regular expression",
            Self::Number => "a number",
            Self::NumberAboveZero => "a number above 0",
            Self::Count => "a whole number from 0",
            Self::Switch => "true or false",
            Self::Values => "a list of values",
            Self::Words => "a list of one or more values",
            Self::Type => "one of array, boolean, integer, null, number, object, string, or a list of them",
        }
    }
}

fn is_type(value: &Value) -> bool {
    let is_word = |value: &Value| value.as_str().is_some_and(|word| TYPES.contains(&word));
    match value {
        Value::Array(words) => {
            let is_repeated = |(index, word): (usize, &Value)| words[..index].contains(word);
            !words.is_empty() && words.iter().all(is_word) && !words.iter().enumerate().any(is_repeated)
        }
        word => is_word(word),
    }
}

/// Whether a validator takes `pattern`: the syntax is that of ECMA-262.
pub(super) fn is_pattern(pattern: &str) -> bool {
    jsonschema::options().offline().build(&serde_json::json!({ "pattern": pattern })).is_ok()
}

fn is_address(text: &str) -> bool {
    let format = serde_json::json!({ "format": "uri-reference" });
    let judge = jsonschema::draft202012::options().should_validate_formats(true).build(&format);
    judge.is_ok_and(|judge| judge.is_valid(&text.into()))
}
