//! Lists that a stranger wrote to keep the program busy, compared and linted by the program: it ends, and says what it did not
//! find out.

use std::fs;
use std::process::Command;

use contract_core::evolution::{Direction, Verdict, compare_schemas};
use contract_core::serde_json::{self, Map, Value, json};

use crate::wire::BINARY;

/// So many definitions, each made of the last one; the first takes integers up to `most`.
fn chain(count: usize, most: u64, of: Shape) -> Value {
    let last = |place: usize| json!({ "$ref": format!("#/$defs/d{place}") });
    let mut defined = Map::from_iter([("d0".to_owned(), json!({ "type": "integer", "maximum": most }))]);
    defined.extend((1..=count).map(|place| (format!("d{place}"), of(last(place - 1)))));
    json!({ "type": "object", "properties": { "x": last(count) }, "additionalProperties": false, "$defs": defined })
}

/// A definition out of another.
type Shape = fn(Value) -> Value;

/// Ways in which a definition can use another twice.
const DOUBLINGS: [(&str, Shape); 12] = [
    ("allOf", |last| json!({ "allOf": [last, last] })),
    ("anyOf", |last| json!({ "anyOf": [last, { "allOf": [last, { "minimum": 1 }] }] })),
    ("oneOf", |last| json!({ "oneOf": [last, { "allOf": [last, { "minimum": 1 }] }] })),
    ("not", |last| json!({ "not": { "anyOf": [last, { "not": last }] } })),
    ("if", |last| json!({ "if": last, "then": last, "else": last })),
    ("beside", |last| json!({ "$ref": last["$ref"], "allOf": [last] })),
    ("dependentSchemas", |last| json!({ "dependentSchemas": { "a": last, "b": last } })),
    ("unevaluatedProperties", |last| json!({ "anyOf": [last], "unevaluatedProperties": false })),
    ("properties", |last| json!({ "type": "object", "properties": { "a": last, "b": last }, "required": ["a", "b"] })),
    ("members", |last| json!({ "allOf": [{ "properties": { "a": last } }, { "properties": { "a": last } }] })),
    ("named", |last| json!({ "type": "object", "properties": { "a": last }, "patternProperties": { "a": last } })),
    ("items", |last| json!({ "type": "array", "items": last, "contains": last, "minItems": 2 })),
];

/// Compares two lists of one tool through the program, and lints the first.
fn told(old: &Value, new: &Value) -> Vec<Value> {
    let directory = tempfile::tempdir().unwrap();
    let [old, new] = [("old.json", old), ("new.json", new)].map(|(name, schema)| {
        let path = directory.path().join(name);
        fs::write(&path, json!([{ "name": "only", "inputSchema": schema }]).to_string()).unwrap();
        path
    });
    let run = |arguments: &[&str], lists: &[&std::path::Path]| {
        let output = Command::new(BINARY).arg("contract").args(arguments).args(lists).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["lint"], &[&old]);
    let report: Value = serde_json::from_str(&run(&["diff", "--format", "json"], &[&old, &new])).unwrap();
    report["changes"].as_array().unwrap().clone()
}

#[test]
fn definitions_that_each_use_the_last_one_twice_are_undecided_and_not_awaited() {
    for (what, of) in DOUBLINGS {
        let changes = told(&chain(40, 9, of), &chain(40, 8, of));
        assert!(!changes.is_empty(), "{what}: nothing is said");
        for change in &changes {
            assert_eq!(change["verdict"], "undecided", "{what}: {change}");
            assert!(change["keywords"].as_array().unwrap().contains(&json!("budget")), "{what}: {change}");
        }
    }
}

#[test]
fn few_of_them_are_decided() {
    for (what, of) in DOUBLINGS {
        let verdicts = |direction| compare_schemas(direction, &chain(2, 9, of), &chain(2, 8, of));
        for direction in [Direction::Input, Direction::Output] {
            let changes = verdicts(direction);
            // Some of them take nothing, or the same, whatever the bound is; what widens behind `if` has no name.
            let says_the_same = matches!(what, "not" | "oneOf" | "dependentSchemas") || direction == Direction::Output;
            assert!(!changes.is_empty() || says_the_same, "{what}: nothing is said");
            let is_decided = changes.iter().all(|change| change.verdict != Verdict::Undecided);
            assert!(is_decided || what == "oneOf", "{what} {direction}: {changes:?}");
        }
    }
}

#[test]
fn what_has_no_end_or_no_measure_is_told_by_its_keyword() {
    let object = |schema: Value, defined: Value| json!({ "type": "object", "properties": { "x": schema }, "additionalProperties": false, "$defs": defined });
    let refer = || json!({ "$ref": "#/$defs/a" });
    let plain = |schema: Value| object(schema, json!({}));
    let turning = |most: u64| object(refer(), json!({ "a": { "allOf": [refer()], "maximum": most } }));
    let around = |most: u64| {
        object(refer(), json!({ "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a", "maxLength": most } }))
    };
    let text = |pattern: &str| plain(json!({ "type": "string", "pattern": pattern }));
    let list = |least: u64| plain(json!({ "type": "array", "minItems": least }));
    let numbers = |step: u64| plain(json!({ "type": "integer", "multipleOf": step }));
    let dynamic =
        |most: u64| object(json!({ "$dynamicRef": "#m" }), json!({ "a": { "$dynamicAnchor": "m", "maximum": most } }));
    let long = |most: u64| chain(1_000, most, |last| json!({ "properties": { "a": last } }));
    for (what, old, new, keyword) in [
        ("a cycle", turning(9), turning(8), "$ref"),
        ("a longer cycle", around(9), around(8), "$ref"),
        ("a long chain", long(9), long(8), "$ref"),
        ("a dynamic reference", dynamic(9), dynamic(8), "$dynamicRef"),
        ("a long repetition", text("(a{1000}){1000}"), text("(a{1000}){999}"), "pattern"),
        ("a pattern that goes back", text("^(?=(a+)+$)(a+)+b$"), text("^(?=(a+)+$)(a+)+c$"), "pattern"),
        ("a long array", list(100_000_000), list(100_000_001), "minItems"),
        ("large steps", numbers(2_305_843_009_213_693_951), numbers(2_305_843_009_213_693_967), "multipleOf"),
    ] {
        let changes = told(&old, &new);
        let is_told = changes.iter().any(|change| {
            change["verdict"] == "undecided" && change["keywords"].as_array().unwrap().contains(&json!(keyword))
        });
        assert!(is_told, "{what}: {changes:?}");
    }
}

#[test]
fn a_long_list_of_words_and_a_deep_schema_are_decided() {
    let words = |from: u64| {
        let words: Vec<u64> = (from..from + 100_000).collect();
        json!({ "type": "object", "properties": { "x": { "enum": words } }, "additionalProperties": false })
    };
    let deep = |most: u64| {
        let inner = json!({ "type": "integer", "maximum": most });
        (0..40).fold(inner, |inner, _| json!({ "type": "object", "properties": { "a": inner } }))
    };
    for (old, new) in [(words(0), words(7)), (deep(9), deep(8))] {
        let changes = told(&old, &new);
        assert!(changes.iter().any(|change| change["verdict"] == "breaking"), "{changes:?}");
    }
}

#[test]
fn a_count_may_be_as_large_as_any_number() {
    const KEYWORDS: [&str; 11] = [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
        "minimum",
        "maximum",
        "multipleOf",
    ];
    let object = |count: &Value| {
        let properties = KEYWORDS.map(|keyword| (keyword.to_owned(), json!({ keyword: count, "contains": {} })));
        json!({ "type": "object", "properties": Map::from_iter(properties) })
    };
    for most in [json!(u64::MAX), json!(u64::MAX - 1), json!(i64::MAX), json!(1e300)] {
        // That the program ends with a report is what is asked here.
        assert!(!told(&object(&most), &object(&json!(3))).is_empty());
        assert!(!told(&object(&json!(3)), &object(&most)).is_empty());
    }
}

#[test]
fn many_tools_share_what_they_may_cost() {
    let all = |most: u64| -> Value {
        let schema = chain(30, most, DOUBLINGS[8].1);
        (0..6).map(|place| json!({ "name": format!("t{place}"), "inputSchema": schema })).collect()
    };
    let read = |tools: Value| contract_core::evolution::ToolList::read(&tools).unwrap();
    let report =
        contract_core::evolution::compare(&read(all(9)), &read(all(8)), &contract_core::evolution::AnyMetadata);
    assert_eq!(report.count(Verdict::Undecided), 6);
    assert!(report.steps < 14_000_000, "{} steps", report.steps);
}

#[test]
fn a_thousand_required_properties_that_all_changed_are_each_decided() {
    let object = |most: u64| {
        let properties: Map<String, Value> = (0..1_000)
            .map(|place| (format!("a_property_{place}"), json!({ "type": "string", "maxLength": most })))
            .collect();
        let required: Vec<&String> = properties.keys().collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let changes = compare_schemas(Direction::Input, &object(9), &object(8));
    assert_eq!(changes.iter().filter(|change| change.verdict == Verdict::Breaking).count(), 1_000);
}
