//! The laws that call the door, with arguments made of each tool's own examples.

use serde_json::{Map, Value, json};

use super::corpus::{nasty_texts, nasty_values, pointers, replace_each};
use super::parts::{Part, parts};
use crate::arguments::{Arguments, Refusal, accept, join, read};
use crate::error::{ErrorCode, ToolError};
use crate::projection::openai;
use crate::registry::Tool;
use crate::validator;

/// The door's answer to `arguments`: what the handler would get, or why not.
fn door(tool: &Tool, arguments: &Value) -> Result<Map<String, Value>, ToolError> {
    let sent = read(Arguments::Text(arguments.to_string())).map_err(|refusal| match refusal {
        Refusal::Invalid(error) => error,
        Refusal::NotAnObject(found) => ToolError::invalid_input(format!("arguments are {}", found.found)),
    })?;
    accept(sent, tool.definition().input_schema(), tool.input_validator()?)
}

/// Valid calls with all their parts, or none where [`valid_example`] reports already.
fn examples(tool: &Tool) -> Vec<(Value, Vec<Part<'_>>)> {
    let examples = tool.definition().examples().unwrap_or_default();
    let valid = examples.into_iter().filter(|example| door(tool, example).is_ok());
    valid
        .map(|example| {
            let parts = parts(tool.definition().input_schema(), &example);
            (example, parts)
        })
        .collect()
}

pub(super) fn valid_example(tool: &Tool) -> Vec<String> {
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

pub(super) fn required_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        for part in &parts {
            for name in part.required() {
                let call = changed(&example, &part.pointer, |object| drop(object.shift_remove(name)));
                wrong.extend(refused_at(tool, &call, &join(&part.pointer, name), "without a required member"));
            }
        }
    }
    wrong
}

pub(super) fn unknown_refused(tool: &Tool) -> Vec<String> {
    const UNKNOWN: &str = "definitely_no_member_of_this_tool";
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        for part in parts.iter().filter(|part| part.schema.contains_key("properties")) {
            let call = changed(&example, &part.pointer, |object| drop(object.insert(UNKNOWN.to_owned(), json!(1))));
            wrong.extend(refused_at(tool, &call, &join(&part.pointer, UNKNOWN), "with an unknown key"));
        }
    }
    wrong
}

pub(super) fn wrong_type_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        for part in parts.iter().filter(|part| !part.pointer.is_empty()) {
            let Some(kind) = part.schema.get("type").and_then(Value::as_str) else { continue };
            let other = if kind == "boolean" { json!("true") } else { json!(true) };
            wrong.extend(refused_at(
                tool,
                &replaced(&example, part, other),
                &part.pointer,
                "with a value of a wrong type",
            ));
        }
    }
    wrong
}

pub(super) fn out_of_bounds_refused(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        for part in parts.iter().filter(|part| !part.pointer.is_empty()) {
            for outside in outside(part.schema, example.pointer(&part.pointer)) {
                wrong.extend(refused_at(
                    tool,
                    &replaced(&example, part, outside),
                    &part.pointer,
                    "out of a stated bound",
                ));
            }
        }
    }
    wrong
}

pub(super) fn null_means_absent(tool: &Tool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        for part in &parts {
            for name in part.optional() {
                let absent = changed(&example, &part.pointer, |object| drop(object.shift_remove(name)));
                let null = changed(&example, &part.pointer, |object| drop(object.insert(name.to_owned(), Value::Null)));
                let same = matches!((door(tool, &absent), door(tool, &null)), (Ok(absent), Ok(null)) if absent == null);
                if !same {
                    let place = join(&part.pointer, name);
                    wrong.push(format!("null for the optional {place} is not the same as leaving it out"));
                }
            }
        }
    }
    wrong
}

pub(super) fn what_validates_deserialises(tool: &Tool) -> Vec<String> {
    let nasty = nasty_values();
    let mut wrong = Vec::new();
    for (example, _) in examples(tool) {
        let replaced = nasty.iter().flat_map(|nasty| replace_each(&example, nasty));
        let shortened = pointers(&example).into_iter().map(|pointer| {
            let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
            let call = changed(&example, parent, |object| drop(object.shift_remove(key)));
            (pointer, call)
        });
        for (pointer, call) in replaced.chain(shortened) {
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

pub(super) fn strict_round_trip(tool: &Tool) -> Vec<String> {
    let Ok(projection) = openai::strict_tools(&[tool.definition()]) else { return Vec::new() };
    if projection.document[0]["function"]["strict"] != json!(true) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for (example, parts) in examples(tool) {
        let mut call = example.clone();
        for part in &parts {
            for name in part.optional() {
                call = changed(&call, &part.pointer, |object| {
                    object.entry(name).or_insert(Value::Null);
                });
            }
        }
        let same = matches!((door(tool, &example), door(tool, &call)), (Ok(loose), Ok(strict)) if loose == strict);
        if !same {
            wrong.push(format!("a strict client's form of the example {example} is not taken like the example"));
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
        Err(error) => {
            let named = error.issues().iter().any(|issue| issue.pointer.starts_with(pointer));
            (!named).then(|| format!("a call {what} is refused without naming {pointer}: {error}"))
        }
    }
}

/// `example` with the object at `pointer` changed.
fn changed(example: &Value, pointer: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Value {
    let mut call = example.clone();
    if let Some(Value::Object(object)) = call.pointer_mut(pointer) {
        change(object);
    }
    call
}

/// `example` with `value` in the place of `part`.
fn replaced(example: &Value, part: &Part<'_>, value: Value) -> Value {
    let mut call = example.clone();
    if let Some(place) = call.pointer_mut(&part.pointer) {
        *place = value;
    }
    call
}

/// Values just past each bound that `schema` states; `inside` is one within all of them.
fn outside(schema: &Map<String, Value>, inside: Option<&Value>) -> Vec<Value> {
    /// Larger bounds are not worth the memory.
    const LONGEST: u64 = 100_000;
    let size = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).filter(|bound| *bound < LONGEST);
    let below = |keyword: &str| Some(usize::try_from(size(keyword)?.checked_sub(1)?).unwrap_or(0));
    let above = |keyword: &str| Some(usize::try_from(size(keyword)? + 1).unwrap_or(0));
    let integer = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
    let text = |length: usize| json!("x".repeat(length));
    let mut values = Vec::new();
    values.extend(below("minLength").map(text));
    values.extend(above("maxLength").map(text));
    values.extend(integer("minimum").and_then(|bound| bound.checked_sub(1)).map(Value::from));
    values.extend(integer("maximum").and_then(|bound| bound.checked_add(1)).map(Value::from));
    values.extend(["exclusiveMinimum", "exclusiveMaximum"].iter().filter_map(|keyword| schema.get(*keyword).cloned()));
    values.extend(schema.get("multipleOf").and_then(Value::as_f64).map(|step| json!(step / 2.0)));
    values.extend(schema.get("enum").map(|_| json!("definitely no word of this enum")));
    values.extend(below("minProperties").map(|_| json!({})));
    if let Some(first) = inside.and_then(|inside| inside.get(0)) {
        let items = |length: usize| Value::Array(vec![first.clone(); length]);
        values.extend(below("minItems").map(items));
        values.extend(above("maxItems").map(items));
        values.extend((schema.get("uniqueItems") == Some(&json!(true))).then(|| items(2)));
    }
    if let Some(pattern) = schema.get("pattern")
        && let Ok(matching) = validator::compile(&json!({ "pattern": pattern }))
    {
        values.extend(nasty_texts().into_iter().map(Value::from).find(|text| !matching.is_valid(text)));
    }
    values
}
