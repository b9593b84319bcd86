//! A document as JSON, aliases written out, within a bound: an alias of aliases could be written out without end.

use serde_json::{Map, Number, Value};

use super::node::{Mapping, Node};

/// The most that is written out: values, and bytes of their texts and keys.
const MOST: usize = 1_048_576;

impl Mapping {
    /// The mapping as JSON; nothing when it would grow too large. The last of several equal keys counts.
    pub(crate) fn to_json(&self) -> Option<Map<String, Value>> {
        members(self, &mut { MOST })
    }
}

fn members(mapping: &Mapping, left: &mut usize) -> Option<Map<String, Value>> {
    let mut members = Map::new();
    for (key, node) in &mapping.0 {
        take(left, key.len())?;
        members.insert(key.clone(), value(node, left)?);
    }
    Some(members)
}

fn value(node: &Node, left: &mut usize) -> Option<Value> {
    take(left, 1)?;
    Some(match node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Number(value) => number(*value),
        Node::Text(text) => {
            take(left, text.len())?;
            Value::String(text.clone())
        }
        Node::List(items) => Value::Array(items.iter().map(|item| value(item, left)).collect::<Option<_>>()?),
        Node::Mapping(mapping) => Value::Object(members(mapping, left)?),
    })
}

fn take(left: &mut usize, amount: usize) -> Option<()> {
    *left = left.checked_sub(amount)?;
    Some(())
}

/// A whole number without a fraction; what is no number in JSON is null.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the number is whole and within the range of exact doubles"
        )]
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}
