//! A fault is told where it is, in plain words, and hides nothing else; the limits themselves are held in `limits`.

mod forms;
mod limits;

use serde_json::{Map, Value, json};

use super::*;

fn members(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("{value} is no object") };
    members
}

/// A tool that breaks no limit, with `change` on it.
fn tool(change: Value) -> Value {
    let mut tool = json!({
        "name": "search",
        "description": "Search.",
        "inputSchema": { "type": "object", "additionalProperties": false }
    });
    for (name, value) in members(change) {
        tool[name] = value;
    }
    tool
}

/// A tool with an input of these properties, all required and described.
fn input(properties: Value) -> Value {
    let mut properties = members(properties);
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        property.entry("description").or_insert_with(|| "It says so.".into());
    }
    let required: Vec<&String> = properties.keys().collect();
    tool(json!({ "inputSchema": {
        "type": "object", "properties": properties, "required": required, "additionalProperties": false
    } }))
}

fn a_text() -> Value {
    json!({ "type": "string" })
}

fn found(list: Value) -> Vec<Finding> {
    findings(&if list.is_array() { list } else { json!([list]) }, &Surface::default()).unwrap()
}

#[test]
fn a_client_s_prefix_counts() {
    let list = json!([tool(json!({}))]);
    let of = |prefix: &str| findings(&list, &Surface { prefix: prefix.to_owned() }).unwrap();
    assert_eq!(of(&"p".repeat(58)), []);
    assert_eq!(of(&"p".repeat(59))[0].rule, Rule::ToolNameLength);
}

#[test]
fn a_list_that_keeps_every_limit_has_no_finding() {
    assert_eq!(found(input(json!({ "query": a_text(), "exact": { "type": "boolean" } }))), []);
}

/// A document in which one thing is wrong, with the pointer, the rule and the words that tell it.
#[track_caller]
fn check(document: &Value, pointer: &str, rule: Rule, words: &str) {
    let findings = findings(document, &Surface::default()).unwrap();
    let is_told =
        |finding: &&Finding| finding.pointer == pointer && finding.rule == rule && finding.message.contains(words);
    let told = findings.iter().find(is_told).unwrap_or_else(|| panic!("nothing says so: {findings:#?}"));
    assert!(!told.fix.is_empty());
    if let Some(place) = pointer.strip_prefix("/tools/0/").filter(|_| rule == Rule::Invalid) {
        let tool = &document["tools"][0];
        assert!(tool.pointer(&format!("/{place}")).is_some(), "the pointer names nothing in {tool}");
    }
}

#[test]
fn what_is_no_tool_is_told_and_the_others_are_looked_at() {
    let schemas = [json!(true), json!(false), json!("x"), json!(3), json!([]), Value::Null];
    for schema in &schemas {
        for side in ["inputSchema", "outputSchema"] {
            let rule = if schema.is_boolean() { Rule::BooleanSchema } else { Rule::Invalid };
            let document = json!({ "tools": [tool(json!({ side: schema })), tool(json!({ "name": "a.b" }))] });
            check(&document, &format!("/tools/0/{side}"), rule, "MCP has an object there");
            check(&document, "/tools/1/name", Rule::ToolName, "");
        }
    }
    for (wrong, pointer) in [
        (json!(7), "/tools/0"),
        (json!({}), "/tools/0"),
        (tool(json!({ "name": 7 })), "/tools/0/name"),
        (tool(json!({ "description": 7 })), "/tools/0/description"),
        (tool(json!({ "annotations": [] })), "/tools/0/annotations"),
        (tool(json!({ "annotations": { "readOnlyHint": "yes" } })), "/tools/0/annotations/readOnlyHint"),
        (tool(json!({ "_meta": 1 })), "/tools/0/_meta"),
    ] {
        let document = json!({ "tools": [wrong, tool(json!({ "name": "a.b" }))] });
        check(&document, pointer, Rule::Invalid, "");
        check(&document, "/tools/1/name", Rule::ToolName, "");
    }
    let twice = json!({ "result": { "tools": [tool(json!({})), tool(json!({})), tool(json!({}))] } });
    check(&twice, "/result/tools/1/name", Rule::DuplicateName, "/result/tools/0");
    check(&twice, "/result/tools/2/name", Rule::DuplicateName, "/result/tools/0");
}

#[test]
fn what_is_invalid_is_told_in_plain_words_and_hides_nothing() {
    let wrong = [
        ("type", json!("strng"), "/type", "one of array, boolean"),
        ("type", json!(["string", "string"]), "/type", "one of array, boolean"),
        ("minLength", json!(-1), "/minLength", "a whole number"),
        ("multipleOf", json!(0), "/multipleOf", "above 0"),
        ("pattern", json!("("), "/pattern", "a regular expression"),
        ("required", json!(true), "/required", "a list of texts"),
        ("enum", json!("a"), "/enum", "a list of one or more values"),
        ("enum", json!([]), "/enum", "an empty list, and JSON Schema has a list of one or more values"),
        ("items", json!([{ "type": "string" }]), "/items", "one schema"),
        ("properties", json!([]), "/properties", "an object of schemas"),
        ("properties", json!({ "b": 5 }), "/properties/b", "where a schema should"),
        ("anyOf", json!([]), "/anyOf", "one or more schemas"),
        ("anyOf", json!([7]), "/anyOf/0", "where a schema should"),
        ("dependentRequired", json!({ "a": "b" }), "/dependentRequired", "lists of texts"),
        ("patternProperties", json!({ "(": {} }), "/patternProperties/(", "no regular expression"),
        ("uniqueItems", json!("yes"), "/uniqueItems", "true or false"),
        ("maximum", json!("9"), "/maximum", "a number"),
        ("title", json!(7), "/title", "a text"),
        ("$ref", json!("#/$defs/Gone"), "/$ref", "nothing stands"),
        ("$ref", json!("#gone"), "/$ref", "nothing stands"),
        ("$id", json!("http://[bad"), "/$id", "a URI"),
    ];
    for (keyword, value, pointer, words) in wrong {
        for side in ["inputSchema", "outputSchema"] {
            let schema = json!({
                "type": "object",
                "properties": { "a/b": { keyword: value, "format": "foreign" }, "later": { "type": ["string", "null"] } },
                "additionalProperties": false
            });
            let document = json!({ "tools": [tool(json!({ side: schema, "title": 3 }))] });
            let property = format!("/tools/0/{side}/properties/a~1b");
            let rule = Rule::Invalid;
            check(&document, &format!("{property}{pointer}"), rule, words);
            check(&document, &format!("{property}/format"), Rule::Format, "foreign");
            check(&document, &format!("/tools/0/{side}/properties/later/type"), Rule::TypeList, "");
            check(&document, "/tools/0/title", Rule::Invalid, "a text");
        }
    }
}

#[test]
fn a_reference_is_told_by_where_it_leads() {
    let schema = |reference: &str| {
        json!({ "tools": [tool(json!({ "inputSchema": {
            "$id": "https://a.example/tool.json",
            "type": "object",
            "properties": { "a": { "$ref": reference, "description": "a" } },
            "$defs": { "a b": { "type": "string" }, "part": { "$id": "part.json", "$anchor": "here", "type": "string" },
                "tree": { "type": "object", "properties": { "next": { "$ref": "#/$defs/tree" } } } }
        } }))] })
    };
    let at = "/tools/0/inputSchema/properties/a/$ref";
    for inside in ["#/$defs/a%20b", "part.json", "part.json#here", "https://a.example/tool.json#/$defs/part"] {
        check(&schema(inside), at, Rule::Reference, "");
    }
    check(&schema("#/$defs/tree"), "/tools/0/inputSchema/$defs/tree/properties/next/$ref", Rule::Recursion, "");
    check(&schema("#"), at, Rule::Recursion, "");
    for outside in ["https://b.example/x.json", "other.json", "https://json-schema.org/draft/2020-12/schema"] {
        check(&schema(outside), at, Rule::ExternalReference, "MCP forbids");
    }
}
