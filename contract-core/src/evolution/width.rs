//! How many alternatives a schema comes to when its unions are multiplied out: what it costs to bring it into a form in which
//! sets are compared, told before the work is begun.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::dialect::{SCHEMA, SCHEMA_LIST, SCHEMAS_BY_NAME};

/// More alternatives than this are not counted.
const COUNTED: u64 = 1 << 40;

/// How far down it counts.
const DEEPEST: usize = 128;

/// The alternatives of a schema, and of what it does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    pub(super) taken: u64,
    pub(super) refused: u64,
    /// The most that any schema inside comes to, and all of them together.
    pub(super) most_refused: u64,
    pub(super) all: u64,
}

impl Width {
    const PLAIN: Self = Self { taken: 1, refused: 1, most_refused: 1, all: 1 };
}

/// The width of a document of its own, references below its `$defs`.
pub(super) fn width(whole: &Value) -> Width {
    Count { whole, known: HashMap::new() }.of(whole, 0)
}

struct Count<'schema> {
    whole: &'schema Value,
    known: HashMap<&'schema str, Width>,
}

impl<'schema> Count<'schema> {
    fn of(&mut self, schema: &'schema Value, depth: usize) -> Width {
        let Value::Object(members) = schema else { return Width::PLAIN };
        if depth > DEEPEST {
            return Width { taken: COUNTED, refused: COUNTED, most_refused: COUNTED, all: COUNTED };
        }
        let mut width = Width { refused: 0, ..Width::PLAIN };
        for (keyword, value) in members {
            let next = match keyword.as_str() {
                "$defs" | "definitions" => continue,
                "$ref" => value.as_str().map_or(Width::PLAIN, |reference| self.reference(reference, depth)),
                "not" => {
                    let inner = self.of(value, depth + 1);
                    Width { taken: inner.refused, refused: inner.taken, ..inner }
                }
                "allOf" => {
                    self.combined(value, depth, |all, one| (times(all.0, one.taken), plus(all.1, one.refused)), (1, 0))
                }
                "anyOf" | "oneOf" => self.union(keyword, value, depth),
                "if" => {
                    let inner = self.of(value, depth + 1);
                    let both = plus(inner.taken, inner.refused);
                    Width { taken: both, refused: both, ..inner }
                }
                _ => self.inside(keyword, value, depth),
            };
            width.taken = times(width.taken, next.taken);
            width.refused = plus(width.refused, next.refused);
            width.most_refused = width.most_refused.max(next.most_refused);
            width.all = plus(width.all, next.all);
        }
        width.refused = width.refused.max(1);
        width.most_refused = width.most_refused.max(width.refused);
        width.all = plus(width.all, width.taken);
        width
    }

    /// A keyword about parts of the value: they stand beside each other and are not multiplied.
    fn inside(&mut self, keyword: &str, value: &'schema Value, depth: usize) -> Width {
        let parts: Vec<&Value> = match value {
            _ if SCHEMA.contains(&keyword) => vec![value],
            Value::Object(named) if SCHEMAS_BY_NAME.contains(&keyword) => named.values().collect(),
            Value::Array(listed) if SCHEMA_LIST.contains(&keyword) => listed.iter().collect(),
            _ => return Width::PLAIN,
        };
        let mut width = Width { refused: 0, all: 0, ..Width::PLAIN };
        for part in parts {
            let part = self.of(part, depth + 1);
            width.refused = plus(width.refused, part.refused);
            width.most_refused = width.most_refused.max(part.most_refused);
            width.all = plus(width.all, part.all);
        }
        width
    }

    fn union(&mut self, keyword: &str, value: &'schema Value, depth: usize) -> Width {
        if is_apart(value) {
            return self.combined(value, depth, |all, one| (plus(all.0, one.taken), plus(all.1, one.refused)), (0, 0));
        }
        if keyword == "anyOf" {
            return self.combined(value, depth, |all, one| (plus(all.0, one.taken), times(all.1, one.refused)), (0, 1));
        }
        // Exactly one: each with none of the others.
        self.combined(
            value,
            depth,
            |all, one| {
                let each = times(all.0, plus(one.taken, one.refused));
                (each, each)
            },
            (1, 1),
        )
    }

    fn combined(
        &mut self,
        value: &'schema Value,
        depth: usize,
        add: fn((u64, u64), Width) -> (u64, u64),
        none: (u64, u64),
    ) -> Width {
        let (mut both, mut most_refused, mut all) = (none, 1, 0);
        for part in value.as_array().into_iter().flatten() {
            let part = self.of(part, depth + 1);
            both = add(both, part);
            most_refused = most_refused.max(part.most_refused);
            all = plus(all, part.all);
        }
        Width { taken: both.0.max(1), refused: both.1.max(1), most_refused, all }
    }

    fn reference(&mut self, reference: &'schema str, depth: usize) -> Width {
        if let Some(known) = self.known.get(reference) {
            // What it comes to inside was counted where it was met first.
            return Width { all: 1, ..*known };
        }
        self.known.insert(reference, Width::PLAIN);
        let target = reference.strip_prefix('#').and_then(|pointer| self.whole.pointer(pointer));
        let width = target.map_or(Width::PLAIN, |target| self.of(target, depth + 1));
        self.known.insert(reference, width);
        width
    }
}

/// Whether the branches of a union are told apart by a glance: by their types, or by a constant of a property.
fn is_apart(union: &Value) -> bool {
    let branches: Vec<&Map<String, Value>> =
        union.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let mut kinds: Vec<&str> =
        branches.iter().filter_map(|branch| branch.get("type").and_then(Value::as_str)).collect();
    kinds.sort_unstable();
    let count = kinds.len();
    kinds.dedup();
    let has_constant = |branch: &&Map<String, Value>| {
        let properties = branch.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties.map(|(_, schema)| schema).any(|schema| {
            schema.get("const").is_some()
                || schema.get("enum").and_then(Value::as_array).is_some_and(|words| words.len() == 1)
        })
    };
    (count == branches.len() && kinds.len() == count) || branches.iter().all(has_constant)
}

fn plus(one: u64, other: u64) -> u64 {
    one.saturating_add(other).min(COUNTED)
}

fn times(one: u64, other: u64) -> u64 {
    one.saturating_mul(other).min(COUNTED)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::width;

    #[test]
    fn unions_that_hold_together_multiply_and_those_beside_each_other_do_not() {
        let union = |size: u32| -> Value {
            json!({ "anyOf": (0..size).map(|most| json!({ "maximum": most })).collect::<Vec<Value>>() })
        };
        assert_eq!(width(&json!({ "allOf": [union(3), union(4)] })).taken, 12);
        assert_eq!(width(&json!({ "properties": { "a": union(3), "b": union(4) } })).taken, 1);
        assert_eq!(width(&json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] })).taken, 2);
    }

    #[test]
    fn a_schema_that_contains_itself_has_a_width() {
        let node = json!({ "anyOf": [{ "type": "null" }, { "properties": { "next": { "$ref": "#/$defs/node" } } }] });
        assert_eq!(width(&json!({ "$ref": "#/$defs/node", "$defs": { "node": node } })).taken, 2);
    }
}
