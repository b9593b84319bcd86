//! Each law is shown a tool that breaks it: a law that cannot fail keeps nothing.

use serde_json::{Map, Value, json};

use super::{Breach, Law, laws};
use crate::entry::{AcceptsFn, EntryParts, Hints, InputSource, Invoke, Source, ToolEntry};
use crate::registry::Tool;
use crate::vocabulary::{Auth, Availability, Locality};
use crate::{Registry, ToolError, testing};

/// An entry whose own schemas nobody looks at.
fn entry(accepts: AcceptsFn) -> &'static ToolEntry {
    let parts = EntryParts {
        name: "broken",
        title: None,
        description: "A tool that breaks a law on purpose.",
        category: "utility",
        auth: Auth::Public,
        locality: Locality::Remote,
        availability: Availability::Both,
        hints: Hints { read_only: true, destructive: false, idempotent: None, open_world: None },
        deprecated: Some("use a sound one"),
        source: Source { module: module_path!(), file: file!(), line: line!() },
        input: InputSource::Whole { schema: |_| schemars::json_schema!({ "type": "object" }), accepts },
        output: |_| schemars::json_schema!({ "type": "object" }),
        needs: &[],
        examples: None,
        invoke: Invoke::Blocking(|_| Ok(json!({}))),
    };
    Box::leak(Box::new(ToolEntry::new(parts)))
}

fn object(schema: Value) -> Map<String, Value> {
    let Value::Object(schema) = schema else { panic!("a schema is an object") };
    schema
}

fn breaches(accepts: AcceptsFn, input: Value, output: Value) -> Vec<Breach> {
    laws::breaches(&Tool::with_schemas(entry(accepts), object(input), object(output)))
}

/// A sound output.
fn sound() -> Value {
    json!({ "type": "object", "properties": { "ok": { "type": "boolean" } } })
}

/// That `law` is broken, and by what.
#[track_caller]
fn check(law: Law, input: Value, output: Value, part: &str) {
    let found = breaches(|_| Ok(()), input, output);
    let told = found.iter().any(|breach| breach.law == law && breach.to_string().contains(part));
    assert!(told, "{law} with {part:?} is not among {found:#?}");
}

#[test]
fn a_schema_that_is_none_breaks_the_law() {
    check(Law::SchemasCompile, json!({ "type": "nonsense" }), sound(), "the input schema is not valid");
    check(
        Law::SchemasCompile,
        json!({ "type": "object" }),
        json!({ "minimum": "x" }),
        "the output schema is not valid",
    );
}

#[test]
fn an_open_input_and_a_closed_output_break_their_laws() {
    let open = json!({ "type": "object", "properties": { "a": { "type": "string", "examples": ["x"] } } });
    check(Law::InputsClosed, open.clone(), sound(), "an input object is open");
    check(Law::UnknownRefused, open, sound(), "with an unknown key is accepted");
    let closed = json!({ "type": "object", "properties": { "a": { "items": { "additionalProperties": false } } } });
    check(Law::OutputsOpen, json!({ "type": "object" }), closed, "an output object is closed");
}

#[test]
fn what_some_client_cannot_take_breaks_the_law() {
    for (property, part) in [
        (json!({ "$ref": "#" }), "`$ref`"),
        (json!({ "title": "X" }), "`title`"),
        (json!(true), "boolean sub-schema"),
        (json!({ "type": "array", "items": true }), "boolean sub-schema"),
        (json!({ "type": ["string", "null"] }), "list of types"),
        (json!({ "type": "integer", "format": "uint32" }), "format `uint32`"),
        (json!({ "oneOf": [{ "not": { "title": "X" } }] }), "`title`"),
    ] {
        check(Law::PortableSchemas, json!({ "type": "object" }), json!({ "properties": { "a": property } }), part);
    }
}

#[test]
fn an_example_that_is_refused_breaks_the_law() {
    let input =
        json!({ "type": "object", "properties": { "a": { "type": "string", "examples": [5] } }, "required": ["a"] });
    check(Law::ValidExample, input, sound(), "is refused");
    let input = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
    check(Law::ValidExample, input, sound(), "`a` without an example");
    let input = json!({ "type": "object", "properties": { "a": { "type": "object", "additionalProperties": {} } }, "required": ["a"] });
    check(Law::ValidExample, input, sound(), "`a` without an example");
    let input = json!({ "type": "object", "properties": { "a": { "type": "array" } }, "required": ["a"] });
    check(Law::ValidExample, input, sound(), "`a` without an example");
}

#[test]
fn an_example_that_the_type_does_not_read_breaks_the_law() {
    let input = json!({
        "properties": { "a": { "type": "string", "examples": ["x"] }, "b": { "anyOf": [{ "type": "string" }, { "type": "null" }] } },
        "required": ["a"],
    });
    let found = breaches(|_| Err(ToolError::unknown("never reads")), input, sound());
    assert!(found.iter().any(|breach| breach.law == Law::ValidExample), "{found:#?}");
}

#[test]
fn a_type_that_reads_less_than_its_schema_breaks_the_law() {
    let input = json!({
        "type": "object", "additionalProperties": false,
        "properties": { "a": { "type": "integer", "minimum": 0, "maximum": 10, "examples": [1] } }, "required": ["a"],
    });
    let picky: AcceptsFn = |arguments| match arguments.get("a") {
        Some(Value::Number(number)) if number.as_u64() == Some(1) => Ok(()),
        _ => Err(ToolError::invalid_input("too picky")),
    };
    let found = breaches(picky, input, sound());
    assert!(found.iter().all(|breach| breach.law == Law::WhatValidatesDeserialises) && !found.is_empty(), "{found:#?}");
}

#[test]
fn an_open_branch_of_a_union_breaks_the_law_at_its_depth() {
    let input = json!({
        "type": "object", "additionalProperties": false,
        "properties": { "op": { "oneOf": [
            { "type": "string", "const": "all" },
            { "type": "object", "properties": { "pr": { "type": "integer", "maximum": 5, "examples": [1] } }, "required": ["pr"] },
        ], "examples": [{ "pr": 1 }] } },
        "required": ["op"],
    });
    check(Law::UnknownRefused, input, sound(), "/op/definitely_no_member_of_this_tool");
}

#[test]
fn a_future_that_waits_is_waited_for() {
    let mut polled = false;
    let answer = testing::block_on(std::future::poll_fn(|task| {
        if std::mem::replace(&mut polled, true) {
            return std::task::Poll::Ready(7);
        }
        task.waker().wake_by_ref();
        std::task::Poll::Pending
    }));
    assert_eq!(answer, 7);
}

#[test]
#[should_panic(expected = "no tools are linked")]
fn no_tools_at_all_are_no_success() {
    assert!(Registry::collect().unwrap().is_empty(), "this crate defines no tools of its own");
    testing::assert_laws();
}
