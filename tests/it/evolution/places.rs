//! A definition that several places use: its change is told at each of them, and means what it means at any.

use contract_core::evolution::{Change, Direction, Rule, Verdict, compare_schemas};
use contract_core::serde_json::{Value, json};

/// `properties` that use a definition of a limited text.
fn using(properties: &Value, most: u32) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": { "text": { "type": "string", "pattern": "^a*$", "maxLength": most } }
    })
}

fn text() -> Value {
    json!({ "$ref": "#/$defs/text" })
}

#[track_caller]
fn only(changes: Vec<Change>) -> Change {
    let [only] = <[Change; 1]>::try_from(changes).unwrap();
    only
}

#[track_caller]
fn check(change: &Change, places: &[&str], more: Option<u64>) {
    assert_eq!(change.places().collect::<Vec<_>>(), places, "{change:?}");
    assert_eq!(change.more_places, more, "{change:?}");
}

#[test]
fn a_definitions_change_is_told_at_each_place_that_uses_it() {
    let list = json!({ "type": "array", "items": text() });
    let properties = json!({ "a": text(), "b": { "properties": { "c": text() } }, "d": list });
    let change = only(compare_schemas(Direction::Input, &using(&properties, 5), &using(&properties, 3)));
    check(&change, &["a", "b.c", "d[]"], Some(0));
    assert_eq!((change.verdict, change.witness), (Verdict::Breaking, Some(json!({ "a": "aaaa" }))));
    let widened = only(compare_schemas(Direction::Input, &using(&properties, 3), &using(&properties, 5)));
    check(&widened, &["a", "b.c", "d[]"], Some(0));
    assert_eq!(widened.verdict, Verdict::Compatible);
}

#[test]
fn a_definition_inside_a_definition_stands_wherever_that_does() {
    let schema = |most: u32| {
        let pair = json!({ "type": "object", "properties": { "x": text(), "y": text() } });
        let mut schema = using(&json!({ "a": { "$ref": "#/$defs/pair" }, "b": { "$ref": "#/$defs/pair" } }), most);
        schema["$defs"]["pair"] = pair;
        schema
    };
    let change = only(compare_schemas(Direction::Output, &schema(3), &schema(5)));
    check(&change, &["a.x", "b.x", "a.y", "b.y"], Some(0));
    assert_eq!(change.verdict, Verdict::Breaking);
}

#[test]
fn what_is_inside_of_a_definition_is_named_at_each_place() {
    let schema = |required: &Value| {
        json!({
            "properties": { "a": { "$ref": "#/$defs/row" }, "b": { "$ref": "#/$defs/row" } },
            "$defs": { "row": { "properties": { "id": { "description": "words" } }, "required": required } }
        })
    };
    let change = only(compare_schemas(Direction::Input, &schema(&json!([])), &schema(&json!(["id"]))));
    check(&change, &["a.id", "b.id"], Some(0));
    assert_eq!(change.rule, Rule::MadeRequired);
}

#[test]
fn a_place_that_hides_a_change_leaves_it_to_the_other_to_show_it() {
    let never = json!({ "allOf": [text(), { "maxLength": 2 }] });
    let unreachable = json!({ "allOf": [text(), false] });
    for first in [never, unreachable] {
        let properties = json!({ "a": first, "b": text() });
        let change = only(compare_schemas(Direction::Input, &using(&properties, 5), &using(&properties, 3)));
        check(&change, &["a", "b"], Some(0));
        assert_eq!((change.verdict, change.witness), (Verdict::Breaking, Some(json!({ "b": "aaaa" }))));
    }
}

#[test]
fn a_change_that_no_place_shows_is_compatible() {
    let hidden = json!({ "allOf": [text(), { "maxLength": 2 }] });
    let properties = json!({ "a": hidden, "b": hidden });
    let change = only(compare_schemas(Direction::Input, &using(&properties, 5), &using(&properties, 3)));
    check(&change, &["a", "b"], Some(0));
    assert_eq!(change.verdict, Verdict::Compatible);
}

#[test]
fn what_grows_at_one_place_and_shrinks_at_another_breaks() {
    let properties = json!({ "a": text(), "b": { "type": "string", "pattern": "^a*$", "not": text() } });
    let change = only(compare_schemas(Direction::Input, &using(&properties, 3), &using(&properties, 5)));
    check(&change, &["a", "b"], Some(0));
    assert_eq!((change.verdict, change.witness), (Verdict::Breaking, Some(json!({ "b": "aaaa" }))));
    // An object that takes what it has not looked at no longer looks at what it no longer declares.
    let schema = |row: &Value| {
        let closed = json!({ "allOf": [{ "$ref": "#/$defs/row" }], "unevaluatedProperties": false });
        json!({ "properties": { "a": { "$ref": "#/$defs/row" }, "b": closed }, "$defs": { "row": row } })
    };
    let (old, new) = (schema(&json!({ "properties": { "x": { "type": "integer" } } })), schema(&json!({})));
    let change = only(compare_schemas(Direction::Input, &old, &new));
    check(&change, &["a.x", "b.x"], Some(0));
    assert_eq!((change.verdict, change.witness), (Verdict::Breaking, Some(json!({ "b": { "x": 0 } }))));
}

#[test]
fn a_keyword_that_is_not_walked_into_is_a_place_as_a_whole() {
    let schema = |most: u32| {
        let inside = json!({ "not": { "$ref": "#/$defs/wrapped" } });
        let mut schema = using(&json!({ "a": text(), "b": inside }), most);
        schema["$defs"]["wrapped"] = json!({ "properties": { "deep": text() } });
        schema
    };
    let change = only(compare_schemas(Direction::Input, &schema(5), &schema(3)));
    check(&change, &["a", "b"], Some(0));
}

#[test]
fn a_definition_that_contains_itself_is_told_where_one_comes_to_it() {
    let schema = |most: u32| {
        let node = json!({
            "type": "object",
            "properties": { "name": text(), "next": { "$ref": "#/$defs/node" }, "more": { "items": { "$ref": "#/$defs/node" } } }
        });
        let mut schema = using(&json!({ "a": { "$ref": "#/$defs/node" }, "b": { "$ref": "#/$defs/node" } }), most);
        schema["$defs"]["node"] = node;
        schema
    };
    let change = only(compare_schemas(Direction::Input, &schema(5), &schema(3)));
    check(&change, &["a.name", "b.name"], Some(0));
    assert_eq!(change.verdict, Verdict::Breaking);
    // Two that contain each other are each told through the other as well.
    let schema = |most: u32| {
        let one = json!({ "properties": { "name": text(), "other": { "$ref": "#/$defs/other" } } });
        let other = json!({ "properties": { "one": { "$ref": "#/$defs/one" } } });
        let mut schema = using(&json!({ "a": { "$ref": "#/$defs/one" }, "b": { "$ref": "#/$defs/other" } }), most);
        (schema["$defs"]["one"], schema["$defs"]["other"]) = (one, other);
        schema
    };
    let change = only(compare_schemas(Direction::Input, &schema(5), &schema(3)));
    check(&change, &["a.name", "b.one.name"], Some(0));
}

/// Definitions that each use the next one twice.
fn doubled(times: usize, most: u32) -> Value {
    let mut schema = using(&json!({ "a": { "$ref": "#/$defs/d0" } }), most);
    for place in 0..times {
        let next = if place + 1 == times { text() } else { json!({ "$ref": format!("#/$defs/d{}", place + 1) }) };
        schema["$defs"][format!("d{place}")] = json!({ "type": "object", "properties": { "l": next, "r": next } });
    }
    schema
}

#[test]
fn of_very_many_places_some_are_told_and_the_rest_is_counted() {
    let change = |times: usize| only(compare_schemas(Direction::Input, &doubled(times, 5), &doubled(times, 3)));
    let (few, many, most) = (change(5), change(12), change(16));
    assert_eq!((few.places().count(), few.more_places), (32, Some(0)));
    assert_eq!((many.places().count(), many.more_places), (32, Some(4096 - 32)));
    assert_eq!((most.places().count(), most.more_places), (32, None));
    for change in [few, many, most] {
        assert_eq!(change.verdict, Verdict::Breaking, "{change:?}");
        assert!(change.places().all(|place| place.starts_with("a.l") || place.starts_with("a.r")), "{change:?}");
    }
}

#[test]
fn the_json_of_a_change_has_its_other_places_where_there_are_any() {
    let change = |properties: &Value| {
        only(compare_schemas(Direction::Input, &using(properties, 5), &using(properties, 3))).to_json()
    };
    let shown = change(&json!({ "a": text(), "b": text() }));
    assert_eq!((&shown["place"], &shown["also_at"]), (&json!("a"), &json!(["b"])));
    assert!(shown.get("more_places").is_none(), "{shown}");
    let shown = change(&json!({ "a": text() }));
    assert!(shown.get("also_at").is_none() && shown.get("more_places").is_none(), "{shown}");
    let shown = only(compare_schemas(Direction::Input, &doubled(12, 5), &doubled(12, 3))).to_json();
    assert_eq!(shown["more_places"], json!(4064));
    let shown = only(compare_schemas(Direction::Input, &doubled(16, 5), &doubled(16, 3))).to_json();
    assert_eq!(shown.get("more_places"), Some(&Value::Null));
}
