//! What a report calls a change by: the keywords that changed, or those that an open question hangs on.

use contract_core::evolution::Direction;
use contract_core::serde_json::{Value, json};
use expect_test::expect;

use super::verdicts::check;

#[test]
fn conditions_are_told_by_their_keywords() {
    let object = |more: Value| {
        let mut schema = json!({
            "type": "object",
            "properties": { "kind": { "enum": ["a", "b"] }, "size": { "type": "integer", "maximum": 9 } },
            "additionalProperties": false
        });
        let Value::Object(more) = more else { return schema };
        schema.as_object_mut().unwrap().extend(more);
        schema
    };
    let asked = |name: &str| json!({ "required": [name] });
    let plain = object(json!({}));
    let asked_if = object(json!({ "if": asked("kind"), "then": asked("size"), "else": {} }));
    check(
        Direction::Input,
        &plain,
        &asked_if,
        &expect![[r#"
            breaking keyword `` `else`, `if`, `then` are new [{"kind":"a"}]
        "#]],
    );
    check(
        Direction::Input,
        &asked_if,
        &plain,
        &expect![[r"
            compatible keyword `` `else`, `if`, `then` are gone
        "]],
    );
    check(
        Direction::Input,
        &asked_if,
        &object(json!({ "if": asked("kind"), "then": asked("kind") })),
        &expect![[r"
            compatible keyword `` `else` is gone, `then` is another
        "]],
    );
    check(
        Direction::Input,
        &plain,
        &object(json!({ "not": asked("kind") })),
        &expect![[r#"
            breaking keyword `` `not` is new [{"kind":"a"}]
        "#]],
    );
    // What differs beside them is told by itself.
    let mut narrowed = asked_if.clone();
    narrowed["properties"]["size"]["maximum"] = json!(8);
    check(
        Direction::Input,
        &plain,
        &narrowed,
        &expect![[r#"
            breaking bound `size` maximum was 9 and is 8 [{"size":9}]
            breaking keyword `` `else`, `if`, `then` are new [{"kind":"a"}]
        "#]],
    );
    // Another union is another schema.
    check(
        Direction::Input,
        &json!({ "properties": { "a": { "type": "string" } } }),
        &json!({ "properties": { "a": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } }),
        &expect![[r#"
            compatible type `a` it was string and is {"anyOf":[{"type":"string"},{"type":"null"}]}
        "#]],
    );
}

#[test]
fn what_nobody_understands_is_undecided_and_named() {
    let object = |more: Value| json!({ "type": "object", "properties": { "a": more } });
    check(
        Direction::Input,
        &object(json!({ "type": "string" })),
        &object(json!({ "type": "string", "nullable": false })),
        &expect![[r#"
        undecided keyword `a` `nullable` is new ["nullable"]
    "#]],
    );
    check(
        Direction::Input,
        &object(json!({ "type": "string" })),
        &object(json!({ "$ref": "https://a.co/s.json" })),
        &expect![[r#"
            undecided keyword `` the schema changed, and the new one cannot be read: `$ref` "https://a.co/s.json" at `/properties/a` points at nothing in the document, and nothing is fetched; put what it names under `$defs` ["$ref"]
        "#]],
    );
    check(
        Direction::Input,
        &object(json!({ "$dynamicRef": "#x" })),
        &object(json!({ "type": "string" })),
        &expect![[r#"
            undecided keyword `` the schema changed, and the old one cannot be read: `$dynamicRef` at `/properties/a/$dynamicRef` depends on how a value is reached, and is not followed ["$dynamicRef"]
        "#]],
    );
    check(
        Direction::Input,
        &object(json!({ "type": "string" })),
        &object(json!({ "type": "text" })),
        &expect![[r#"
            undecided keyword `` the schema changed, and the new one cannot be read: "text" is not valid under any of the schemas listed in the 'anyOf' keyw… at `/properties/a/type` ["type"]
        "#]],
    );
    check(
        Direction::Input,
        &object(json!({ "pattern": "^(?!x)a" })),
        &object(json!({ "pattern": "^(?!y)a" })),
        &expect![[r#"
        undecided pattern `a` pattern was "^(?!x)a" and is "^(?!y)a" ["pattern"]
    "#]],
    );
}

#[test]
fn what_is_undecided_about_a_boolean_hangs_on_the_keyword_it_stands_in() {
    // What makes it undecided is that a name holds both patterns.
    let schema = |last: bool| {
        json!({
            "type": "object",
            "patternProperties": {
                "^.{2}$": { "anyOf": [
                    { "oneOf": [{ "type": ["string", "null"] }, last] },
                    { "type": "integer", "maximum": 0 },
                    { "maximum": 4 }
                ] },
                "^a+$": { "type": "null" }
            }
        })
    };
    check(
        Direction::Input,
        &schema(true),
        &schema(false),
        &expect![[r#"
            undecided type `{^.{2}$}` it was anything and is nothing ["oneOf"]
        "#]],
    );
}
