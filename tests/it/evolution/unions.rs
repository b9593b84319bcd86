//! Unions in unions: what is told apart by a glance is read branch by branch.

use contract_core::evolution::{AnyMetadata, Report, ToolList, Verdict, compare};
use contract_core::serde_json::{Map, Value, json};

/// The most steps for one of them.
const MOST: u64 = 400_000;

/// A schema of so many branches at each of so many levels, whose innermost bound is `most`.
type Shape = fn(levels: usize, branches: usize, most: usize) -> Value;

const SHAPES: [(&str, Shape); 4] = [
    ("by bounds", by_bounds),
    ("by what must be there", by_members),
    ("by kinds", by_kinds),
    ("by a member's kind", by_a_members_kind),
];

fn innermost(most: usize) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": most })
}

/// Objects whose count tells them apart.
fn by_bounds(levels: usize, branches: usize, most: usize) -> Value {
    if levels == 0 {
        return innermost(most);
    }
    let branch = |place: usize| {
        json!({
            "type": "object",
            "properties": {
                "count": { "type": "integer", "minimum": 10 * place, "maximum": 10 * place + 9 },
                "inner": by_bounds(levels - 1, branches, most)
            },
            "required": ["count", "inner"]
        })
    };
    json!({ "oneOf": (0..branches).map(branch).collect::<Vec<Value>>() })
}

/// Closed objects of other members.
fn by_members(levels: usize, branches: usize, most: usize) -> Value {
    if levels == 0 {
        return innermost(most);
    }
    let branch = |place: usize| {
        let name = format!("p{place}");
        let properties = Map::from_iter([(name.clone(), by_members(levels - 1, branches, most))]);
        json!({ "type": "object", "properties": properties, "required": [name], "additionalProperties": false })
    };
    json!({ "oneOf": (0..branches).map(branch).collect::<Vec<Value>>() })
}

/// Texts, lists and what is deeper.
fn by_kinds(levels: usize, branches: usize, most: usize) -> Value {
    if levels == 0 {
        return innermost(most);
    }
    let deeper = by_kinds(levels - 1, branches, most);
    let mut kinds = vec![
        json!({ "type": "object", "properties": { "inner": deeper } }),
        json!({ "type": "array", "items": deeper }),
        json!({ "type": "string", "maxLength": most }),
        json!({ "type": "number", "maximum": most }),
        json!({ "type": ["boolean", "null"] }),
    ];
    kinds.truncate(branches);
    json!({ "oneOf": kinds })
}

/// Open objects with a member whose type is another in each.
fn by_a_members_kind(levels: usize, branches: usize, most: usize) -> Value {
    if levels == 0 {
        return innermost(most);
    }
    let kinds = ["string", "integer", "boolean", "null", "array"];
    let branch = |place: usize| {
        json!({
            "type": "object",
            "properties": { "id": { "type": kinds[place] }, "inner": by_a_members_kind(levels - 1, branches, most) },
            "required": ["id"]
        })
    };
    json!({ "oneOf": (0..branches).map(branch).collect::<Vec<Value>>() })
}

fn compared(old: &Value, new: &Value) -> Report {
    let only = |schema: &Value| {
        let schema = json!({ "type": "object", "properties": { "under": schema }, "additionalProperties": false });
        ToolList::read(&json!([{ "name": "only", "inputSchema": schema }])).unwrap()
    };
    compare(&only(old), &only(new), &AnyMetadata)
}

#[test]
fn a_bound_in_unions_within_each_other_is_decided_both_ways() {
    for (what, shape) in SHAPES {
        for (levels, branches) in [(1, 3), (2, 3), (3, 3), (2, 5)] {
            let (small, large) = (shape(levels, branches, 7), shape(levels, branches, 9));
            let (widened, narrowed) = (compared(&small, &large), compared(&large, &small));
            let told = format!("{what}, {levels} levels of {branches}");
            assert_eq!(widened.verdict(), Verdict::Compatible, "{told}: {:?}", widened.changes);
            assert_eq!(narrowed.verdict(), Verdict::Breaking, "{told}");
            assert_eq!(narrowed.count(Verdict::Undecided), 0, "{told}: {:?}", narrowed.changes);
            assert!(widened.steps.max(narrowed.steps) < MOST, "{told}: {} and {} steps", widened.steps, narrowed.steps);
        }
    }
}

#[test]
fn branches_that_share_a_value_are_no_union_of_their_values() {
    let shared =
        |most: usize| json!({ "oneOf": [{ "type": "integer", "maximum": most }, { "type": "number", "minimum": 3 }] });
    let report = compared(&shared(2), &shared(5));
    let witnesses: Vec<&Value> = report.changes.iter().filter_map(|change| change.witness.as_ref()).collect();
    assert_eq!(report.verdict(), Verdict::Breaking, "{:?}", report.changes);
    assert!(
        witnesses.iter().all(|value| value["under"].as_i64().is_some_and(|value| (3..=5).contains(&value))),
        "{witnesses:?}"
    );
}
