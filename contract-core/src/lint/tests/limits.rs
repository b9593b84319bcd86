//! Every limit with a list that just breaks it and one that just keeps it.

use serde_json::{Map, Value, json};

use super::super::Rule;
use super::forms::FORMS;
use super::{a_text, found, input, members, tool};

fn root(change: Value) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    for (name, value) in members(change) {
        schema[name] = value;
    }
    tool(json!({ "inputSchema": schema }))
}

fn many(count: usize, property: &Value) -> Value {
    input((0..count).map(|index| (format!("p{index}"), property.clone())).collect::<Map<String, Value>>().into())
}

fn optional(count: usize) -> Value {
    let mut tool = many(count, &a_text());
    tool["inputSchema"].as_object_mut().unwrap().shift_remove("required");
    tool
}

fn tools(count: usize) -> Value {
    (0..count).map(|index| tool(json!({ "name": format!("t{index}") }))).collect()
}

fn words(count: usize, length: usize) -> Value {
    json!({ "type": "string", "enum": (0..count).map(|index| format!("{index:0>length$}")).collect::<Vec<_>>() })
}

fn nested(levels: usize) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    for _ in 0..levels {
        schema = json!({
            "type": "object", "properties": { "a": schema }, "required": ["a"], "additionalProperties": false
        });
    }
    tool(json!({ "inputSchema": schema }))
}

/// What is found by `rule` and says `words`.
pub(super) fn by(list: Value, rule: Rule, words: &str) -> usize {
    found(list).iter().filter(|finding| finding.rule == rule && finding.message.contains(words)).count()
}

/// A limit: who states it, the rule that holds it and words of its message, a list that just breaks it, one that just keeps it.
type Limit = (&'static str, Rule, &'static str, Value, Value);

fn limits_of_names_and_lists() -> Vec<Limit> {
    let name = |name: &str| tool(json!({ "name": name }));
    let described = |length: usize| tool(json!({ "description": "d".repeat(length) }));
    vec![
        ("Anthropic: no dots in a name", Rule::ToolName, "Anthropic", name("a.b"), name("a-b")),
        ("OpenAI: only A-Z a-z 0-9 _ - in a name", Rule::ToolName, "OpenAI", name("a/b"), name("aZ0_-")),
        ("Gemini: a letter or _ first", Rule::ToolName, "Gemini", name("0a"), name("_a")),
        ("MCP: a name of at least one character", Rule::ToolName, "", name(""), name("a")),
        (
            "OpenAI, tool references: 64 in a name",
            Rule::ToolNameLength,
            "65",
            name(&"n".repeat(65)),
            name(&"n".repeat(64)),
        ),
        (
            "MCP: names are unique",
            Rule::DuplicateName,
            "/0",
            json!([name("a"), name("a")]),
            json!([name("a"), name("A")]),
        ),
        ("OpenAI: 1,024 in a description", Rule::DescriptionLength, "1024", described(1_025), described(1_024)),
        ("Claude Code: cut at 2,048", Rule::DescriptionLength, "2,048", described(2_049), described(1_024)),
        ("OpenAI, VS Code, Copilot: 128 tools", Rule::ToolCount, "128", tools(129), tools(128)),
        ("older Cursor: 40 tools", Rule::ToolCountCursor, "40", tools(41), tools(40)),
        ("Anthropic: 20 strict tools", Rule::StrictBudget, "20", tools(21), tools(20)),
        ("Anthropic: 24 optional properties", Rule::StrictBudget, "optional", optional(25), optional(24)),
        (
            "Anthropic: 24 optional properties of all strict tools together",
            Rule::StrictBudget,
            "the tools together have 25 optional",
            json!([optional(12), optional(13)]),
            json!([optional(12), optional(12)]),
        ),
        (
            "Anthropic: 16 unions",
            Rule::StrictBudget,
            "unions",
            many(17, &json!({ "anyOf": [a_text(), { "type": "null" }] })),
            many(16, &json!({ "anyOf": [a_text(), { "type": "null" }] })),
        ),
        (
            "Anthropic: a list of types is a union",
            Rule::StrictBudget,
            "unions",
            many(17, &json!({ "type": ["string", "null"] })),
            many(16, &json!({ "type": ["string", "null"] })),
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table, one limit after the other")]
fn limits_of_roots_and_references() -> Vec<Limit> {
    let property = |name: &str| input(json!({ name: a_text() }));
    let defined = |schema: Value| {
        let mut tool = input(json!({ "a": { "$ref": "#/$defs/A" } }));
        tool["inputSchema"]["$defs"] = json!({ "A": schema });
        tool
    };
    let answer = |schema: Value| tool(json!({ "outputSchema": schema }));
    vec![
        ("MCP: there is an input", Rule::InputRoot, "no input", json!({ "name": "a" }), root(json!({}))),
        (
            "Anthropic, MCP: the root is an object",
            Rule::InputRoot,
            "type",
            root(json!({ "type": "array" })),
            root(json!({})),
        ),
        (
            "OpenAI strict: no union of types at the root",
            Rule::InputRoot,
            "type",
            root(json!({ "type": ["object"] })),
            root(json!({})),
        ),
        (
            "Anthropic: no union at the root",
            Rule::InputRoot,
            "oneOf",
            root(json!({ "oneOf": [{}] })),
            input(json!({ "a": { "oneOf": [a_text()] } })),
        ),
        (
            "OpenAI strict: the root is no anyOf",
            Rule::InputRoot,
            "anyOf",
            root(json!({ "anyOf": [{}] })),
            root(json!({})),
        ),
        ("Anthropic: no allOf at the root", Rule::InputRoot, "allOf", root(json!({ "allOf": [{}] })), root(json!({}))),
        (
            "MCP up to 2025-11-25: an output is an object",
            Rule::OutputRoot,
            "2025-11-25",
            answer(json!({ "type": "array" })),
            answer(json!({ "type": "object" })),
        ),
        (
            "Anthropic: 64 in a property's name",
            Rule::PropertyName,
            "Anthropic",
            property(&"p".repeat(65)),
            property(&"p".repeat(64)),
        ),
        (
            "Anthropic: [a-zA-Z0-9_.-] in a property's name",
            Rule::PropertyName,
            "Anthropic",
            property("a b"),
            property("a_b"),
        ),
        ("Gemini: [A-Za-z0-9_] in a parameter's name", Rule::PropertyName, "Gemini", property("a-b"), property("a_b")),
        (
            "Gemini: a letter or _ first in a parameter's name",
            Rule::PropertyName,
            "Gemini",
            property("0"),
            property("_0"),
        ),
        (
            "MCP: nothing is fetched",
            Rule::ExternalReference,
            "outside",
            input(json!({ "a": { "$ref": "https://a.example/s" } })),
            defined(a_text()),
        ),
        (
            "Anthropic: no recursion",
            Rule::Recursion,
            "itself",
            defined(json!({ "items": { "$ref": "#/$defs/A" } })),
            defined(a_text()),
        ),
        ("many clients: references", Rule::Reference, "references", defined(a_text()), input(json!({ "a": a_text() }))),
        (
            "OpenAI strict: nothing beside a reference",
            Rule::ReferenceSiblings,
            "minLength",
            {
                let mut tool = defined(a_text());
                tool["inputSchema"]["properties"]["a"]["minLength"] = json!(1);
                tool
            },
            defined(a_text()),
        ),
        (
            "MCP: 2020-12 unless it says so",
            Rule::Dialect,
            "2020-12",
            root(json!({ "$schema": "http://json-schema.org/draft-07/schema#" })),
            root(json!({})),
        ),
        ("MCP: nesting is bounded", Rule::SchemaDepth, "64", nested(65), nested(64)),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table, one limit after the other")]
fn limits_of_strict_forms() -> Vec<Limit> {
    let one = |schema: Value| input(json!({ "a": schema }));
    let object = |change: Value| {
        let mut schema = json!({ "type": "object", "properties": { "b": { "type": "string", "description": "b" } }, "required": ["b"], "additionalProperties": false });
        schema.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
        one(schema)
    };
    let keyword = |who: &'static str, words: &'static str, breaks: Value, keeps: Value| {
        (who, Rule::Keyword, words, one(breaks), one(keeps))
    };
    let mut limits = vec![
        (
            "Anthropic strict: one type",
            Rule::TypeList,
            "Anthropic",
            one(json!({ "type": ["string", "null"] })),
            one(a_text()),
        ),
        ("Gemini: one type", Rule::TypeList, "Gemini", one(json!({ "type": ["string"] })), one(a_text())),
        (
            "OpenAI strict: closed objects",
            Rule::OpenObject,
            "strict",
            object(json!({ "additionalProperties": true })),
            object(json!({})),
        ),
        (
            "OpenAI strict: closed objects, not by another keyword",
            Rule::OpenObject,
            "unevaluatedProperties",
            object(json!({ "additionalProperties": true, "unevaluatedProperties": false })),
            object(json!({})),
        ),
        (
            "MCP: an input without arguments is closed",
            Rule::OpenObject,
            "misspelt",
            tool(json!({ "inputSchema": { "type": "object" } })),
            root(json!({})),
        ),
        (
            "OpenAI strict: no map",
            Rule::Map,
            "OpenAI",
            object(json!({ "additionalProperties": a_text() })),
            object(json!({})),
        ),
        (
            "Gemini: no map",
            Rule::Map,
            "Gemini",
            one(json!({ "type": "object", "additionalProperties": a_text() })),
            object(json!({})),
        ),
        ("Anthropic strict: no map", Rule::Map, "Anthropic", one(json!({ "type": "object" })), object(json!({}))),
        (
            "OpenAI strict: all required",
            Rule::StrictOptional,
            "`b`",
            object(json!({ "required": [] })),
            object(json!({})),
        ),
        (
            "OpenAI strict: 5,000 properties",
            Rule::StrictSize,
            "5001 properties",
            many(5_001, &a_text()),
            many(5_000, &a_text()),
        ),
        ("OpenAI strict: 10 levels", Rule::StrictSize, "11 levels", nested(11), nested(10)),
        ("OpenAI strict: 1,000 words", Rule::StrictSize, "1001 words", one(words(1_001, 4)), one(words(1_000, 4))),
        (
            "OpenAI strict: 120,000 characters in enums",
            Rule::StrictSize,
            "120001 characters",
            one(words(200, 600)),
            one(words(100, 600)),
        ),
        (
            "OpenAI strict: 15,000 characters in a long enum",
            Rule::StrictSize,
            "15060 characters",
            one(words(251, 60)),
            one(words(250, 60)),
        ),
        (
            "OpenAI strict: a long enum of short words",
            Rule::StrictSize,
            "251 words",
            one(words(251, 60)),
            one(words(251, 59)),
        ),
        (
            "OpenAI strict: 120,000 characters in constants",
            Rule::StrictSize,
            "characters",
            one(json!({ "const": "c".repeat(120_000) })),
            one(json!({ "const": "c".repeat(119_000) })),
        ),
        (
            "OpenAI strict: 120,000 characters in names",
            Rule::StrictSize,
            "characters",
            input(json!({ "n".repeat(120_001): a_text() })),
            input(json!({ "n".repeat(120_000): a_text() })),
        ),
        (
            "every provider: standard formats",
            Rule::Format,
            "int32",
            one(json!({ "type": "integer", "format": "int32" })),
            one(json!({ "type": "integer" })),
        ),
        ("every provider: no boolean for a schema", Rule::BooleanSchema, "boolean", one(json!(true)), one(a_text())),
        ("every provider: a type", Rule::Untyped, "any JSON", one(json!({})), one(a_text())),
        (
            "Gemini: an enum has a type",
            Rule::Untyped,
            "Gemini",
            one(json!({ "enum": ["a"] })),
            one(json!({ "type": "string", "enum": ["a"] })),
        ),
        (
            "OpenAI: an array says of what",
            Rule::ArrayItems,
            "OpenAI",
            one(json!({ "type": "array", "prefixItems": [a_text()] })),
            one(json!({ "type": "array", "items": a_text() })),
        ),
        (
            "Gemini: what is required is declared",
            Rule::RequiredUndeclared,
            "`c`",
            object(json!({ "required": ["b", "c"] })),
            object(json!({})),
        ),
        (
            "every model: a description",
            Rule::PropertyDescription,
            "guess",
            one(json!({ "type": "string", "description": " " })),
            one(a_text()),
        ),
        (
            "every model: a description of the tool",
            Rule::Description,
            "nothing",
            tool(json!({ "description": " " })),
            tool(json!({})),
        ),
        (
            "JSON Schema: a schema is valid",
            Rule::Invalid,
            "minLength",
            one(json!({ "type": "string", "minLength": "1" })),
            one(json!({ "type": "string", "minLength": 1 })),
        ),
    ];
    let (gemini, openai, anthropic) = FORMS;
    let format = |format: &str| json!({ "type": "string", "format": format });
    limits.extend([
        keyword("Gemini: date-time alone", gemini, format("email"), format("date-time")),
        keyword("OpenAI strict: nine formats", openai, format("uri"), format("email")),
        keyword("Anthropic strict: ten formats", anthropic, format("uri-reference"), format("uri")),
        keyword("Anthropic strict: minItems 0 or 1", anthropic, json!({ "minItems": 2 }), json!({ "minItems": 1 })),
    ]);
    limits
}

#[test]
fn every_limit_is_held_where_it_is_and_not_before() {
    let all: Vec<Limit> =
        [limits_of_names_and_lists(), limits_of_roots_and_references(), limits_of_strict_forms()].concat();
    let mut wrong = Vec::new();
    for (limit, rule, words, breaks, keeps) in &all {
        if by(breaks.clone(), *rule, words) == 0 {
            wrong.push(format!(
                "{limit}: not told: {:?}",
                found(breaks.clone()).iter().map(|finding| (finding.rule, &finding.message)).collect::<Vec<_>>()
            ));
        }
        if by(keeps.clone(), *rule, words) > 0 {
            wrong.push(format!("{limit}: told of what keeps it"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let held: Vec<Rule> = all.iter().map(|(_, rule, ..)| *rule).collect();
    let loose: Vec<&Rule> = Rule::ALL.iter().filter(|rule| !held.contains(rule)).collect();
    assert!(loose.is_empty(), "no limit is behind {loose:?}");
}
