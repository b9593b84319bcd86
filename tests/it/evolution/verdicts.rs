//! Verdicts about single changes, each as a reader of a report sees it.

use contract_core::evolution::{AnyMetadata, Direction, ToolList, Verdict, compare, compare_schemas};
use contract_core::serde_json::{Value, json};
use expect_test::{Expect, expect};

#[track_caller]
pub(super) fn check(direction: Direction, old: &Value, new: &Value, expected: &Expect) {
    let lines: Vec<String> = compare_schemas(direction, old, new)
        .iter()
        .map(|change| {
            let witness = change.witness.as_ref().map(|witness| format!(" [{witness}]")).unwrap_or_default();
            let keywords = if change.keywords.is_empty() { String::new() } else { format!(" {:?}", change.keywords) };
            format!("{} {} `{}` {}{witness}{keywords}\n", change.verdict, change.rule, change.place, change.message)
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn a_schema_that_contains_itself_is_proved_and_refuted() {
    let tree = |name: &str, value: Value| {
        let reference = format!("#/$defs/{name}");
        json!({
            "$ref": reference,
            "$defs": { name: {
                "type": "object",
                "properties": { "value": value, "next": { "$ref": reference } },
                "required": ["value"]
            } }
        })
    };
    let (narrow, wide) = (tree("Node", json!({ "type": "integer" })), tree("Tree", json!({ "type": "number" })));
    check(
        Direction::Input,
        &narrow,
        &wide,
        &expect![[r#"
        compatible type `value` type was "integer" and is "number"
    "#]],
    );
    check(
        Direction::Input,
        &wide,
        &narrow,
        &expect![[r#"
        breaking type `value` type was "number" and is "integer" [{"value":0.5}]
    "#]],
    );
}

#[test]
fn an_older_draft_is_read_as_what_it_means() {
    let old = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": { "pair": { "type": "array", "items": [{ "type": "string" }, { "type": "integer" }], "additionalItems": false } },
        "definitions": {}
    });
    let new = json!({
        "type": "object",
        "properties": { "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false } }
    });
    check(Direction::Input, &old, &new, &expect![""]);
    let narrower = json!({
        "type": "object",
        "properties": { "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "null" }], "items": false } }
    });
    check(
        Direction::Input,
        &old,
        &narrower,
        &expect![[r#"
        breaking type `pair[1]` type was "integer" and is "null" [{"pair":["",0]}]
    "#]],
    );
}

#[test]
fn what_a_validator_gives_up_on_is_neither_taken_nor_refused() {
    let long = "a".repeat(60);
    let object = |schema: Value| json!({ "type": "object", "properties": { "a": schema }, "required": ["a"] });
    // Every text of the letter alone holds it, and of a long one a validator does not find that out.
    let given_up = json!({ "pattern": "^(?!(?:(?=a)(?:a|aa))+b$)a+$" });
    let word = object(json!({ "const": long }));
    for hidden in [
        given_up.clone(),
        json!({ "anyOf": [given_up, { "type": "integer" }] }),
        json!({ "not": { "not": given_up } }),
        json!({ "enum": [long, "b"], "allOf": [given_up] }),
    ] {
        let changes = compare_schemas(Direction::Input, &word, &object(hidden.clone()));
        assert!(changes.iter().all(|change| change.verdict != Verdict::Breaking), "{hidden}: {changes:?}");
    }
    // And none that the negation of it takes.
    for hidden in [json!({ "not": given_up }), json!({ "enum": [long, "b"], "not": given_up })] {
        let changes = compare_schemas(Direction::Input, &word, &object(hidden.clone()));
        assert!(changes.iter().any(|change| change.verdict == Verdict::Undecided), "{hidden}: {changes:?}");
    }
    let named =
        json!({ "type": "object", "patternProperties": { "^(?!(?:(?=a)(?:a|aa))+b$)a+$": { "type": "null" } } });
    let listed = json!({ "enum": [{ long: 1 }] });
    let changes = compare_schemas(Direction::Output, &named, &listed);
    assert!(changes.iter().any(|change| change.verdict == Verdict::Undecided), "{changes:?}");
    assert!(changes.iter().all(|change| change.witness.is_none()), "{changes:?}");
}

#[test]
fn patterns_and_formats_are_decided_by_strings() {
    let object = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
    let pattern = |pattern: &str| object(json!({ "type": "string", "pattern": pattern }));
    check(
        Direction::Input,
        &pattern("^[a-z]{2}$"),
        &pattern("^[a-z0-9]+$"),
        &expect![[r#"
        compatible pattern `a` pattern was "^[a-z]{2}$" and is "^[a-z0-9]+$"
    "#]],
    );
    check(
        Direction::Input,
        &pattern("^[a-z0-9]+$"),
        &pattern("^[a-z]+$"),
        &expect![[r#"
        breaking pattern `a` pattern was "^[a-z0-9]+$" and is "^[a-z]+$" [{"a":"0"}]
    "#]],
    );
    let (plain, dated) = (object(json!({ "type": "string" })), object(json!({ "type": "string", "format": "date" })));
    check(
        Direction::Input,
        &plain,
        &dated,
        &expect![[r#"
        breaking format `a` format "date" is new [{"a":""}]
    "#]],
    );
    check(
        Direction::Output,
        &plain,
        &dated,
        &expect![[r#"
        compatible format `a` format "date" is new
    "#]],
    );
}

#[test]
fn words_and_defaults_are_told_apart_from_what_decides() {
    let object = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
    let old = object(json!({ "type": "integer", "default": 1, "description": "one", "format": "int32" }));
    let new = object(json!({ "type": "integer", "default": 2, "description": "two", "format": "int64" }));
    check(
        Direction::Input,
        &old,
        &new,
        &expect![[r"
        dangerous default `a` the default was 1 and is 2
        compatible words `a` description, format reads differently
    "]],
    );
}

#[test]
fn an_enum_beside_a_constant_counts_and_a_gone_default_or_header_is_relied_on() {
    let object = |schema: Value| json!({ "type": "object", "properties": { "a": schema }, "required": ["a"] });
    check(
        Direction::Input,
        &object(json!({ "const": "a" })),
        &object(json!({ "const": "a", "enum": ["b"] })),
        &expect![[r#"
            breaking enum `a` "a" is no longer allowed [{"a":"a"}]
        "#]],
    );
    let old = object(json!({ "type": "string", "default": "x", "x-mcp-header": "Region", "x-note": 1 }));
    check(
        Direction::Input,
        &old,
        &object(json!({ "type": "string" })),
        &expect![[r#"
        dangerous default `a` the default "x" is gone
        dangerous keyword `a` the header that repeats it "Region" is gone
        compatible words `a` x-note reads differently
    "#]],
    );
    check(
        Direction::Input,
        &object(json!({ "type": "string" })),
        &old,
        &expect![[r#"
        compatible default `a` the default "x" is new
        dangerous keyword `a` the header that repeats it "Region" is new
        compatible words `a` x-note reads differently
    "#]],
    );
}

#[test]
fn a_tool_is_followed_by_its_name_and_its_words_by_what_they_mean() {
    let list = |tools: Value| ToolList::read(&tools).unwrap();
    let input = json!({ "type": "object" });
    let old = list(json!([
        { "name": "stays", "description": "one", "inputSchema": input, "annotations": { "readOnlyHint": true } },
        { "name": "renamed", "description": "same", "inputSchema": input },
        { "name": "goes", "inputSchema": input, "outputSchema": { "type": "object" } },
        { "name": "silent", "inputSchema": input, "outputSchema": { "type": "object", "required": ["a"] } }
    ]));
    let new = list(json!([
        { "name": "stays", "description": "two", "inputSchema": input, "annotations": { "openWorldHint": true }, "_meta": { "x": 1 } },
        { "name": "other", "description": "same", "inputSchema": input },
        { "name": "silent", "inputSchema": input }
    ]));
    let lines: Vec<String> = compare(&old, &new, &AnyMetadata)
        .changes
        .iter()
        .map(|change| {
            let witness = change.witness.as_ref().map(|witness| format!(" [{witness}]")).unwrap_or_default();
            format!("{} {} {}: {}{witness}\n", change.tool, change.verdict, change.rule, change.message)
        })
        .collect();
    expect![[r#"
        stays compatible words: description was "one" and is "two"
        stays dangerous hint: readOnlyHint true is gone
        stays compatible hint: openWorldHint true is new
        stays dangerous metadata: `_meta.x` 1 is new
        renamed breaking tool_renamed: it is called `other` now
        goes breaking tool_removed: the tool is gone
        silent breaking output_schema_removed: the tool no longer says what it answers [0]
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn a_reference_is_followed_however_it_is_spelled() {
    let object = |reference: &str, kind: &str| {
        json!({
            "$id": "https://a.example/tool.json",
            "type": "object",
            "properties": { "a": { "$ref": reference } },
            "$defs": {
                "a b": { "type": kind }, "a/b": { "type": kind }, "m~n": { "type": kind }, "\u{e9}": { "type": kind },
                "part": { "$id": "part.json", "$anchor": "here", "type": kind }
            }
        })
    };
    for reference in [
        "#/$defs/a%20b",
        "#/$defs/a~1b",
        "#/$defs/m~0n",
        "#/$defs/%C3%A9",
        "part.json",
        "part.json#",
        "part.json#here",
        "https://a.example/part.json#here",
        "tool.json#/$defs/part",
    ] {
        let (narrow, wide) = (object(reference, "integer"), object(reference, "number"));
        let widened = compare_schemas(Direction::Input, &narrow, &wide);
        assert!(widened.iter().all(|change| change.verdict == Verdict::Compatible), "{reference}: {widened:?}");
        let narrowed = compare_schemas(Direction::Input, &wide, &narrow);
        let witnesses: Vec<_> = narrowed.iter().filter_map(|change| change.witness.clone()).collect();
        assert_eq!(witnesses, [json!({ "a": 0.5 })], "{reference}: {narrowed:?}");
    }
}

#[test]
fn dependencies_count_in_the_drafts_that_have_them() {
    let object = |draft: &str, asked: Value| {
        json!({
            "$schema": draft, "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
            "additionalProperties": false, "dependencies": asked
        })
    };
    let check = |draft: &str, expected: &Expect| {
        check(Direction::Input, &object(draft, json!({})), &object(draft, json!({ "a": ["b"] })), expected);
    };
    check(
        "http://json-schema.org/draft-07/schema#",
        &expect![[r#"
        breaking keyword `` `dependentRequired` is new [{"a":0}]
    "#]],
    );
    check(
        "https://json-schema.org/draft/2020-12/schema",
        &expect![[r"
        compatible words `` dependencies reads differently
    "]],
    );
    check(
        "https://json-schema.org/draft/2019-09/schema",
        &expect![[r"
        compatible words `` dependencies reads differently
    "]],
    );
}
