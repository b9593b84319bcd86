//! `loopover contract lint`: every fault of a list is a finding, and none hides another.

use contract_tests::fake_server::{FakeServer, reply, write_json};
use serde_json::{Value, json};

use super::contract_diff::Lists;

fn tool(name: &str, input: &Value) -> Value {
    json!({ "name": name, "description": "Do it.", "inputSchema": input })
}

fn empty() -> Value {
    json!({ "type": "object", "additionalProperties": false })
}

/// What lint says about `list`, by pointer and rule; with what code it ends.
#[track_caller]
fn found(lists: &Lists, list: &str, code: i32) -> Vec<(String, String)> {
    let (text, told) = lists.check(&["lint", list, "--format", "json"], code);
    assert_eq!(told, "");
    let document: Value = serde_json::from_str(&text).unwrap();
    let findings = document["findings"].as_array().unwrap();
    for finding in findings {
        for member in ["message", "fix"] {
            assert!(finding[member].as_str().is_some_and(|text| !text.is_empty()), "{finding}");
        }
    }
    let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
    findings.iter().map(|finding| (text(finding, "pointer"), text(finding, "rule"))).collect()
}

#[track_caller]
fn holds(found: &[(String, String)], expected: &[(&str, &str)]) {
    for (pointer, rule) in expected {
        assert!(found.contains(&((*pointer).to_owned(), (*rule).to_owned())), "no {rule} at {pointer} in {found:#?}");
    }
}

#[test]
fn this_program_has_no_error() {
    let (text, _) = Lists::new().check(&["lint"], 0);
    assert!(!text.lines().any(|line| line.starts_with("error") || line.starts_with("warning")), "{text}");
}

#[test]
fn what_is_no_tool_is_a_finding_beside_the_others() {
    let lists = Lists::new();
    lists.write(
        "odd.json",
        &json!({ "tools": [
            tool("twice", &empty()),
            tool("yes", &json!(true)),
            { "name": "no", "description": "Do it.", "inputSchema": empty(), "outputSchema": true },
            tool("number", &json!(3)),
            { "name": "null", "description": "Do it.", "inputSchema": empty(), "outputSchema": null },
            tool("twice", &empty()),
            7,
            { "description": "Nobody can call it.", "inputSchema": empty() },
            tool("a.b", &empty()),
        ] }),
    );
    let found = found(&lists, "odd.json", 1);
    let expected = [
        ("/tools/1/inputSchema", "boolean_schema"),
        ("/tools/2/outputSchema", "boolean_schema"),
        ("/tools/3/inputSchema", "invalid"),
        ("/tools/4/outputSchema", "invalid"),
        ("/tools/5/name", "duplicate_name"),
        ("/tools/6", "invalid"),
        ("/tools/7", "invalid"),
        ("/tools/8/name", "tool_name"),
    ];
    holds(&found, &expected);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    let (_, told) = lists.check(&["diff", "odd.json", "odd.json"], 2);
    assert!(told.contains("tools[1] (`yes`) has an `inputSchema` that is a boolean"), "{told}");
}

#[test]
fn what_is_invalid_says_what_would_be_right_and_hides_nothing() {
    let lists = Lists::new();
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "type": "strng", "description": "It is wrong." },
            "b": { "$ref": "https://a.example/schema.json", "description": "It is elsewhere." },
            "c": { "type": ["string", "null"], "description": "It is late." }
        },
        "additionalProperties": false
    });
    let mut both = tool("both", &schema);
    both["outputSchema"] = schema;
    lists.write("invalid.json", &json!([both]));
    let at = |side: &str, rest: &str| format!("/0/{side}/properties/{rest}");
    let found = found(&lists, "invalid.json", 1);
    for side in ["inputSchema", "outputSchema"] {
        holds(
            &found,
            &[
                (&at(side, "a/type"), "invalid"),
                (&at(side, "b/$ref"), "external_reference"),
                (&at(side, "c/type"), "type_list"),
            ],
        );
    }
    let (text, _) = lists.check(&["lint", "invalid.json"], 1);
    let told = "error: `type` is \"strng\", and JSON Schema has one of array, boolean, integer, null, number, object, string, or a \
                list of them there [invalid]\n  fix: write `\"type\":\"string\"`\n  at: both `input.a` \
                (/0/inputSchema/properties/a/type)\n  at: both `output.a` (/0/outputSchema/properties/a/type)\n";
    assert!(text.contains(told), "{text}");
    assert!(!text.contains("is not valid") && !text.contains("nresolv"), "a validator's words: {text}");
}

#[test]
fn every_rule_is_told_with_its_fix_and_decides_the_exit_code() {
    let lists = Lists::new();
    lists.write(
        "bad.json",
        &json!([{
            "name": "a.b",
            "inputSchema": { "anyOf": [{ "type": "object" }], "properties": { "x-y": { "type": ["string", "null"] }, "any": true } }
        }]),
    );
    let mut rules: Vec<String> = found(&lists, "bad.json", 1).into_iter().map(|(_, rule)| rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let expected = [
        "boolean_schema",
        "description",
        "input_root",
        "open_object",
        "property_description",
        "property_name",
        "strict_optional",
        "tool_name",
        "type_list",
    ];
    assert_eq!(rules, expected);
    let (text, _) = lists.check(&["lint", "old.json", "--prefix", &"p".repeat(60)], 1);
    assert!(text.contains("[tool_name_length]") && text.contains("fix: shorten"), "{text}");
    let (text, _) = lists.check(&["lint", "old.json", "--prefix", "m.p"], 1);
    assert!(text.starts_with("error: the prefix `m.p` ") && text.contains("[tool_name]"), "{text}");
    lists.check(&["lint", "old.json", "--prefix", "mcp__server-1__"], 0);
    // Notes alone fail nothing, unless somebody is strict.
    lists.check(&["lint", "old.json"], 0);
    lists.check(&["lint", "old.json", "--strict"], 1);
}

#[test]
fn limits_of_strict_forms_are_notes() {
    let lists = Lists::new();
    let words: Vec<String> = (0..251).map(|word| format!("{word:0>60}")).collect();
    let properties: serde_json::Map<String, Value> = (0..25)
        .map(|place| (format!("p{place}"), json!({ "type": "string", "description": "It may be left out." })))
        .chain([
            ("long".to_owned(), json!({ "type": "string", "description": "One of many.", "enum": words })),
            (
                "map".to_owned(),
                json!({ "type": "object", "description": "By name.", "additionalProperties": { "type": "string" } }),
            ),
            ("closed".to_owned(), json!({ "type": "object", "description": "None.", "unevaluatedProperties": false })),
        ])
        .collect();
    let schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    lists.write("strict.json", &json!([tool("strict", &schema)]));
    let found = found(&lists, "strict.json", 0);
    holds(
        &found,
        &[
            ("/0/inputSchema", "strict_budget"),
            ("/0/inputSchema", "strict_optional"),
            ("/0/inputSchema/properties/long/enum", "strict_size"),
            ("/0/inputSchema/properties/map", "map"),
            ("/0/inputSchema/properties/closed", "keyword"),
        ],
    );
}

#[test]
fn a_live_server_s_faults_are_findings_too() {
    let lists = Lists::new();
    let server = FakeServer::of_tools(|request, stream| {
        let is_first = request.body["params"]["cursor"].is_null();
        let listed = if is_first { tool("odd", &json!(true)) } else { tool("a.b", &empty()) };
        let mut page = json!({ "tools": [listed], "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
        if is_first {
            page["nextCursor"] = json!("2");
        }
        write_json(stream, &reply(request, &page));
    });
    let found = found(&lists, &server.url(), 1);
    holds(&found, &[("/tools/0/inputSchema", "boolean_schema"), ("/tools/1/name", "tool_name")]);
    let (_, told) = lists.check(&["diff", &server.url(), "old.json"], 2);
    assert!(told.contains("tools[0] (`odd`) has an `inputSchema` that is a boolean"), "{told}");
}
