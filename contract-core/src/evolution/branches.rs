//! Which branch of one union is which branch of another.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use super::document::{Document, split};
use super::telling::without_sides;
use super::words::key;

/// What a branch can be known by; none where it has no such mark.
type Mark = fn(&Document, &Value) -> Option<String>;

/// Marks, the surest first.
const MARKS: [Mark; 4] = [
    |_, branch| without_sides(Some(branch)).map(|branch| key(&branch)),
    |document, branch| constants(document, branch).map(|constants| constants.join("\n")),
    |_, branch| branch.get("$ref").and_then(Value::as_str).and_then(split).map(|(_, pointer)| pointer.to_owned()),
    |document, branch| {
        let is_marked = constants(document, branch).is_some();
        (!is_marked).then(|| kind(resolved(document, branch)).join("\n"))
    },
];

/// Pairs of places, at most one for each branch: equal ones first, then those with the same mark, then what is left of the
/// same kind in order.
pub(super) fn paired(narrow: &Document, wide: &Document, lefts: &[Value], rights: &[Value]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut is_left_paired, mut is_right_paired) = (vec![false; lefts.len()], vec![false; rights.len()]);
    for mark in MARKS {
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (right, branch) in rights.iter().enumerate().filter(|(right, _)| !is_right_paired[*right]) {
            if let Some(mark) = mark(wide, branch) {
                free.entry(mark).or_default().push_back(right);
            }
        }
        for (left, branch) in lefts.iter().enumerate() {
            let same = if is_left_paired[left] { None } else { mark(narrow, branch) };
            if let Some(right) = same.and_then(|mark| free.get_mut(&mark)?.pop_front()) {
                (is_left_paired[left], is_right_paired[right]) = (true, true);
                pairs.push((left, right));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn resolved<'value>(document: &'value Document, branch: &'value Value) -> &'value Value {
    let target = branch.get("$ref").and_then(Value::as_str).and_then(|reference| document.resolve(reference));
    target.unwrap_or(branch)
}

/// What sets a branch apart by itself: its constant, or the constants of its properties.
fn constants(document: &Document, branch: &Value) -> Option<Vec<String>> {
    let branch = resolved(document, branch);
    if let Some(word) = constant(branch) {
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
    schema.get("const").or(only).map(key)
}

/// The required property by whose constant exactly one of `branches` is meant, if there is one.
pub(super) fn tag(document: &Document, branches: &[Value]) -> Option<String> {
    let tags = |branch: &Value| -> Vec<(String, String)> {
        let branch = resolved(document, branch);
        let is_object = branch.get("type").and_then(Value::as_str) == Some("object");
        let required = branch.get("required").and_then(Value::as_array).filter(|_| is_object);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        names.filter_map(|name| Some((name.to_owned(), constant(branch.get("properties")?.get(name)?)?))).collect()
    };
    let all: Vec<HashMap<String, String>> = branches.iter().map(|branch| tags(branch).into_iter().collect()).collect();
    let mut names: Vec<&String> = all.first()?.keys().collect();
    names.sort_unstable();
    names
        .into_iter()
        .find(|name| {
            let mut words = std::collections::HashSet::new();
            all.iter().all(|tags| tags.get(*name).is_some_and(|word| words.insert(word)))
        })
        .cloned()
}

/// What kind of schema a branch is: its type, or the keywords that stand for one.
fn kind(branch: &Value) -> Vec<String> {
    match branch.get("type") {
        Some(Value::String(kind)) => vec![kind.clone()],
        Some(kind) => vec![kind.to_string()],
        None => branch.as_object().map(Map::keys).into_iter().flatten().cloned().collect(),
    }
}
