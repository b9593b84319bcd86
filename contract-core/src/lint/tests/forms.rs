//! Each provider's form against each keyword: which it is told to lack, and which it is not.

use serde_json::json;

use super::super::Rule;
use super::limits::by;
use super::{a_text, input};

/// The forms, by words of what is said about them.
pub(super) const FORMS: (&str, &str, &str) = ("Gemini", "OpenAI's strict", "Anthropic's strict");

#[test]
fn each_form_knows_its_keywords_and_no_other() {
    let (gemini, openai, anthropic) = FORMS;
    let unknown = [
        ("const", json!("a"), vec![gemini]),
        ("exclusiveMinimum", json!(1), vec![gemini, anthropic]),
        ("exclusiveMaximum", json!(1), vec![gemini, anthropic]),
        ("multipleOf", json!(1), vec![gemini, anthropic]),
        ("uniqueItems", json!(true), vec![gemini, openai, anthropic]),
        ("oneOf", json!([a_text()]), vec![gemini, openai]),
        ("allOf", json!([a_text()]), vec![gemini, openai]),
        ("not", a_text(), vec![gemini, openai, anthropic]),
        ("if", a_text(), vec![gemini, openai, anthropic]),
        ("then", a_text(), vec![gemini, openai, anthropic]),
        ("else", a_text(), vec![gemini, openai, anthropic]),
        ("dependentRequired", json!({ "a": ["b"] }), vec![gemini, openai, anthropic]),
        ("dependentSchemas", json!({ "a": {} }), vec![gemini, openai, anthropic]),
        ("prefixItems", json!([a_text()]), vec![gemini, openai, anthropic]),
        ("contains", a_text(), vec![gemini, openai, anthropic]),
        ("patternProperties", json!({ "a": a_text() }), vec![gemini, openai, anthropic]),
        ("propertyNames", a_text(), vec![gemini, openai, anthropic]),
        ("unevaluatedProperties", json!(false), vec![gemini, openai, anthropic]),
        ("unevaluatedItems", json!(false), vec![gemini, openai, anthropic]),
        ("minLength", json!(1), vec![openai, anthropic]),
        ("maxLength", json!(1), vec![openai, anthropic]),
        ("minProperties", json!(1), vec![openai, anthropic]),
        ("pattern", json!("a"), vec![anthropic]),
        ("minimum", json!(1), vec![anthropic]),
        ("maximum", json!(1), vec![anthropic]),
        ("minItems", json!(2), vec![anthropic]),
        ("maxItems", json!(1), vec![anthropic]),
        ("default", json!("a"), vec![openai]),
        ("enum", json!([[1]]), vec![gemini, anthropic]),
        ("enum", json!([1]), vec![gemini]),
        ("examples", json!(["a"]), vec![gemini]),
    ];
    for (word, value, refusing) in unknown {
        for who in [gemini, openai, anthropic] {
            let schema = input(json!({ "a": { "type": "string", word: value } }));
            let is_told = by(schema, Rule::Keyword, who) > 0;
            assert_eq!(is_told, refusing.contains(&who), "`{word}` at {who}");
        }
    }
}
