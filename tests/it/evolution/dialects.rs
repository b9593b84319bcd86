//! A keyword counts in the drafts that have it, and in no other; a form that its draft does not have cannot be read. Through
//! the program, since it is what a list's reader sees.

use std::fs;
use std::process::Command;

use contract_core::serde_json::{self, Value, json};

use crate::wire::BINARY;

const DRAFT_4: &str = "http://json-schema.org/draft-04/schema#";
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019: &str = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

/// Compares two texts that should be lists; the code, the report, what stderr says.
fn run(old: &str, new: &str) -> (Option<i32>, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let [old, new] = [("old.json", old), ("new.json", new)].map(|(name, text)| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let command = ["contract", "diff", "--format", "json"];
    let output = Command::new(BINARY).args(command).args([old, new]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The worst verdict about a changed input, its witness, and the keywords that are named.
fn verdict(old: &Value, new: &Value) -> (String, Option<Value>, Vec<String>) {
    let list = |schema: &Value| json!([{ "name": "only", "inputSchema": schema }]).to_string();
    let (_, said, told) = run(&list(old), &list(new));
    let report: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said} {told}"));
    let worst = ["breaking", "undecided", "dangerous", "compatible"].into_iter().find_map(|verdict| {
        report["changes"].as_array().unwrap().iter().find(|change| change["verdict"] == verdict).cloned()
    });
    let change = worst.unwrap_or_else(|| json!({ "verdict": "nothing" }));
    let keywords = change["keywords"].as_array().into_iter().flatten().filter_map(Value::as_str);
    (
        change["verdict"].as_str().unwrap().to_owned(),
        change.get("witness").filter(|witness| !witness.is_null()).cloned(),
        keywords.map(str::to_owned).collect(),
    )
}

fn under(draft: Option<&str>, schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let (Some(draft), Some(members)) = (draft, schema.as_object_mut()) {
        members.insert("$schema".to_owned(), draft.into());
    }
    schema
}

#[test]
fn another_draft_alone_can_break() {
    let object = |keyword: &str, asked: Value| {
        let mut schema = json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": {} } });
        schema[keyword] = asked;
        schema
    };
    let inside = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
    for (schema, deaf, hearing) in [
        (object("dependentRequired", json!({ "a": ["b"] })), Some(DRAFT_7), None),
        (object("unevaluatedProperties", json!(false)), Some(DRAFT_7), Some(DRAFT_2020)),
        (object("unevaluatedProperties", json!(false)), Some(DRAFT_7), Some(DRAFT_2019)),
        (object("dependentSchemas", json!({ "a": { "required": ["b"] } })), Some(DRAFT_7), None),
        (object("dependencies", json!({ "a": ["b"] })), None, Some(DRAFT_7)),
        (object("dependencies", json!({ "a": { "required": ["b"] } })), Some(DRAFT_2019), Some(DRAFT_7)),
        (object("propertyNames", json!({ "maxLength": 3 })), Some(DRAFT_4), None),
        (inside(json!({ "type": "array", "prefixItems": [{ "type": "string" }] })), Some(DRAFT_7), None),
        (inside(json!({ "type": "array", "prefixItems": [{ "type": "string" }] })), Some(DRAFT_2019), None),
        (inside(json!({ "const": "a" })), Some(DRAFT_4), None),
        (inside(json!({ "if": { "type": "string" }, "then": { "maxLength": 3 } })), Some(DRAFT_4), Some(DRAFT_7)),
        (inside(json!({ "type": "string", "format": "uuid" })), Some(DRAFT_7), None),
        (inside(json!({ "type": "string", "format": "date" })), Some(DRAFT_4), Some(DRAFT_7)),
        (inside(json!({ "$ref": "#/$defs/a", "maximum": 5, "$defs": {} })), Some(DRAFT_7), None),
    ] {
        let mut schema = schema;
        schema["$defs"] = json!({ "a": { "type": "number" } });
        let (deaf, hearing) = (under(deaf, &schema), under(hearing, &schema));
        let (narrowed, witness, keywords) = verdict(&deaf, &hearing);
        assert_eq!(narrowed, "breaking", "{deaf} to {hearing}: {keywords:?}");
        assert!(witness.is_some());
        let (widened, ..) = verdict(&hearing, &deaf);
        assert!(matches!(widened.as_str(), "compatible" | "dangerous"), "{hearing} to {deaf}: {widened}");
    }
}

#[test]
fn a_tuple_is_one_in_the_spelling_of_its_draft() {
    let places = json!([{ "type": "string" }, { "type": "integer" }]);
    let object = |draft: Option<&str>, keyword: &str, rest: &str| {
        let tuple = json!({ "type": "array", keyword: places, rest: false });
        under(draft, &json!({ "type": "object", "properties": { "a": tuple } }))
    };
    let new = object(None, "prefixItems", "items");
    let old = object(Some(DRAFT_7), "items", "additionalItems");
    assert_eq!(verdict(&old, &new).0, "nothing");
    assert_eq!(verdict(&new, &object(Some(DRAFT_2019), "items", "additionalItems")).0, "nothing");
    // Without its draft, the older spelling is no schema.
    for (one, other) in
        [(&object(None, "items", "additionalItems"), &new), (&new, &object(None, "items", "additionalItems"))]
    {
        let (undecided, _, keywords) = verdict(one, other);
        assert_eq!((undecided.as_str(), keywords), ("undecided", vec!["items".to_owned()]));
    }
}

#[test]
fn a_bound_is_exclusive_in_the_spelling_of_its_draft() {
    let object =
        |draft: Option<&str>, bound: Value| under(draft, &json!({ "type": "object", "properties": { "a": bound } }));
    let boolean = json!({ "type": "number", "minimum": 3, "exclusiveMinimum": true });
    let number = json!({ "type": "number", "exclusiveMinimum": 3 });
    let plain = json!({ "type": "number", "minimum": 3 });
    let (breaking, witness, _) =
        verdict(&object(Some(DRAFT_4), plain.clone()), &object(Some(DRAFT_4), boolean.clone()));
    assert_eq!((breaking.as_str(), witness), ("breaking", Some(json!({ "a": 3 }))));
    assert_eq!(verdict(&object(Some(DRAFT_4), boolean.clone()), &object(None, number.clone())).0, "compatible");
    for (draft, bound) in [(None, &boolean), (Some(DRAFT_7), &boolean), (Some(DRAFT_4), &number)] {
        for (old, new) in [
            (object(draft, bound.clone()), object(draft, plain.clone())),
            (object(draft, plain.clone()), object(draft, bound.clone())),
        ] {
            let (undecided, _, keywords) = verdict(&old, &new);
            assert_eq!(
                (undecided.as_str(), keywords),
                ("undecided", vec!["exclusiveMinimum".to_owned()]),
                "{old} {new}"
            );
        }
    }
}

#[test]
fn to_draft_4_a_number_with_a_point_is_no_integer() {
    let object = |count: Value, share: Value| {
        under(Some(DRAFT_4), &json!({ "type": "object", "properties": { "count": count, "share": share } }))
    };
    let (whole, some) = (json!({ "type": "integer", "maximum": 9 }), json!({ "type": "number", "maximum": 9 }));
    let fewer = json!({ "type": "integer", "maximum": 8 });
    // A break is shown by a value of either kind; that nothing breaks is known where numbers stay what they are.
    assert_eq!(verdict(&object(whole.clone(), some.clone()), &object(fewer.clone(), some.clone())).0, "breaking");
    assert_eq!(verdict(&object(fewer.clone(), json!({})), &object(whole.clone(), json!({}))).0, "compatible");
    let (undecided, _, keywords) = verdict(&object(fewer, some.clone()), &object(whole, some));
    assert_eq!((undecided.as_str(), keywords), ("undecided", vec!["type".to_owned()]));
}

#[test]
fn draft_4_has_its_own_identifiers() {
    let object = |most: u64| {
        json!({
            "$schema": DRAFT_4, "id": "http://a.example/root.json", "type": "object",
            "properties": { "a": { "$ref": "part.json" } },
            "definitions": { "part": { "id": "part.json", "type": "string", "maxLength": most } }
        })
    };
    assert_eq!(verdict(&object(3), &object(2)).0, "breaking");
    assert_eq!(verdict(&object(2), &object(3)).0, "compatible");
}

#[test]
fn a_dialect_that_is_not_known_is_not_guessed() {
    let object = |draft: Value, most: u64| json!({ "$schema": draft, "type": "object", "properties": { "a": { "maximum": most } } });
    for draft in [json!("http://json-schema.org/draft-03/schema#"), json!("https://a.example/dialect"), json!(7)] {
        let (undecided, _, keywords) = verdict(&object(draft.clone(), 9), &object(draft, 8));
        assert_eq!((undecided.as_str(), keywords), ("undecided", vec!["$schema".to_owned()]));
    }
}

#[test]
fn what_is_referred_to_from_a_place_without_a_name_counts() {
    let object = |keyword: &str, most: u64| {
        let refer = json!({ "$ref": "#/$defs/a" });
        let asked = match keyword {
            "dependentSchemas" => json!({ "b": { "properties": { "c": refer } } }),
            "propertyNames" => refer,
            _ => json!({ "properties": { "c": refer } }),
        };
        json!({ "type": "object", keyword: asked, "$defs": { "a": { "maxLength": most } } })
    };
    for keyword in ["dependentSchemas", "propertyNames", "not"] {
        let (wide, narrow) = if keyword == "not" { (2, 3) } else { (3, 2) };
        let (verdict, witness, _) = verdict(&object(keyword, wide), &object(keyword, narrow));
        // A name is not looked for behind a reference.
        let is_hard = keyword == "propertyNames" && verdict == "undecided";
        assert!(is_hard || (verdict == "breaking" && witness.is_some()), "{keyword}: {verdict}");
    }
}

#[test]
fn a_key_that_is_written_twice_is_refused_with_its_place() {
    let twice = r#"{"tools":[{"name":"a","inputSchema":{"type":"object","required":["a"],"required":[]}}]}"#;
    let once = r#"{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}"#;
    for (old, new) in [(twice, once), (once, twice)] {
        let (code, said, told) = run(old, new);
        assert_eq!((code, said.as_str()), (Some(2), ""));
        assert!(told.contains("`/tools/0/inputSchema/required` is written twice"), "{told}");
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("list.json");
    fs::write(&path, twice).unwrap();
    let output = Command::new(BINARY).args(["contract", "lint"]).arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("is written twice"));
}
