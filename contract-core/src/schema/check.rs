//! What may not be in a normalised schema: one function per convention, each says what to write instead.

use serde_json::{Map, Value};

use super::dialect::KEYWORDS;
use super::normalize::{nullable_inner, problem};
use super::{Direction, Problem, union};
use crate::convention::Convention;

/// Appends everything in `schema` that a contract of this direction cannot carry.
pub(super) fn check(schema: &Map<String, Value>, direction: Direction, problems: &mut Vec<Problem>) {
    root_is_an_object(schema, direction, problems);
    visit(schema, direction, "", Described::Elsewhere, problems);
}

/// Whether the words about a node stand on the node around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Described {
    Here,
    Elsewhere,
}

fn root_is_an_object(schema: &Map<String, Value>, direction: Direction, problems: &mut Vec<Problem>) {
    let (rule, noun, advice) = match direction {
        Direction::Input => (Convention::InputObject, "input", "take a struct, or one parameter per member"),
        Direction::Output => (Convention::OutputObject, "output", "return a struct with named members"),
    };
    if schema.get("type").is_none_or(|kind| kind != "object") {
        problems.push(problem(rule, "", format!("the {noun} must be an object, and its schema is not: {advice}")));
        return;
    }
    // An enum that is flattened beside other members is the other rule's to explain.
    let is_flattened =
        direction == Direction::Input && schema.contains_key("oneOf") && schema.contains_key("properties");
    let combines = ["oneOf", "anyOf", "allOf", "not", "enum", "if"].iter().any(|keyword| schema.contains_key(*keyword));
    if combines && !is_flattened {
        let message =
            format!("the root of the {noun} must be one plain object, since providers refuse a union there: {advice}");
        problems.push(problem(rule, "", message));
    }
    let is_empty = schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    if direction == Direction::Output && is_empty {
        let message =
            "the output declares no property, so a caller learns nothing from its schema; give it a named member";
        problems.push(problem(Convention::OutputProperty, "", message));
    }
}

fn visit(
    node: &Map<String, Value>,
    direction: Direction,
    place: &str,
    described: Described,
    problems: &mut Vec<Problem>,
) {
    if direction == Direction::Input {
        known_keywords(node, place, problems);
        stated_type(node, place, problems);
        told_apart(node, place, problems);
        no_map_beside_members(node, place, problems);
    }
    well_formed_keywords(node, place, problems);
    sound_bounds(node, place, problems);
    let here = Map::new();
    let properties = node.get("properties").and_then(Value::as_object).unwrap_or(&here);
    for (name, property) in properties {
        let Value::Object(property) = property else { continue };
        let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        property_name(name, &place, problems);
        if described == Described::Elsewhere {
            property_description(property, &place, problems);
        }
        visit(property, direction, &place, Described::Elsewhere, problems);
    }
    for (keyword, suffix) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(Value::Object(child)) = node.get(keyword) {
            visit(child, direction, &format!("{place}{suffix}"), Described::Elsewhere, problems);
        }
    }
    for (keyword, suffix) in [("prefixItems", "[]"), ("anyOf", ""), ("oneOf", "")] {
        let branches = node.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        // The null of a nullable value is no branch of its own.
        let branches = if keyword == "anyOf" && nullable_inner(node).is_some() { &branches[..1] } else { branches };
        for child in branches.iter().filter_map(Value::as_object) {
            // The only member of a data variant is the variant: its words stand on the branch.
            let is_variant = keyword == "oneOf" && child.contains_key("description") && members(child) == 1;
            let described = if is_variant { Described::Here } else { Described::Elsewhere };
            visit(child, direction, &format!("{place}{suffix}"), described, problems);
        }
    }
}

fn members(node: &Map<String, Value>) -> usize {
    node.get("properties").and_then(Value::as_object).map_or(0, Map::len)
}

/// A keyword outside the list is one that the door or some provider would silently not honour.
fn known_keywords(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    for keyword in node.keys() {
        if keyword == "patternProperties" {
            let message = "is a map whose keys are not strings, and a key that is no such number would pass the schema and \
                           fail to read; use string keys";
            problems.push(problem(Convention::InputTypes, place, message));
        } else if keyword == "prefixItems" {
            let message = "is a tuple, whose places have no names to describe and which no provider's strict form can say; \
                           write a struct";
            problems.push(problem(Convention::InputTypes, place, message));
        } else if !KEYWORDS.contains(&keyword.as_str()) && !keyword.starts_with("x-") {
            let message =
                format!("uses the JSON Schema keyword `{keyword}`, which no provider honours for a tool's input");
            problems.push(problem(Convention::InputTypes, place, message));
        }
    }
}

/// A map that is flattened beside members takes a misspelt member for one of its own keys.
fn no_map_beside_members(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    let has_members = node.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    if has_members && node.get("additionalProperties").is_some_and(Value::is_object) {
        let message = "flattens a map beside other members, so a misspelt member would be taken for a key of the map; give the \
                       map a member of its own";
        problems.push(problem(Convention::InputTypes, place, message));
    }
}

/// `{}` takes anything: neither a model nor a validator can tell what is right.
fn stated_type(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    match node.get("type") {
        Some(Value::String(kind)) if kind == "null" => {
            problems.push(problem(
                Convention::InputTypes,
                place,
                "takes only null, which means absent here; leave it out",
            ));
        }
        Some(Value::String(_)) => {}
        Some(_) => {
            problems.push(problem(
                Convention::InputTypes,
                place,
                "takes several types at once; use an enum whose variants are told apart",
            ));
        }
        None if ["enum", "const", "oneOf", "anyOf"].iter().any(|keyword| node.contains_key(*keyword)) => {}
        None => {
            let message = "takes any JSON, so nothing says what is right; give it a type (a struct, a map, an enum)";
            problems.push(problem(Convention::InputTypes, place, message));
        }
    }
}

/// Branches that only trying can tell apart give errors nobody can act on, and providers lose them.
fn told_apart(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    if node.contains_key("anyOf") && nullable_inner(node).is_none() {
        let message = "is an untagged union: a value of no branch cannot be explained; tag it with \
                       `#[serde(tag = \"kind\")]`";
        problems.push(problem(Convention::InputTypes, place, message));
    }
    let Some(branches) = node.get("oneOf").and_then(Value::as_array) else { return };
    if node.contains_key("properties") {
        let message = "flattens an enum beside other members, which cannot be closed against unknown keys; give the enum a \
                       member of its own";
        problems.push(problem(Convention::InputTypes, place, message));
    } else if !union::is_told_apart(branches) {
        let message = "is a union whose branches no tag tells apart; tag it with `#[serde(tag = \"kind\")]`";
        problems.push(problem(Convention::InputTypes, place, message));
    }
}

/// Every name is legal at every provider: Gemini's rule is the narrowest (letter or `_`, then letters, digits, `_`).
fn property_name(name: &str, place: &str, problems: &mut Vec<Problem>) {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if !first || !characters.all(|other| other.is_ascii_alphanumeric() || other == '_') || name.len() > 64 {
        let message =
            format!("`{name}` is no property name that every client takes: 1 to 64 of A-Z a-z 0-9 _, no digit first");
        problems.push(problem(Convention::PropertyName, place, message));
    }
}

/// A property without words is one that a model has to guess about.
fn property_description(property: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    let words = property.get("description").and_then(Value::as_str).unwrap_or_default();
    // A constant is a tag: the branch that it marks carries the words.
    if words.trim().is_empty() && !property.contains_key("const") {
        let message = "has no description; write a doc comment on the field or parameter";
        problems.push(problem(Convention::PropertyDescription, place, message));
    }
}

/// Keywords whose values JSON Schema does not allow: the schema would not compile, and every call would fail.
fn well_formed_keywords(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    for (keyword, value) in node {
        let is_right = match keyword.as_str() {
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => value.is_u64(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
            "multipleOf" => value.as_f64().is_some_and(|step| step > 0.0),
            "uniqueItems" | "deprecated" => value.is_boolean(),
            "pattern" | "format" | "description" => value.is_string(),
            "enum" | "examples" | "required" | "oneOf" | "anyOf" => value.is_array(),
            "properties" => value.is_object(),
            _ => true,
        };
        if !is_right {
            let message = format!("{keyword} cannot be {value} in JSON Schema");
            problems.push(problem(Convention::SoundBounds, place, message));
        }
    }
}

/// Bounds that contradict each other or the type, patterns that are none, defaults that break their own schema.
fn sound_bounds(node: &Map<String, Value>, place: &str, problems: &mut Vec<Problem>) {
    let bound = |keyword: &str| node.get(keyword).and_then(Value::as_f64);
    let pairs = [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ];
    for (least, most) in pairs {
        if let (Some(low), Some(high)) = (bound(least), bound(most))
            && low > high
        {
            let message = format!("{least} {low} is above {most} {high}, so nothing fits");
            problems.push(problem(Convention::SoundBounds, place, message));
        }
    }
    let pairs =
        [("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "exclusiveMaximum")];
    for (least, most) in pairs {
        if let (Some(low), Some(high)) = (bound(least), bound(most))
            && low >= high
        {
            let message = format!("{least} {low} leaves nothing below {most} {high}, so nothing fits");
            problems.push(problem(Convention::SoundBounds, place, message));
        }
    }
    if let (Some(low), Some(high), Some(step)) = (bound("minimum"), bound("maximum"), bound("multipleOf"))
        && step > 0.0
        && (high / step).floor() * step < low
    {
        let message = format!("no multiple of {step} lies between {low} and {high}, so nothing fits");
        problems.push(problem(Convention::SoundBounds, place, message));
    }
    let kind = nullable_inner(node).unwrap_or(node).get("type").and_then(Value::as_str).unwrap_or_default();
    let fitting: [(&[&str], &[&str]); 3] = [
        (&["minLength", "maxLength", "pattern"], &["string"]),
        (&["minItems", "maxItems"], &["array"]),
        (&["minimum", "maximum"], &["integer", "number"]),
    ];
    for (keywords, kinds) in fitting {
        for keyword in keywords.iter().filter(|keyword| node.contains_key(**keyword) && !kinds.contains(&kind)) {
            problems.push(problem(
                Convention::SoundBounds,
                place,
                format!("{keyword} says nothing about a value of type `{kind}`"),
            ));
        }
    }
    if let Some(pattern) = node.get("pattern")
        && crate::validator::compile(&serde_json::json!({ "pattern": pattern })).is_err()
    {
        let message =
            format!("the pattern {pattern} is no linear-time regular expression (no look-around, no back-reference)");
        problems.push(problem(Convention::SoundBounds, place, message));
    }
    if let Some(default) = node.get("default") {
        let fits =
            crate::validator::compile(&Value::Object(node.clone())).is_ok_and(|validator| validator.is_valid(default));
        if !fits {
            problems.push(problem(Convention::SoundBounds, place, "the default does not fit its own schema"));
        }
    }
}
