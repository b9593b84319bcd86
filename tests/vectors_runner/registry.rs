//! `contract-registry`: the facts of each tool, read off the list that clients get.

use contract_tests::vectors::Vector;
use serde_json::{Value, json};

use super::World;

pub(crate) fn contract_registry(world: &World, vector: &Vector) -> Result<Value, String> {
    let name = &vector.input["tool"];
    let tool = world.tools()?.iter().find(|tool| &tool["name"] == name);
    let tool = tool.ok_or_else(|| format!("there is no tool {name}"))?;
    let (meta, annotations) = (&tool["_meta"], &tool["annotations"]);
    let (input, output) = (&tool["inputSchema"], &tool["outputSchema"]);
    let properties: Vec<&String> =
        input["properties"].as_object().into_iter().flat_map(|members| members.keys()).collect();
    Ok(json!({
        "category": meta["category"],
        "auth": meta["auth"],
        "locality": meta["locality"],
        "availability": meta["availability"],
        "annotations": annotations,
        "inputRequired": in_order_of(&vector.expect["inputRequired"], names(&input["required"])),
        "inputProperties": in_order_of(&vector.expect["inputProperties"], json!(properties)),
        "inputAdditionalProperties": input["additionalProperties"],
        "outputRequired": in_order_of(&vector.expect["outputRequired"], names(&output["required"])),
        "outputAdditionalProperties": open(output.get("additionalProperties")),
    }))
}

/// An absent list is an empty one.
fn names(list: &Value) -> Value {
    if list.is_null() { json!([]) } else { list.clone() }
}

/// The names in the order of `expected` when they are the same ones: neither list has an order that means anything.
fn in_order_of(expected: &Value, actual: Value) -> Value {
    let sorted = |list: &Value| {
        let mut names: Vec<String> = list.as_array().into_iter().flatten().map(Value::to_string).collect();
        names.sort();
        names
    };
    if sorted(expected) == sorted(&actual) { expected.clone() } else { actual }
}

/// The three ways to say that any further member is allowed, as the vectors say it.
fn open(additional: Option<&Value>) -> Value {
    match additional {
        None | Some(Value::Bool(true)) => json!({}),
        Some(additional) => additional.clone(),
    }
}
