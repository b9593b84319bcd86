//! What changed between two lists of MCP tools, and what that means for those who call them.
//!
//! Inputs may only widen, outputs are a floor. A change of a schema is *breaking* when there is a value that shows it: one
//! that the old input took and the new one refuses, or that the new output sends and the old one never did. It is *compatible*
//! when inclusion of the one schema in the other is proved. What is neither says which keyword it hangs on and stays
//! *undecided*. No opinion is asked: a witness is held against the validator before it is shown, and a proof is set algebra
//! over the schemas.
//!
//! ```
//! use contract_core::evolution::{AnyMetadata, ToolList, Verdict, compare};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let input = |most: u32| json!({
//!     "type": "object",
//!     "properties": { "limit": { "type": "integer", "minimum": 1, "maximum": most } },
//!     "additionalProperties": false
//! });
//! let old = ToolList::read(&json!([{ "name": "search", "inputSchema": input(100) }]))?;
//! let new = ToolList::read(&json!([{ "name": "search", "inputSchema": input(50) }]))?;
//! let report = compare(&old, &new, &AnyMetadata);
//! assert_eq!(report.verdict(), Verdict::Breaking);
//! assert_eq!(report.changes[0].witness, Some(json!({ "limit": 51 })));
//! assert_eq!(compare(&new, &old, &AnyMetadata).verdict(), Verdict::Compatible);
//! # Ok(())
//! # }
//! ```
//!
//! # What is decided how
//!
//! Formats are asserted, as the standard's validators do; a format outside the standard is a note for people. Patterns are
//! searched for, in the syntax that JSON Schema shares with Rust; two patterns are compared as automata. A schema
//! without `$schema` is one of 2020-12, as MCP says; drafts 4 to 2019-09 are read as what they mean in 2020-12, where `$schema`
//! names them, and what a dialect does not know asserts nothing in it. An object that is not closed takes any undeclared property, so declaring one
//! narrows it. References are followed inside of the document, by pointer, `$anchor` and `$id`; one out of it and `$dynamicRef`
//! are not.
//!
//! Work is counted in steps, not by a clock: some millions for one schema, more for a longer one, and a number for both lists.
//! What would take more stays undecided, hangs on the word `budget`, and is the same on every machine. So does a schema that no
//! validator can hold a value against in time, such as one whose definitions each use the last one twice.

mod annotations;
mod backtracking;
mod branches;
mod cost;
mod depth;
mod dialect;
mod digits;
mod disjoint;
mod document;
mod drafts;
mod edit;
mod effort;
mod inclusion;
mod keywords;
mod local;
mod members;
mod merge;
mod metadata;
mod numbers;
mod objects;
mod pattern;
mod places;
mod recursion;
mod references;
mod report;
mod sameness;
mod schemas;
mod structure;
mod telling;
mod text;
mod tools;
mod unreadable;
mod unwalked;
mod values;
mod verdict;
mod walk;
mod way;
mod weight;
mod width;
mod witness;
mod words;

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value, json};

pub(crate) use self::dialect::kind;
use self::effort::Effort;
pub use self::metadata::{AnyMetadata, MetadataRules};
use self::pattern::Patterns;
pub(crate) use self::references::decoded;
pub use self::report::Report;
pub(crate) use self::telling::cut;
pub(crate) use self::tools::listed;
pub use self::tools::{NotAToolList, ToolList, read_document};
pub use self::verdict::{Bump, Change, Direction, Rule, Verdict};

/// Compares two lists of tools; `rules` says what changes of `_meta` mean.
pub fn compare(old: &ToolList, new: &ToolList, rules: &dyn MetadataRules) -> Report {
    let mut report = Report::default();
    let patterns = Patterns::default();
    let (by_old_name, by_new_name) = (old.by_name(), new.by_name());
    let added: Vec<&Map<String, Value>> =
        new.tools().iter().filter(|tool| !by_old_name.contains_key(tools::name(tool))).collect();
    // Tools of different names are one tool when they say the same.
    let mut twins: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (place, tool) in added.iter().enumerate() {
        twins.entry(said(tool)).or_default().push_back(place);
    }
    let mut is_new = vec![true; added.len()];
    let size = |tool: &Map<String, Value>| {
        let schemas = ["inputSchema", "outputSchema"].iter().filter_map(|side| tool.get(*side));
        schemas.map(way::value_size).sum::<u64>()
    };
    let most = effort::of_lists(old.tools().iter().chain(new.tools()).map(size).sum());
    for tool in old.tools() {
        let name = tools::name(tool);
        if let Some(successor) = by_new_name.get(name) {
            report.changes.extend(metadata::compare(name, tool, successor, rules));
            for compare in [compare_input, compare_output] {
                let size = size(tool) + size(successor);
                let effort = Effort::new(&patterns, size, most.saturating_sub(report.steps));
                report.changes.extend(compare(name, tool, successor, &effort));
                report.steps += effort.spent();
            }
            report.changes.extend(digits::compare(name, old.written(name), new.written(name)));
            continue;
        }
        let twin = twins.get_mut(&said(tool)).and_then(VecDeque::pop_front);
        report.changes.push(match twin.and_then(|place| Some((place, added.get(place)?))) {
            Some((place, twin)) => {
                is_new[place] = false;
                let message = format!("it is called `{}` now", tools::name(twin));
                Change::about(name, Rule::ToolRenamed, message, Verdict::Breaking)
            }
            None => Change::about(name, Rule::ToolRemoved, "the tool is gone", Verdict::Breaking),
        });
    }
    report.changes.extend(
        added
            .iter()
            .zip(is_new)
            .filter(|(_, is_new)| *is_new)
            .map(|(tool, _)| Change::about(tools::name(tool), Rule::ToolAdded, "the tool is new", Verdict::Compatible)),
    );
    report
}

/// All that a tool says of itself but its name, as one text.
fn said(tool: &Map<String, Value>) -> String {
    ["description", "inputSchema", "outputSchema"]
        .map(|member| tool.get(member).map(words::key).unwrap_or_default())
        .join("\n")
}

/// Compares two schemas by themselves: what is sent, or what is answered.
pub fn compare_schemas(direction: Direction, old: &Value, new: &Value) -> Vec<Change> {
    let patterns = Patterns::default();
    let effort = Effort::new(&patterns, way::value_size(old) + way::value_size(new), u64::MAX);
    schemas::compare("", direction, old, new, &effort)
}

/// The smallest value found that `schema` takes.
pub(crate) fn smallest(schema: &Value) -> Option<Value> {
    let document = document::Document::read(schema, "schema").ok()?;
    let (hints, patterns) = (values::Hints::default(), Patterns::default());
    let effort = Effort::new(&patterns, way::value_size(schema), u64::MAX);
    let judge = document::validator(&document.whole(), &effort)?;
    let values = values::Values::new(&document, &hints, &effort).of_document();
    values.into_iter().find(|value| judge.takes(value))
}

fn compare_input(name: &str, old: &Map<String, Value>, new: &Map<String, Value>, effort: &Effort<'_>) -> Vec<Change> {
    let any = json!({ "type": "object" });
    let schema = |tool: &Map<String, Value>| tool.get("inputSchema").unwrap_or(&any).clone();
    schemas::compare(name, Direction::Input, &schema(old), &schema(new), effort)
}

fn compare_output(name: &str, old: &Map<String, Value>, new: &Map<String, Value>, effort: &Effort<'_>) -> Vec<Change> {
    match (old.get("outputSchema"), new.get("outputSchema")) {
        (Some(old), Some(new)) => schemas::compare(name, Direction::Output, old, new, effort),
        (None, Some(_)) => {
            let message = "the tool says what it answers, and did not";
            let change = Change::about(name, Rule::OutputSchemaAdded, message, Verdict::Compatible);
            vec![Change { direction: Some(Direction::Output), ..change }]
        }
        (Some(old), None) => {
            // Nothing is promised any more, not even an object.
            let found = schemas::compare(name, Direction::Output, old, &json!(true), effort);
            let witness = found.into_iter().find_map(|change| change.witness);
            let verdict = if witness.is_some() { Verdict::Breaking } else { Verdict::Dangerous };
            let message = "the tool no longer says what it answers";
            let change = Change::about(name, Rule::OutputSchemaRemoved, message, verdict);
            vec![Change { direction: Some(Direction::Output), witness, ..change }]
        }
        (None, None) => Vec::new(),
    }
}
