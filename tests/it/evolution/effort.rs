//! What a comparison costs, counted in its own steps: it grows with what changed, and it ends.

use contract_core::evolution::{AnyMetadata, Report, ToolList, Verdict, compare};
use contract_core::serde_json::{self, Map, Value, json};
use contract_tests::workspace::root;

/// The most that the two schemas of one tool may cost, with what the last thing that was afforded still asks.
const MOST: u64 = 2 * 8_000_000;

fn only(schema: &Value) -> ToolList {
    ToolList::read(&json!([{ "name": "only", "inputSchema": schema }])).unwrap()
}

fn compared(old: &Value, new: &Value) -> Report {
    compare(&only(old), &only(new), &AnyMetadata)
}

fn under(schema: &Value) -> Value {
    json!({ "type": "object", "properties": { "under": schema }, "additionalProperties": false })
}

fn properties(count: usize, part: impl Fn(usize) -> Value) -> Value {
    let properties: Map<String, Value> = (0..count).map(|place| (format!("p{place}"), part(place))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn union(keyword: &str, count: usize, most: usize) -> Value {
    let branch = |place: usize| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": format!("k{place}") }, "count": { "type": "integer", "maximum": most } },
            "required": ["kind"]
        })
    };
    under(&json!({ keyword: (0..count).map(branch).collect::<Vec<Value>>() }))
}

fn words(count: usize, most: usize) -> Value {
    under(&json!({ "enum": (0..count).map(|place| format!("w{}", place * most)).collect::<Vec<String>>() }))
}

/// A schema of so many parts, each with such a bound.
type Shape = fn(usize, usize) -> Value;

#[test]
fn a_schema_with_twice_the_changes_costs_about_twice_the_steps() {
    let shapes: [(&str, Shape); 4] = [
        ("properties", |count, most| properties(count, |_| json!({ "type": "string", "maxLength": most }))),
        ("anyOf", |count, most| union("anyOf", count, most)),
        ("oneOf", |count, most| union("oneOf", count, most)),
        ("enum", words),
    ];
    for (what, shape) in shapes {
        for (from, to) in [(9, 8), (8, 9)] {
            let steps = |count: usize| {
                let report = compared(&shape(count, from), &shape(count, to));
                assert_eq!(report.count(Verdict::Undecided), 0, "{what} {from} to {to}");
                report.steps
            };
            let (once, twice) = (steps(100), steps(200));
            assert!(twice < 3 * once, "{what} {from} to {to}: {once} steps for 100 and {twice} for 200");
        }
    }
}

/// Every upper bound one lower.
fn lowered(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (keyword, member) in members {
                match (keyword.as_str(), member.as_i64()) {
                    ("maxLength" | "maximum" | "maxItems", Some(most)) => *member = (most - 1).max(1).into(),
                    _ => lowered(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(lowered),
        _ => {}
    }
}

#[test]
fn every_bound_of_the_contract_can_be_another_at_little_cost_a_tool() {
    let text = std::fs::read_to_string(root().join("contract-tools/contract.json")).unwrap();
    let contract: Value = serde_json::from_str(&text).unwrap();
    let old = contract["tools"].as_array().unwrap().clone();
    let mut new = old.clone();
    for tool in &mut new {
        lowered(&mut tool["inputSchema"]);
    }
    let count = old.len() as u64;
    let (old, new) = (ToolList::read(&old.into()).unwrap(), ToolList::read(&new.into()).unwrap());
    let narrowed = compare(&old, &new, &AnyMetadata);
    assert!(narrowed.count(Verdict::Breaking) > 0);
    assert_eq!(narrowed.count(Verdict::Undecided), 0);
    assert!(narrowed.steps < count * 40_000, "{} steps for {count} tools", narrowed.steps);
    let widened = compare(&new, &old, &AnyMetadata);
    assert_eq!(widened.count(Verdict::Compatible), widened.changes.len());
    assert!(widened.steps < count * 10_000, "{} steps for {count} tools", widened.steps);
}

#[test]
fn a_comparison_that_would_not_end_says_so_and_where() {
    let combined = |most: usize| {
        let branch = |one: usize, other: usize| {
            let properties = Map::from_iter([(format!("p{one}_{other}"), json!({ "maximum": most + other }))]);
            json!({ "type": "object", "properties": properties })
        };
        let union = |one: usize| json!({ "anyOf": (0..8).map(|other| branch(one, other)).collect::<Vec<Value>>() });
        under(&json!({ "allOf": (0..8).map(union).collect::<Vec<Value>>() }))
    };
    let named = |most: usize| {
        properties(8, |place| json!({ "type": "string", "pattern": format!("^(?!x{place})(a+)+{most}$") }))
    };
    for (old, new) in [(combined(9), combined(8)), (named(9), named(8))] {
        let report = compared(&old, &new);
        assert!(report.steps < MOST, "{} steps", report.steps);
        assert_eq!(report.verdict(), Verdict::Undecided);
        let spent: Vec<_> =
            report.changes.iter().filter(|change| change.keywords.iter().any(|word| word == "budget")).collect();
        assert!(!spent.is_empty(), "nothing says that the budget is spent: {:?}", report.changes);
        for change in spent {
            assert!(!change.place.is_empty(), "{change:?}");
            assert!(change.message.contains("steps"), "{change:?}");
        }
        assert_eq!(report, compared(&old, &new), "another run gives another answer");
    }
}
