//! The keywords that each provider's form knows; what it makes of the others.

use serde_json::{Map, Value};

use super::{Findings, Place, Rule};
use crate::evolution::cut;
use crate::projection::{anthropic, gemini, openai};
use crate::schema::STANDARD_FORMATS;

/// Keywords that decide what a value may be; the others only describe it.
const ASSERTING: [&str; 34] = [
    "const",
    "enum",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "patternProperties",
    "propertyNames",
    "properties",
    "items",
    "prefixItems",
    "additionalItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
];

/// Keywords with a limit of their own, for which a form need not be asked.
const LIMITED_ELSEWHERE: [&str; 8] =
    ["$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions", "type", "required", "additionalProperties"];

/// A form in which a provider is told an input.
struct Form {
    /// What becomes of a keyword that it does not know.
    consequence: &'static str,
    fix: &'static str,
    knows: fn(&str, &Value) -> bool,
}

const FORMS: [Form; 3] = [
    Form {
        consequence: "Gemini's `parameters` refuse the whole request for an unknown keyword",
        fix: "say it in the description for that provider, or send `parametersJsonSchema`",
        knows: |keyword, value| {
            // Names of its own that only a stranger's schema has.
            ["title", "nullable", "example", "propertyOrdering"].contains(&keyword) || gemini::is_known(keyword, value)
        },
    },
    Form {
        consequence: "OpenAI's strict form refuses it",
        fix: "say it in the description for that provider, or do without the strict form",
        knows: |keyword, value| !(asserts(keyword) || keyword == "default") || openai::is_strict(keyword, value),
    },
    Form {
        consequence: "Anthropic's strict form says it in the description alone, where nothing enforces it",
        fix: "check it on the server, which has to anyway",
        knows: |keyword, value| match keyword {
            // A union of the one kind is made one of the other.
            "allOf" | "oneOf" => true,
            "enum" => value.as_array().is_some_and(|words| words.iter().all(is_primitive)),
            "const" => is_primitive(value),
            _ => !asserts(keyword) || anthropic::is_strict(keyword, value),
        },
    },
];

fn is_primitive(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// Whether `keyword` decides what a value may be.
pub(super) fn asserts(keyword: &str) -> bool {
    ASSERTING.contains(&keyword) || ["if", "then", "else"].contains(&keyword)
}

/// What each form makes of one schema of an input.
pub(super) fn check(node: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    for form in &FORMS {
        let unknown: Vec<String> = node
            .iter()
            .filter(|(keyword, value)| {
                let is_foreign =
                    *keyword == "format" && value.as_str().is_none_or(|name| !STANDARD_FORMATS.contains(&name));
                !LIMITED_ELSEWHERE.contains(&keyword.as_str()) && !is_foreign && !(form.knows)(keyword.as_str(), value)
            })
            .map(|(keyword, value)| match value.as_str().filter(|_| keyword == "format") {
                Some(format) => format!("`format: {}`", cut(format)),
                None => format!("`{}`", cut(keyword)),
            })
            .collect();
        if !unknown.is_empty() {
            let message = format!("{}: {}", unknown.join(", "), form.consequence);
            findings.add(Rule::Keyword, place, message, form.fix);
        }
    }
}
