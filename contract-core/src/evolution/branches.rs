//! Which branch of one union is which branch of another.

use serde_json::{Map, Value};

use super::document::{Document, split};
use super::telling::without_sides;

/// Whether two branches are one, by some mark.
type Likeness<'documents> = dyn Fn(&Value, &Value) -> bool + 'documents;

/// Pairs of places, at most one for each branch: equal ones first, then those with the same mark, then what is left of the
/// same kind in order.
pub(super) fn paired(narrow: &Document, wide: &Document, lefts: &[Value], rights: &[Value]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let likeness: [&Likeness<'_>; 4] = [
        &|one, other| without_sides(Some(one)) == without_sides(Some(other)),
        &|one, other| mark(narrow, one).is_some_and(|left| mark(wide, other).is_some_and(|right| left == right)),
        &|one, other| {
            let reference = |branch: &Value| {
                branch.get("$ref").and_then(Value::as_str).and_then(split).map(|(_, at)| at.to_owned())
            };
            reference(one).is_some_and(|left| reference(other).is_some_and(|right| left == right))
        },
        &|one, other| {
            let (left, right) = (resolved(narrow, one), resolved(wide, other));
            kind(&left) == kind(&right) && mark(narrow, one).is_none() && mark(wide, other).is_none()
        },
    ];
    for is_alike in likeness {
        for (left, one) in lefts.iter().enumerate() {
            if pairs.iter().any(|(paired, _)| *paired == left) {
                continue;
            }
            let free = |right: &usize| !pairs.iter().any(|(_, paired)| paired == right);
            if let Some(right) = (0..rights.len()).filter(free).find(|right| is_alike(one, &rights[*right])) {
                pairs.push((left, right));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn resolved(document: &Document, branch: &Value) -> Value {
    let target = branch.get("$ref").and_then(Value::as_str).and_then(|reference| document.resolve(reference));
    target.unwrap_or(branch).clone()
}

/// What sets a branch apart by itself: its constant, or the constants of its required properties.
fn mark(document: &Document, branch: &Value) -> Option<Vec<String>> {
    let branch = resolved(document, branch);
    if let Some(word) = constant(&branch) {
        return Some(vec![word]);
    }
    let properties = branch.get("properties").and_then(Value::as_object)?;
    let constants: Vec<String> =
        properties.iter().filter_map(|(name, schema)| Some(format!("{name}={}", constant(schema)?))).collect();
    if constants.is_empty() { None } else { Some(constants) }
}

fn constant(schema: &Value) -> Option<String> {
    let words = schema.get("enum").and_then(Value::as_array);
    let only = words.filter(|words| words.len() == 1).and_then(|words| words.first());
    schema.get("const").or(only).map(Value::to_string)
}

/// What kind of schema a branch is: its type, or the keywords that stand for one.
fn kind(branch: &Value) -> Vec<String> {
    match branch.get("type") {
        Some(Value::String(kind)) => vec![kind.clone()],
        Some(kind) => vec![kind.to_string()],
        None => branch.as_object().map(Map::keys).into_iter().flatten().cloned().collect(),
    }
}
