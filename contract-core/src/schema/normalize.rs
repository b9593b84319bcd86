//! Brings a schema into the house form: inlined, standard formats, real bounds, no noise, closed or open by direction.
//!
//! The order within one node matters in two places: null is taken off an optional property before its object is closed
//! (else `["object","null"]` is not seen as an object), and children are visited before their parent decides about them.

use serde_json::{Map, Value, json};

use super::dialect::{KEYWORDS, MAX_SAFE_INTEGER, STANDARD_FORMATS, integer_bounds};
use super::{Direction, Problem};
use crate::convention::Convention;

/// Deeper than any type that a person wrote; what is past it has no end, or cannot be read by a model.
const DEEPEST: usize = 32;

/// Normalises `schema` in place; what cannot be carried at all goes to `problems`.
pub(super) fn normalize(schema: &mut Value, direction: Direction, problems: &mut Vec<Problem>) {
    Walk { direction, problems, depth: 0 }.visit(schema, "");
    let Value::Object(root) = schema else { return };
    // The wrapper type's own name and docs say nothing to a caller; the tool's description does.
    root.shift_remove("description");
    if root.get("type") == Some(&json!("object")) && !root.contains_key("properties") {
        root.insert("properties".to_owned(), json!({}));
        in_reading_order(root);
    }
    root.shift_remove("default");
}

/// One way through a schema.
struct Walk<'problems> {
    direction: Direction,
    problems: &'problems mut Vec<Problem>,
    depth: usize,
}

impl Walk<'_> {
    fn visit(&mut self, schema: &mut Value, place: &str) {
        match schema {
            Value::Bool(true) => *schema = json!({}),
            Value::Bool(false) => {
                let message = "accepts no value at all; leave the member out instead";
                self.problems.push(problem(Convention::SchemaShape, place, message));
                *schema = a_map();
            }
            _ => {}
        }
        let Value::Object(node) = schema else { return };
        for noise in ["$schema", "$id", "$comment", "$anchor", "title", "readOnly", "writeOnly"] {
            node.shift_remove(noise);
        }
        if let Some(message) = self.endless(node) {
            self.problems.push(problem(Convention::NoRecursion, place, message));
            *schema = a_map();
            return;
        }
        node.shift_remove("$defs");
        words_to_enum(node);
        self.depth += 1;
        for_each_child(node, place, |child, place| self.visit(child, place));
        self.depth -= 1;
        simplify_null(node);
        if let Some(inner) = nullable_inner_mut(node) {
            self.settle(inner, place);
        } else {
            self.settle(node, place);
        }
        in_reading_order(node);
    }

    /// Why nobody could come to the end of `node`.
    fn endless(&self, node: &Map<String, Value>) -> Option<String> {
        if node.contains_key("$ref") || node.contains_key("$dynamicRef") {
            let message = "is recursive: clients cannot resolve references, so flatten it (ids that name other items) or \
                           bound its depth with a type per level";
            return Some(message.to_owned());
        }
        (self.depth > DEEPEST)
            .then(|| format!("is nested deeper than {DEEPEST} levels, which no model reads; flatten it"))
    }

    fn settle(&mut self, node: &mut Map<String, Value>, place: &str) {
        settle_format(node, self.direction, place, self.problems);
        settle_properties(node, self.direction);
        settle_openness(node, self.direction);
        in_reading_order(node);
    }
}

/// What stands in the place of something refused, so that the checks do not report the gap as well.
fn a_map() -> Value {
    json!({ "type": "object", "additionalProperties": true })
}

/// The type first, then what narrows it, whatever order the derive and the attributes left.
fn in_reading_order(node: &mut Map<String, Value>) {
    let rank = |keyword: &str| KEYWORDS.iter().position(|known| *known == keyword).unwrap_or(KEYWORDS.len());
    let mut members: Vec<(String, Value)> = std::mem::take(node).into_iter().collect();
    members.sort_by_key(|(keyword, _)| rank(keyword));
    node.extend(members);
}

pub(super) fn problem(rule: Convention, place: &str, message: impl Into<String>) -> Problem {
    Problem { rule, place: place.to_owned(), message: message.into() }
}

/// Calls `each` for every sub-schema of `node` with its place.
fn for_each_child(node: &mut Map<String, Value>, place: &str, mut each: impl FnMut(&mut Value, &str)) {
    let join = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    for (keyword, value) in node.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "dependentSchemas", Value::Object(members)) => {
                members.iter_mut().for_each(|(name, child)| each(child, &join(name)));
            }
            ("patternProperties", Value::Object(members)) => {
                members.values_mut().for_each(|child| each(child, &format!("{place}{{}}")));
            }
            ("prefixItems" | "oneOf" | "anyOf" | "allOf", Value::Array(branches)) => {
                let suffix = if keyword == "prefixItems" { "[]" } else { "" };
                for child in branches {
                    each(child, &format!("{place}{suffix}"));
                }
            }
            ("items" | "contains", child @ (Value::Object(_) | Value::Bool(true))) => {
                each(child, &format!("{place}[]"));
            }
            ("additionalProperties", child @ (Value::Object(_) | Value::Bool(true))) => {
                each(child, &format!("{place}{{}}"));
            }
            ("not" | "if" | "then" | "else" | "propertyNames", child) => each(child, place),
            _ => {}
        }
    }
}

/// Input: `oneOf` of documented constants, as schemars writes an enum with doc comments. Output: one `enum`, the docs kept.
///
/// Providers know `enum`; a `oneOf` of `const` is lost on most of them.
fn words_to_enum(node: &mut Map<String, Value>) {
    let Some(branches) = node.get("oneOf").and_then(Value::as_array) else { return };
    let mut words = Vec::new();
    let mut lines = Vec::new();
    for branch in branches {
        let Some(branch) = branch.as_object() else { return };
        if branch.get("type").is_some_and(|kind| kind != "string") {
            return;
        }
        let own: Vec<&Value> = match (branch.get("const"), branch.get("enum").and_then(Value::as_array)) {
            (Some(word), _) => vec![word],
            (None, Some(listed)) => listed.iter().collect(),
            (None, None) => return,
        };
        if !own.iter().all(|word| word.is_string()) {
            return;
        }
        if let (Some(text), [Value::String(word)]) = (branch.get("description").and_then(Value::as_str), own.as_slice())
        {
            lines.push(format!("- `{word}`: {}", text.replace('\n', " ")));
        }
        words.extend(own.into_iter().cloned());
    }
    node.shift_remove("oneOf");
    node.insert("type".to_owned(), "string".into());
    node.insert("enum".to_owned(), words.into());
    if !lines.is_empty() {
        let lines = lines.join("\n");
        let text = match node.get("description").and_then(Value::as_str) {
            Some(text) => format!("{text}\n\n{lines}"),
            None => lines,
        };
        node.insert("description".to_owned(), text.into());
    }
}

/// Gives nullability one form, `anyOf: [X, {type: null}]`, whichever of its three spellings came in.
fn simplify_null(node: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = node.get("type") {
        let mut kinds: Vec<Value> = kinds.clone();
        let count = kinds.len();
        kinds.retain(|kind| kind != "null");
        let nullable = kinds.len() < count;
        let Ok([kind]) = <[Value; 1]>::try_from(kinds) else { return };
        node.insert("type".to_owned(), kind);
        if nullable {
            // A nullable enum lists null among its words.
            if let Some(Value::Array(words)) = node.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            wrap_nullable(node);
        }
        return;
    }
    let Some(Value::Array(branches)) = node.get("anyOf") else { return };
    let without_null: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
    if without_null.len() == branches.len() || without_null.len() != 1 {
        return;
    }
    let Value::Object(mut inner) = without_null[0].clone() else { return };
    node.shift_remove("anyOf");
    for (keyword, value) in std::mem::take(node) {
        match (keyword.as_str(), inner.get("description")) {
            ("description", Some(Value::String(of_type))) => {
                let joined = format!("{}\n\n{of_type}", value.as_str().unwrap_or_default());
                inner.insert(keyword, joined.into());
            }
            _ => {
                inner.insert(keyword, value);
            }
        }
    }
    *node = inner;
    wrap_nullable(node);
}

/// Moves what constrains the value into a branch; what describes the member stays beside it.
fn wrap_nullable(node: &mut Map<String, Value>) {
    let mut inner = Map::new();
    let mut outer = Map::new();
    for (keyword, value) in std::mem::take(node) {
        match keyword.as_str() {
            "description" | "default" | "examples" | "deprecated" => outer.insert(keyword, value),
            _ => inner.insert(keyword, value),
        };
    }
    outer.insert("anyOf".to_owned(), json!([inner, { "type": "null" }]));
    *node = outer;
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// The `X` of `anyOf: [X, {type: null}]`.
pub(crate) fn nullable_inner(node: &Map<String, Value>) -> Option<&Map<String, Value>> {
    match node.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(inner), null]) if is_null(null) => Some(inner),
        _ => None,
    }
}

fn nullable_inner_mut(node: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    nullable_inner(node)?;
    node.get_mut("anyOf")?.get_mut(0)?.as_object_mut()
}

/// Turns schemars' formats into bounds, keeps the standard ones, and settles what the type cannot promise.
fn settle_format(node: &mut Map<String, Value>, direction: Direction, place: &str, problems: &mut Vec<Problem>) {
    let format = node.get("format").and_then(Value::as_str).map(str::to_owned);
    let refuse =
        |message: &str| (direction == Direction::Input).then(|| problem(Convention::InputTypes, place, message));
    match format.as_deref() {
        Some("float") => {
            problems.extend(refuse("is an `f32`, which turns large numbers into infinity; write `f64`"));
            node.shift_remove("format");
        }
        Some("double") => {
            node.shift_remove("format");
        }
        Some("uint128" | "int128") => {
            let message = "is a 128-bit integer, which JSON numbers cannot carry; write `u64`/`i64`, or a string";
            problems.push(problem(Convention::InputTypes, place, message));
            node.shift_remove("format");
        }
        Some(format) if integer_bounds(format).is_some() => {
            node.shift_remove("format");
            if let Some((least, most)) = integer_bounds(format) {
                // The tighter of the author's bound and the type's: what is past either is never read.
                tighten(node, "minimum", least, |stated| stated < least);
                tighten(node, "maximum", most, |stated| stated > most);
            }
        }
        Some(format) if !STANDARD_FORMATS.contains(&format) => {
            let message =
                format!("has the format `{format}`, which no standard defines, so nothing can check it; use a pattern");
            problems.extend(refuse(&message));
            node.shift_remove("format");
        }
        _ => {}
    }
    if node.get("type") == Some(&json!("integer")) {
        let safe = -MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER;
        for (bound, limit) in [("minimum", *safe.start()), ("maximum", *safe.end())] {
            let exclusive = if bound == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
            let within = |value: &Value| {
                value.as_i64().map_or_else(|| value.as_f64().is_some_and(|f| f.abs() <= 9e15), |i| safe.contains(&i))
            };
            if !node.get(bound).is_some_and(within) && !node.get(exclusive).is_some_and(within) {
                node.insert(bound.to_owned(), limit.into());
            }
        }
    }
}

/// Puts `bound` where none is stated or the stated one is `wider`.
fn tighten(node: &mut Map<String, Value>, keyword: &str, bound: i64, wider: impl Fn(i64) -> bool) {
    let stated = node.get(keyword).and_then(|stated| stated.as_i64().or_else(|| stated.is_u64().then_some(i64::MAX)));
    if !node.contains_key(keyword) || stated.is_some_and(wider) {
        node.insert(keyword.to_owned(), bound.into());
    }
}

/// Null of an optional input member means absent, so the schema speaks of the plain type and no default is null.
fn settle_properties(node: &mut Map<String, Value>, direction: Direction) {
    let required: Vec<String> = node
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let Some(Value::Object(properties)) = node.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut() {
        let Value::Object(property) = property else { continue };
        if property.get("default").is_some_and(Value::is_null) {
            property.shift_remove("default");
        }
        if direction == Direction::Input
            && !required.contains(name)
            && let Some(inner) = nullable_inner(property).cloned()
        {
            property.shift_remove("anyOf");
            for (keyword, value) in inner {
                property.entry(keyword).or_insert(value);
            }
            in_reading_order(property);
        }
    }
}

/// Closes a declared struct on the way in; opens everything on the way out. A map is a map on both sides.
fn settle_openness(node: &mut Map<String, Value>, direction: Direction) {
    match direction {
        Direction::Input => {
            let is_object = node.get("type").is_some_and(|kind| kind == "object");
            if is_object && !node.contains_key("additionalProperties") && !node.contains_key("patternProperties") {
                node.entry("properties").or_insert_with(|| json!({}));
                node.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Direction::Output => {
            for closing in ["additionalProperties", "unevaluatedProperties"] {
                if node.get(closing).is_some_and(|schema| matches!(schema, Value::Bool(_))) {
                    node.shift_remove(closing);
                }
            }
            // A map with integer keys: any key is fine for a reader.
            if let Some(Value::Object(patterns)) = node.shift_remove("patternProperties") {
                node.extend(patterns.into_iter().next().map(|(_, values)| ("additionalProperties".to_owned(), values)));
            }
        }
    }
}
