//! Schemas that say more by degrees: of two neighbours, the first takes all that the second takes, and more.

use contract_core::serde_json::{Value, json};

use super::drafts::Draft;

/// Steps from the widest schema to the narrowest, and the first draft that has their keywords.
pub(crate) struct Ladder {
    pub(crate) what: &'static str,
    pub(crate) since: Draft,
    pub(crate) steps: Vec<Value>,
}

pub(crate) fn ladders() -> Vec<Ladder> {
    let ladder = |(what, since, steps)| Ladder { what, since, steps };
    plain().into_iter().chain(seldom()).map(ladder).collect()
}

type Steps = (&'static str, Draft, Vec<Value>);

fn plain() -> [Steps; 8] {
    [
        (
            "numbers",
            Draft::Four,
            vec![
                json!({ "type": ["integer", "null"] }),
                json!({ "type": "integer" }),
                json!({ "type": "integer", "minimum": 0 }),
                json!({ "type": "integer", "minimum": 0, "maximum": 100 }),
                json!({ "type": "integer", "minimum": 1, "maximum": 100 }),
                json!({ "type": "integer", "minimum": 1, "maximum": 50 }),
                json!({ "type": "integer", "minimum": 1, "maximum": 50, "multipleOf": 5 }),
                json!({ "enum": [5, 10] }),
                json!({ "const": 5 }),
            ],
        ),
        (
            "words",
            Draft::Four,
            vec![
                json!({ "type": ["string", "number"] }),
                json!({ "type": "string" }),
                json!({ "type": "string", "maxLength": 9 }),
                json!({ "type": "string", "minLength": 2, "maxLength": 9 }),
                json!({ "type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z0-9]+$" }),
                json!({ "type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]+$" }),
                json!({ "enum": ["open", "closed", "merged"] }),
                json!({ "enum": ["open", "closed"] }),
            ],
        ),
        (
            "identifiers",
            Draft::Of2019,
            vec![json!({ "type": "string" }), json!({ "type": "string", "format": "uuid" })],
        ),
        (
            "arrays",
            Draft::Four,
            vec![
                json!({ "type": "array" }),
                json!({ "type": "array", "items": { "type": ["string", "null"] } }),
                json!({ "type": "array", "items": { "type": "string" } }),
                json!({ "type": "array", "items": { "type": "string" }, "maxItems": 4 }),
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 4 }),
                json!({ "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 1, "maxItems": 4, "uniqueItems": true }),
            ],
        ),
        (
            "maps",
            Draft::Four,
            vec![
                json!({ "type": "object" }),
                json!({ "type": "object", "additionalProperties": { "type": "number" } }),
                json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
                json!({ "type": "object", "additionalProperties": { "type": "integer" }, "required": ["id"] }),
                json!({ "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"], "additionalProperties": false }),
            ],
        ),
        (
            "unions",
            Draft::Four,
            vec![
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] }),
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
                json!({ "anyOf": [{ "type": "string", "maxLength": 3 }, { "type": "integer" }] }),
                json!({ "type": "integer" }),
            ],
        ),
        (
            "tuples",
            Draft::Four,
            vec![
                json!({ "prefixItems": [{ "type": "string" }], "type": "array" }),
                json!({ "prefixItems": [{ "type": "string" }, { "type": "integer" }], "type": "array" }),
                json!({ "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false, "type": "array" }),
                json!({ "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false, "minItems": 2, "type": "array" }),
            ],
        ),
        (
            "tagged unions",
            Draft::Four,
            vec![
                json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "a" }, "size": { "type": "integer" } }, "required": ["kind"] },
                { "type": "object", "properties": { "kind": { "const": "b" } }, "required": ["kind"] }
            ] }),
                json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "a" }, "size": { "type": "integer" } }, "required": ["kind", "size"] },
                { "type": "object", "properties": { "kind": { "const": "b" } }, "required": ["kind"] }
            ] }),
                json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "a" }, "size": { "type": "integer" } }, "required": ["kind", "size"] }
            ] }),
            ],
        ),
    ]
}

/// An object of which more is asked when it is of a kind.
fn when(then: &Value) -> Value {
    json!({ "type": "object", "if": { "properties": { "kind": { "const": "a" } }, "required": ["kind"] }, "then": then })
}

/// An exclusive union in another.
fn either(inner: &Value) -> Value {
    json!({ "oneOf": [{ "oneOf": [inner, { "type": "boolean" }] }, { "type": "null" }] })
}

/// An object whose other properties are `rest`.
fn closed(rest: &Value) -> Value {
    json!({
        "type": "object",
        "allOf": [{ "properties": { "id": { "type": "string" } } }],
        "properties": { "name": { "type": "string" } },
        "unevaluatedProperties": rest
    })
}

/// Keywords that fewer schemas use.
fn seldom() -> [Steps; 10] {
    [
        ("dates", Draft::Seven, vec![json!({ "type": "string" }), json!({ "type": "string", "format": "date" })]),
        (
            "dependencies",
            Draft::Four,
            vec![
                json!({ "type": "object" }),
                json!({ "type": "object", "dependentRequired": { "id": ["name"] } }),
                json!({ "type": "object", "dependentRequired": { "id": ["name", "size"] } }),
                json!({ "type": "object", "dependentRequired": { "id": ["name", "size"] }, "required": ["name"] }),
            ],
        ),
        (
            "names of properties",
            Draft::Six,
            vec![
                json!({ "type": "object" }),
                json!({ "type": "object", "propertyNames": { "maxLength": 6 } }),
                json!({ "type": "object", "propertyNames": { "maxLength": 6, "pattern": "^[a-z]" } }),
                json!({ "type": "object", "propertyNames": { "maxLength": 3, "pattern": "^[a-z]" } }),
                json!({ "type": "object", "propertyNames": { "enum": ["a", "b"] } }),
            ],
        ),
        (
            "patterns of names",
            Draft::Four,
            vec![
                json!({ "type": "object" }),
                json!({ "type": "object", "patternProperties": { "^x": { "type": ["string", "null"] } } }),
                json!({ "type": "object", "patternProperties": { "^x": { "type": "string" } } }),
                json!({ "type": "object", "patternProperties": { "^x": { "type": "string" } }, "additionalProperties": false }),
            ],
        ),
        (
            "items to be found",
            Draft::Six,
            vec![
                json!({ "type": "array" }),
                json!({ "type": "array", "minItems": 1 }),
                json!({ "type": "array", "contains": { "type": "string" } }),
                json!({ "type": "array", "contains": { "enum": ["a", "b"] } }),
                json!({ "type": "array", "contains": { "const": "a" } }),
            ],
        ),
        (
            "counts of items to be found",
            Draft::Of2019,
            vec![
                json!({ "type": "array", "contains": { "type": "string" } }),
                json!({ "type": "array", "contains": { "type": "string" }, "minContains": 2 }),
                json!({ "type": "array", "contains": { "type": "string" }, "minContains": 2, "maxContains": 3 }),
            ],
        ),
        (
            "conditions",
            Draft::Seven,
            vec![
                json!({ "type": "object" }),
                when(&json!({ "required": ["id"] })),
                when(&json!({ "required": ["id", "name"] })),
                json!({ "type": "object", "required": ["id", "name"] }),
            ],
        ),
        (
            "negations",
            Draft::Four,
            vec![
                json!({ "type": "string" }),
                json!({ "type": "string", "not": { "enum": ["a"] } }),
                json!({ "type": "string", "not": { "enum": ["a", "b"] } }),
                json!({ "type": "string", "not": { "maxLength": 3 } }),
            ],
        ),
        (
            "unions in unions",
            Draft::Four,
            vec![
                either(&json!({ "type": "string" })),
                either(&json!({ "type": "string", "maxLength": 3 })),
                json!({ "oneOf": [{ "type": "boolean" }, { "type": "null" }] }),
            ],
        ),
        (
            "unevaluated properties",
            Draft::Of2019,
            vec![
                closed(&json!(true)),
                closed(&json!({ "type": ["string", "null"] })),
                closed(&json!({ "type": "string" })),
                closed(&json!(false)),
            ],
        ),
    ]
}
