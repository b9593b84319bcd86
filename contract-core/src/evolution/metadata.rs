//! What is told about a tool beside its schemas: words, hints, and what its own house says in `_meta`.

use serde_json::{Map, Value};

use super::telling;
use super::verdict::{Change, Rule, Verdict};

/// The hints of MCP and what each is when it is not stated.
const HINTS: [(&str, bool); 4] =
    [("readOnlyHint", false), ("destructiveHint", true), ("idempotentHint", false), ("openWorldHint", true)];

/// Rules of one house about `_meta`, which MCP leaves to everybody.
pub trait MetadataRules {
    /// What changes between two tools' `_meta` mean. Both are the whole objects, empty when absent.
    fn compare(&self, tool: &str, old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Change>;
}

/// Knows no house: any change of `_meta` is dangerous, since somebody may go by it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyMetadata;

impl MetadataRules for AnyMetadata {
    fn compare(&self, tool: &str, old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Change> {
        different(old, new)
            .map(|name| {
                let message = telling::value(&format!("`_meta.{name}`"), old.get(name), new.get(name));
                Change::about(tool, Rule::Metadata, message, Verdict::Dangerous)
            })
            .collect()
    }
}

/// The names under which two objects differ, each once.
pub(super) fn different<'names>(
    old: &'names Map<String, Value>,
    new: &'names Map<String, Value>,
) -> impl Iterator<Item = &'names String> {
    let all = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    all.filter(|name| old.get(*name) != new.get(*name))
}

impl Change {
    /// A change of what is told about a tool itself.
    pub fn about(tool: &str, rule: Rule, message: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            tool: tool.to_owned(),
            direction: None,
            rule,
            place: String::new(),
            also_at: Vec::new(),
            more_places: Some(0),
            message: message.into(),
            verdict,
            witness: None,
            keywords: Vec::new(),
        }
    }
}

/// What differs beside the schemas.
pub(super) fn compare(
    tool: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    rules: &dyn MetadataRules,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for name in different(old, new) {
        let (before, after) = (old.get(name), new.get(name));
        match name.as_str() {
            "name" | "inputSchema" | "outputSchema" => {}
            "title" | "description" | "icons" => {
                changes.push(Change::about(
                    tool,
                    Rule::Words,
                    telling::value(name, before, after),
                    Verdict::Compatible,
                ));
            }
            "annotations" => hints(tool, &members(before), &members(after), &mut changes),
            "_meta" => changes.extend(rules.compare(tool, &members(before), &members(after))),
            _ => changes.push(Change::about(
                tool,
                Rule::Metadata,
                telling::value(name, before, after),
                Verdict::Dangerous,
            )),
        }
    }
    changes
}

fn members(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn hints(tool: &str, old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Vec<Change>) {
    for name in different(old, new) {
        let default = HINTS.iter().find(|(hint, _)| hint == name).map(|(_, default)| Value::Bool(*default));
        let means = |hints: &Map<String, Value>| hints.get(name).cloned().or_else(|| default.clone());
        let message = telling::value(name, old.get(name), new.get(name));
        let (rule, verdict) = if name == "title" {
            (Rule::Words, Verdict::Compatible)
        } else if means(old) == means(new) {
            // It is stated now, or no longer, and is what it was.
            (Rule::Hint, Verdict::Compatible)
        } else {
            (Rule::Hint, Verdict::Dangerous)
        };
        changes.push(Change::about(tool, rule, message, verdict));
    }
}
