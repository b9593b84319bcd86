//! How long a comparison of two lists takes, and how that grows with their length.
//!
//! `cargo bench -p contract-tests --bench evolution`

use std::time::{Duration, Instant};

use contract_core::evolution::{AnyMetadata, ToolList, Verdict, compare};
use contract_core::serde_json::{self, Value};
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

fn timed(old: &ToolList, new: &ToolList) -> (Duration, usize) {
    let start = Instant::now();
    let report = compare(old, new, &AnyMetadata);
    (start.elapsed(), report.count(Verdict::Breaking))
}

fn main() {
    for count in [163, 1_000, 10_000] {
        let (old, same) = (list(count, false), list(count, false));
        let (elapsed, _) = timed(&old, &same);
        print_line(&format!("{count:>6} tools, nothing changed: {elapsed:.1?}"));
    }
    for count in [163, 1_000] {
        let (elapsed, breaking) = timed(&list(count, false), &list(count, true));
        print_line(&format!(
            "{count:>6} tools, every upper bound of every input lower ({breaking} breaks): {elapsed:.1?}"
        ));
    }
}
