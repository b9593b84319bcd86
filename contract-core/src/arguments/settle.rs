//! Brings a value into the form its schema speaks of, before it is validated: what a caller may write in two ways becomes
//! one.
//!
//! Null of an optional member is taken off (clients that fill in every member send it), and an integral float becomes the
//! integer it is (JSON Schema calls `30.0` an integer, serde does not).

use serde_json::{Map, Number, Value};

use crate::schema::{nullable_inner, union};

/// Settles `value` in place, as far as `schema` reaches.
pub(super) fn settle(value: &mut Value, schema: &Map<String, Value>) {
    if let Some(inner) = nullable_inner(schema) {
        if !value.is_null() {
            settle(value, inner);
        }
        return;
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        if let Some(branch) = union::branch_meant(branches, value) {
            settle(value, branch);
        }
        return;
    }
    match value {
        Value::Object(members) => settle_members(members, schema),
        Value::Array(items) => {
            if let Some(Value::Object(of_item)) = schema.get("items") {
                for item in items {
                    settle(item, of_item);
                }
            }
        }
        Value::Number(number) if schema.get("type").is_some_and(|kind| kind == "integer") => {
            if let Some(integer) = integral(number) {
                *number = integer.into();
            }
        }
        _ => {}
    }
}

fn settle_members(members: &mut Map<String, Value>, schema: &Map<String, Value>) {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    members.retain(|name, value| {
        let declared = properties.is_some_and(|properties| properties.contains_key(name));
        !(value.is_null() && declared && !is_required(name))
    });
    for (name, value) in members.iter_mut() {
        let of_member =
            properties.and_then(|properties| properties.get(name)).or_else(|| schema.get("additionalProperties"));
        if let Some(Value::Object(of_member)) = of_member {
            settle(value, of_member);
        }
    }
}

/// The integer that a float is, when a float can still tell it from its neighbours.
#[expect(clippy::cast_possible_truncation, reason = "the range check above the cast keeps it exact")]
fn integral(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::settle;

    #[track_caller]
    fn check(schema: &Value, sent: Value, settled: &Value) {
        let mut value = sent;
        settle(&mut value, schema.as_object().unwrap());
        assert_eq!(&value, settled);
    }

    #[test]
    fn null_is_taken_off_an_optional_member_only() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            "required": ["b"],
        });
        check(&schema, json!({ "a": null, "b": null, "c": null }), &json!({ "b": null, "c": null }));
    }

    #[test]
    fn integral_floats_become_integers_where_an_integer_is_asked_for() {
        let integer = json!({ "type": "integer" });
        check(&integer, json!(30.0), &json!(30));
        check(&integer, json!(-0.0), &json!(0));
        check(&integer, json!(30.5), &json!(30.5));
        check(&integer, json!(1e300), &json!(1e300));
        check(&json!({ "type": "number" }), json!(30.0), &json!(30.0));
    }

    #[test]
    fn it_reaches_through_arrays_maps_unions_and_nullables() {
        let schema = json!({ "type": "object", "properties": {
            "list": { "type": "array", "items": { "anyOf": [{ "type": "integer" }, { "type": "null" }] } },
            "map": { "type": "object", "additionalProperties": { "type": "integer" } },
            "op": { "oneOf": [{ "type": "object", "required": ["pr"], "properties": { "pr": { "type": "object",
                "properties": { "n": { "type": "integer" }, "x": { "type": "string" } }, "required": ["n"] } } }] },
        } });
        check(
            &schema,
            json!({ "list": [1.0, null], "map": { "k": 2.0 }, "op": { "pr": { "n": 3.0, "x": null } } }),
            &json!({ "list": [1, null], "map": { "k": 2 }, "op": { "pr": { "n": 3 } } }),
        );
    }
}
