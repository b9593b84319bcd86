//! Each law is one function over one tool that returns what is wrong with it.

use serde_json::{Map, Value, json};

use super::Breach;
use super::corpus::{nasty_values, pointers, replace_each};
use crate::arguments::{Arguments, Refusal, read};
use crate::error::{ErrorCode, ToolError};
use crate::projection::{gemini, openai};
use crate::registry::Tool;

crate::vocabulary! {
    /// A promise that is tested by calling the door, in the spelling of its heading in `docs/conventions.md`.
    pub enum Law: "law" {
        /// The schemas are valid draft 2020-12 and compile.
        SchemasCompile = "schemas-compile",
        /// Inputs are closed at every declared object.
        InputsClosed = "inputs-closed",
        /// Outputs are open at every level.
        OutputsOpen = "outputs-open",
        /// No reference, no boolean sub-schema, no format outside the standard.
        PortableSchemas = "portable-schemas",
        /// There is a valid example, and the handler's types read it.
        ValidExample = "valid-example",
        /// A call with a required property left out is refused and says which.
        RequiredRefused = "required-refused",
        /// A call with an unknown key is refused and names it, at every declared object.
        UnknownRefused = "unknown-refused",
        /// A call with a value of a wrong type is refused where it stands.
        WrongTypeRefused = "wrong-type-refused",
        /// A call out of a stated bound is refused where it stands.
        OutOfBoundsRefused = "out-of-bounds-refused",
        /// Null of an optional member is the same as leaving it out.
        NullMeansAbsent = "null-means-absent",
        /// What validates deserialises.
        WhatValidatesDeserialises = "what-validates-deserialises",
        /// What a strict OpenAI client sends is taken by the door.
        StrictRoundTrip = "strict-round-trip",
    }
}

/// One law over one tool: what is wrong.
type Check = fn(&Tool) -> Vec<String>;

/// Every breach of every law by `tool`.
pub(super) fn breaches(tool: &Tool) -> Vec<Breach> {
    let laws: [(Law, Check); 12] = [
        (Law::SchemasCompile, schemas_compile),
        (Law::InputsClosed, inputs_closed),
        (Law::OutputsOpen, outputs_open),
        (Law::PortableSchemas, portable_schemas),
        (Law::ValidExample, valid_example),
        (Law::RequiredRefused, required_refused),
        (Law::UnknownRefused, unknown_refused),
        (Law::WrongTypeRefused, wrong_type_refused),
        (Law::OutOfBoundsRefused, out_of_bounds_refused),
        (Law::NullMeansAbsent, null_means_absent),
        (Law::WhatValidatesDeserialises, what_validates_deserialises),
        (Law::StrictRoundTrip, strict_round_trip),
    ];
    let name = tool.definition().name();
    laws.into_iter()
        .flat_map(|(law, check)| check(tool).into_iter().map(move |message| Breach { law, tool: name, message }))
        .collect()
}

/// The door's answer to `arguments`: what the handler would get, or why not.
fn door(tool: &Tool, arguments: &Value) -> Result<Map<String, Value>, ToolError> {
    let validator = tool.input_validator()?;
    read(Arguments::Text(arguments.to_string()), tool.definition().input_schema(), validator).map_err(|refusal| {
        match refusal {
            Refusal::Invalid(error) => error,
            Refusal::NotAnObject(found) => ToolError::invalid_input(format!("arguments are {}", found.found)),
        }
    })
}

/// Valid calls, or none where [`valid_example`] reports already.
fn examples(tool: &Tool) -> Vec<Value> {
    let examples = tool.definition().examples().unwrap_or_default();
    examples.into_iter().filter(|example| door(tool, example).is_ok()).collect()
}

fn schemas_compile(tool: &Tool) -> Vec<String> {
    let sides = [("input", tool.definition().input_schema()), ("output", tool.definition().output_schema())];
    let wrong = sides.into_iter().filter_map(|(side, schema)| {
        let schema = Value::Object(schema.clone());
        let meta = jsonschema::meta::validate(&schema).err().map(|error| error.to_string());
        let compiled = meta.or_else(|| crate::validator::compile(&schema).err().map(|error| error.to_string()));
        compiled.map(|error| format!("the {side} schema is not valid draft 2020-12: {error}"))
    });
    wrong.collect()
}

/// Calls `each` with every object in a schema that is itself a schema.
fn for_each_schema(schema: &Map<String, Value>, each: &mut impl FnMut(&Map<String, Value>)) {
    each(schema);
    for keyword in ["properties"] {
        for child in schema
            .get(keyword)
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values)
            .filter_map(Value::as_object)
        {
            for_each_schema(child, each);
        }
    }
    for keyword in ["items", "additionalProperties", "not", "if", "then", "else", "contains"] {
        if let Some(Value::Object(child)) = schema.get(keyword) {
            for_each_schema(child, each);
        }
    }
    for keyword in ["prefixItems", "oneOf", "anyOf", "allOf"] {
        for child in schema.get(keyword).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object) {
            for_each_schema(child, each);
        }
    }
}

fn inputs_closed(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for_each_schema(tool.definition().input_schema(), &mut |node| {
        if node.contains_key("properties") && node.get("additionalProperties") != Some(&json!(false)) {
            wrong.push("an input object is open, so a misspelt key would pass in silence".to_owned());
        }
    });
    wrong
}

fn outputs_open(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for_each_schema(tool.definition().output_schema(), &mut |node| {
        if node.get("additionalProperties") == Some(&json!(false)) || node.contains_key("unevaluatedProperties") {
            wrong.push("an output object is closed, so a new member would break strict clients".to_owned());
        }
    });
    wrong
}

fn portable_schemas(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut look = |side: &str, node: &Map<String, Value>| {
        for banned in ["$ref", "$defs", "$schema", "$id", "title"] {
            if node.contains_key(banned) {
                wrong.push(format!("the {side} schema has `{banned}`, which some client cannot take"));
            }
        }
        let members = node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
        if members.chain(node.get("items")).any(Value::is_boolean) {
            wrong.push(format!("the {side} schema has a boolean sub-schema, which some client cannot take"));
        }
        if node.get("type").is_some_and(Value::is_array) {
            wrong.push(format!("the {side} schema has a list of types, which some client drops"));
        }
    };
    for_each_schema(tool.definition().input_schema(), &mut |node| look("input", node));
    for_each_schema(tool.definition().output_schema(), &mut |node| look("output", node));
    wrong
}

fn valid_example(tool: &Tool) -> Vec<String> {
    let examples = match tool.definition().examples() {
        Ok(examples) => examples,
        Err(missing) => return vec![missing.to_string()],
    };
    let wrong = examples.iter().filter_map(|example| {
        let read = door(tool, example).and_then(|arguments| tool.entry().accepts(arguments));
        read.err().map(|error| format!("the example {example} is refused: {error}"))
    });
    wrong.collect()
}

/// The declared object schemas along `value`, with the pointer of each.
fn declared_objects<'schema>(
    schema: &'schema Map<String, Value>,
    value: &Value,
    pointer: &str,
    all: &mut Vec<(String, &'schema Map<String, Value>)>,
) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        all.push((pointer.to_owned(), schema));
        for (name, child) in properties {
            if let (Value::Object(child), Some(part)) = (child, value.get(name)) {
                declared_objects(child, part, &crate::arguments::join(pointer, name), all);
            }
        }
    }
    if let (Some(Value::Object(child)), Some(items)) = (schema.get("items"), value.as_array()) {
        for (at, part) in items.iter().enumerate() {
            declared_objects(child, part, &crate::arguments::join(pointer, at), all);
        }
    }
}

fn required_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples(tool) {
        let mut objects = Vec::new();
        declared_objects(tool.definition().input_schema(), &example, "", &mut objects);
        for (pointer, schema) in objects {
            for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
            {
                let mut call = example.clone();
                let Some(Value::Object(object)) = call.pointer_mut(&pointer) else { continue };
                object.shift_remove(name);
                wrong.extend(refused_at(
                    tool,
                    &call,
                    &crate::arguments::join(&pointer, name),
                    "without a required member",
                ));
            }
        }
    }
    wrong
}

fn unknown_refused(tool: &Tool) -> Vec<String> {
    const UNKNOWN: &str = "definitely_no_member_of_this_tool";
    let mut wrong = Vec::new();
    for example in examples(tool) {
        let mut objects = Vec::new();
        declared_objects(tool.definition().input_schema(), &example, "", &mut objects);
        for (pointer, _) in objects {
            let mut call = example.clone();
            let Some(Value::Object(object)) = call.pointer_mut(&pointer) else { continue };
            object.insert(UNKNOWN.to_owned(), json!(1));
            wrong.extend(refused_at(tool, &call, &crate::arguments::join(&pointer, UNKNOWN), "with an unknown key"));
        }
    }
    wrong
}

/// What is wrong when `call` is not refused with an issue at `pointer`.
fn refused_at(tool: &Tool, call: &Value, pointer: &str, what: &str) -> Option<String> {
    match door(tool, call) {
        Ok(_) => Some(format!("a call {what} is accepted at {pointer}")),
        Err(error) if error.code() != ErrorCode::InvalidInput => {
            Some(format!("a call {what} answers `{}`", error.code()))
        }
        Err(error) => (!error.issues().iter().any(|issue| issue.pointer.starts_with(pointer)))
            .then(|| format!("a call {what} is refused without naming {pointer}: {error}")),
    }
}

/// The member schemas of `object` that have a plain type, with an example each.
fn typed_members<'schema>(
    object: &'schema Map<String, Value>,
    value: &Value,
) -> Vec<(&'schema String, &'schema Map<String, Value>, Value)> {
    let members = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    members
        .filter_map(|(name, schema)| {
            Some((name, schema.as_object().filter(|schema| schema.contains_key("type"))?, value.get(name)?.clone()))
        })
        .collect()
}

fn wrong_type_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples(tool) {
        for (name, schema, _) in typed_members(tool.definition().input_schema(), &example) {
            let other = if schema.get("type") == Some(&json!("boolean")) { json!("true") } else { json!(true) };
            let mut call = example.clone();
            call[name] = other;
            wrong.extend(refused_at(tool, &call, &crate::arguments::join("", name), "with a value of a wrong type"));
        }
    }
    wrong
}

fn out_of_bounds_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples(tool) {
        for (name, schema, value) in typed_members(tool.definition().input_schema(), &example) {
            for outside in outside(schema, &value) {
                let mut call = example.clone();
                call[name] = outside;
                wrong.extend(refused_at(tool, &call, &crate::arguments::join("", name), "out of a stated bound"));
            }
        }
    }
    wrong
}

/// Values just past each bound that `schema` states.
fn outside(schema: &Map<String, Value>, value: &Value) -> Vec<Value> {
    const LONGEST: u64 = 100_000;
    let size = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let repeat = |length: u64| usize::try_from(length).unwrap_or(usize::MAX);
    let mut values = Vec::new();
    values.extend(size("minLength").filter(|bound| *bound > 0).map(|bound| json!("x".repeat(repeat(bound - 1)))));
    values.extend(size("maxLength").filter(|bound| *bound < LONGEST).map(|bound| json!("x".repeat(repeat(bound + 1)))));
    values
        .extend(schema.get("minimum").and_then(Value::as_i64).and_then(|bound| bound.checked_sub(1)).map(Value::from));
    values
        .extend(schema.get("maximum").and_then(Value::as_i64).and_then(|bound| bound.checked_add(1)).map(Value::from));
    if let Some(first) = value.as_array().and_then(|items| items.first()) {
        values.extend(
            size("minItems").filter(|bound| *bound > 0).map(|bound| vec![first.clone(); repeat(bound - 1)].into()),
        );
        values.extend(
            size("maxItems")
                .filter(|bound| *bound < LONGEST)
                .map(|bound| vec![first.clone(); repeat(bound + 1)].into()),
        );
    }
    if schema.contains_key("enum") {
        values.push(json!("definitely no word of this enum"));
    }
    values
}

fn null_means_absent(tool: &Tool) -> Vec<String> {
    let schema = tool.definition().input_schema();
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let optional = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let optional: Vec<&String> = optional.filter(|name| !required.contains(&json!(name))).collect();
    let mut wrong = Vec::new();
    for example in examples(tool) {
        for name in &optional {
            let mut absent = example.clone();
            let mut null = example.clone();
            absent.as_object_mut().map(|object| object.shift_remove(*name));
            null[*name] = Value::Null;
            match (door(tool, &absent), door(tool, &null)) {
                (Ok(absent), Ok(null)) if absent == null => {}
                _ => wrong.push(format!("null for the optional `{name}` is not the same as leaving it out")),
            }
        }
    }
    wrong
}

fn what_validates_deserialises(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples(tool) {
        let mut calls: Vec<(String, Value)> =
            nasty_values().iter().flat_map(|nasty| replace_each(&example, nasty)).collect();
        calls.extend(pointers(&example).into_iter().filter_map(|pointer| {
            let mut call = example.clone();
            let (parent, key) = pointer.rsplit_once('/')?;
            call.pointer_mut(parent)?.as_object_mut()?.shift_remove(key);
            Some((pointer, call))
        }));
        for (pointer, call) in calls {
            let Ok(arguments) = door(tool, &call) else { continue };
            if let Err(error) = tool.entry().accepts(arguments) {
                wrong.push(format!(
                    "a call that differs from an example at {pointer} fits the schema but not the type: {error}"
                ));
            }
        }
    }
    wrong
}

fn strict_round_trip(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    let Ok(projection) = openai::strict_tools(&[tool.definition()]) else { return wrong };
    let function = &projection.document[0]["function"];
    let Value::Object(schema) = &function["parameters"] else {
        return vec!["the strict form has no schema".to_owned()];
    };
    if function["strict"] == json!(true) {
        for example in examples(tool) {
            let mut call = example.clone();
            for name in schema["properties"].as_object().into_iter().flat_map(Map::keys) {
                if let Value::Object(call) = &mut call {
                    call.entry(name).or_insert(Value::Null);
                }
            }
            let same = matches!((door(tool, &example), door(tool, &call)), (Ok(loose), Ok(strict)) if loose == strict);
            if !same {
                wrong.push(format!("a strict client's form of the example {example} is not taken like the example"));
            }
        }
    }
    // A projection that panics on a legal contract would take every tool with it.
    let _ = gemini::function_declarations(&[tool.definition()]);
    wrong
}
