//! How long a comparison of two lists takes, and how that grows: with the tools, and with what changed inside of one.
//!
//! `cargo bench -p contract-tests --bench evolution`; a word after `--` takes only the rows that hold it.

use std::time::Instant;

use contract_core::evolution::{AnyMetadata, ToolList, Verdict, compare};
use contract_core::serde_json::{self, Map, Value, json};
use contract_tests::print_line;
use contract_tests::workspace::root;

/// `count` tools after the committed ones; with `changed`, every bound and every required property of each is another.
fn list(count: usize, changed: bool) -> ToolList {
    let text = std::fs::read_to_string(root().join("contract-tools/contract.json")).expect("the contract is committed");
    let contract: Value = serde_json::from_str(&text).expect("the contract is JSON");
    let known = contract["tools"].as_array().expect("the contract lists tools");
    let tools = (0..count).map(|place| {
        let mut tool = known[place % known.len()].clone();
        tool["name"] = format!("tool_{place}").into();
        if changed {
            change(&mut tool["inputSchema"]);
        }
        tool
    });
    ToolList::read(&Value::Array(tools.collect())).expect("a list of tools")
}

fn change(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (keyword, member) in members {
                match (keyword.as_str(), &*member) {
                    ("maxLength" | "maximum" | "maxItems", Value::Number(number)) => {
                        *member = number.as_i64().map_or(Value::from(1), |most| (most - 1).max(1).into());
                    }
                    _ => change(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(change),
        _ => {}
    }
}

fn print_row(what: &str, old: &ToolList, new: &ToolList) {
    let start = Instant::now();
    let report = compare(old, new, &AnyMetadata);
    let elapsed = start.elapsed();
    let (breaking, undecided) = (report.count(Verdict::Breaking), report.count(Verdict::Undecided));
    print_line(&format!("{what}: {elapsed:.1?}, {} steps, {breaking} breaks, {undecided} undecided", report.steps));
}

/// One tool that takes `schema`.
fn only(schema: &Value) -> ToolList {
    ToolList::read(&json!([{ "name": "only", "inputSchema": schema }])).expect("a list of tools")
}

/// One schema against its successor, of `size` parts each.
struct Row {
    what: &'static str,
    schema: fn(usize, u64) -> Value,
}

/// `number` is the bound, the constant or the word that makes the successor another.
const ROWS: [Row; 10] = [
    Row { what: "optional properties, each bound lower", schema: |size, most| object(size, most, false) },
    Row { what: "required properties, each bound lower", schema: |size, most| object(size, most, true) },
    Row { what: "branches of `anyOf`, each bound lower", schema: |size, most| union("anyOf", size, most) },
    Row { what: "branches of `oneOf`, each bound lower", schema: |size, most| union("oneOf", size, most) },
    Row {
        what: "words of `enum`, half of them others",
        schema: |size, most| {
            let word = |place: usize| {
                format!("word-{}", if place.is_multiple_of(2) { place } else { place + size * most_of(most) })
            };
            under("word", &json!({ "type": "string", "enum": (0..size).map(word).collect::<Vec<String>>() }))
        },
    },
    Row {
        what: "levels of nesting, each bound lower",
        schema: |size, most| {
            let inner = json!({ "type": "integer", "maximum": most });
            (0..size.min(20)).fold(inner, |inner, _| {
                json!({ "type": "object", "properties": { "here": { "type": "integer", "maximum": most }, "inner": inner } })
            })
        },
    },
    Row {
        what: "unions that hold together, as many branches each",
        schema: |size, most| {
            let branch = |name: String, place: usize| json!({ "type": "object", "properties": { name: { "maximum": most_of(most) + place } } });
            let union = |one: usize| json!({ "anyOf": (0..size.min(12)).map(|place| branch(format!("p{one}_{place}"), place)).collect::<Vec<Value>>() });
            under("all", &json!({ "allOf": (0..size.min(12)).map(union).collect::<Vec<Value>>() }))
        },
    },
    Row {
        what: "definitions, each used twice by the next",
        schema: |size, most| {
            let next = |place: usize| json!({ "$ref": format!("#/$defs/d{place}") });
            let mut defined: Map<String, Value> = (0..size.min(60))
                .map(|place| (format!("d{place}"), json!({ "type": "object", "properties": { "a": next(place + 1), "b": next(place + 1), "c": { "maximum": most } } })))
                .collect();
            defined.insert(format!("d{}", size.min(60)), json!({ "type": "integer", "maximum": most }));
            json!({ "type": "object", "properties": { "first": next(0) }, "$defs": defined })
        },
    },
    Row {
        what: "patterns with look-around, each another",
        schema: |size, most| {
            let named: Map<String, Value> = (0..size)
                .map(|place| {
                    (format!("p{place}"), json!({ "type": "string", "pattern": format!("^(?!x{place})(a+)+{most}$") }))
                })
                .collect();
            json!({ "type": "object", "properties": named })
        },
    },
    Row {
        what: "exclusive unions within each other",
        schema: |size, most| {
            (0..size.min(7)).fold(json!({ "type": "integer", "maximum": most }), |inner, place| {
                json!({ "oneOf": [{ "type": "object", "properties": { "x": inner }, "minProperties": 1 }, { "not": inner }, { "type": "string", "minLength": place }] })
            })
        },
    },
];

fn most_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn under(name: &str, schema: &Value) -> Value {
    json!({ "type": "object", "properties": { name: schema }, "additionalProperties": false })
}

fn object(size: usize, most: u64, is_required: bool) -> Value {
    let names: Vec<String> = (0..size).map(|place| format!("property_{place}")).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({ "type": "string", "maxLength": most }))).collect();
    let required = if is_required { names } else { Vec::new() };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn union(keyword: &str, size: usize, most: u64) -> Value {
    let branch = |place: usize| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": format!("kind-{place}") }, "count": { "type": "integer", "maximum": most } },
            "required": ["kind"]
        })
    };
    under("either", &json!({ keyword: (0..size).map(branch).collect::<Vec<Value>>() }))
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    for (what, changed) in [("tools, nothing changed", false), ("tools, every upper bound of every input lower", true)]
    {
        for count in [163, 1_000, 10_000] {
            let what = format!("{count:>6} {what}");
            if what.contains(&wanted) {
                print_row(&what, &list(count, false), &list(count, changed));
            }
        }
    }
    for Row { what, schema } in ROWS {
        for size in [10, 100, 1_000, 10_000] {
            let what = format!("{size:>6} {what}");
            // Each required property stands in each witness: the report itself grows with the square.
            if !what.contains(&wanted)
                || (size > 1_000 && !what.contains("enum"))
                || (size > 20 && what.contains("levels"))
            {
                continue;
            }
            print_row(&what, &only(&schema(size, 9)), &only(&schema(size, 8)));
        }
    }
}
