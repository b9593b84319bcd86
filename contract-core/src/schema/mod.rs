//! From a Rust type to the JSON Schema that is advertised and enforced: one pipeline for inputs, one for outputs.
//!
//! Both ask schemars for a fully inlined draft 2020-12 schema, bring it into the house form ([`normalize`]) and then list what
//! may not be in it ([`check`]). The two sides differ in the contract that they take from serde (what is *read* against what
//! is *written*) and in whether declared objects are closed.

mod check;
mod dialect;
mod normalize;
pub(crate) mod union;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

pub(crate) use self::dialect::STANDARD_FORMATS;
pub(crate) use self::normalize::nullable_inner;

use crate::convention::Convention;
use crate::entry::{InputSource, Keyword, Property};

/// Asks schemars for the schema of one type; what an entry stores for each type.
pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// Which way a schema's values travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Read by the tool: closed objects, null of an optional member taken off.
    Input,
    /// Written by the tool: open objects.
    Output,
}

/// Something in a type that a contract cannot carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The convention that is broken; a heading of `docs/conventions.md`.
    pub(crate) rule: Convention,
    /// Where in the schema, as property names: `plan.steps[].id`; the root is empty.
    pub(crate) place: String,
    /// What is wrong and what to write instead.
    pub(crate) message: String,
}

/// The input schema of a tool, and what is wrong with it.
pub(crate) fn of_input(source: &InputSource) -> (Map<String, Value>, Vec<Problem>) {
    let mut generator = dialect::generator(Direction::Input);
    let raw = match source {
        InputSource::Whole { schema, .. } => schema(&mut generator).to_value(),
        InputSource::Flat(properties) => flat_object(properties, &mut generator),
    };
    finish(raw, Direction::Input)
}

/// The schema of a document that is read, and what is wrong with it.
pub(crate) fn of_document(schema: SchemaFn) -> (Map<String, Value>, Vec<Problem>) {
    let mut generator = dialect::generator(Direction::Input);
    finish(schema(&mut generator).to_value(), Direction::Input)
}

/// The output schema of a tool, and what is wrong with it.
pub(crate) fn of_output(schema: SchemaFn) -> (Map<String, Value>, Vec<Problem>) {
    let mut generator = dialect::generator(Direction::Output);
    finish(schema(&mut generator).to_value(), Direction::Output)
}

fn finish(mut raw: Value, direction: Direction) -> (Map<String, Value>, Vec<Problem>) {
    let mut problems = Vec::new();
    normalize::normalize(&mut raw, direction, &mut problems);
    let Value::Object(schema) = raw else { unreachable!("normalising turns every boolean schema into an object") };
    check::check(&schema, direction, &mut problems);
    (schema, problems)
}

/// One object out of the parameters of a handler, in their declared order.
fn flat_object(properties: &[Property], generator: &mut SchemaGenerator) -> Value {
    let mut members = Map::new();
    let mut required = Vec::new();
    for property in properties {
        // A schema that takes anything is `true`; as an object it can carry the parameter's words.
        let mut schema = (property.schema)(generator).ensure_object().clone();
        annotate(&mut schema, property);
        if !(property.optional)() && property.default.is_none() {
            required.push(Value::from(property.name));
        }
        members.insert(property.name.to_owned(), Value::Object(schema));
    }
    let mut object = Map::from_iter([("type".to_owned(), "object".into()), ("properties".to_owned(), members.into())]);
    if !required.is_empty() {
        object.insert("required".to_owned(), required.into());
    }
    object.into()
}

/// Puts what the handler says about a parameter over what its type says.
fn annotate(schema: &mut Map<String, Value>, property: &Property) {
    // Joining happens on the way: the type's own words stay behind the parameter's.
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(of_type) if !property.description.is_empty() => format!("{}\n\n{of_type}", property.description),
        _ => property.description.to_owned(),
    };
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
    }
    for keyword in property.keywords {
        let (name, value) = match *keyword {
            Keyword::MinLength(bound) => ("minLength", bound.into()),
            Keyword::MaxLength(bound) => ("maxLength", bound.into()),
            Keyword::MinItems(bound) => ("minItems", bound.into()),
            Keyword::MaxItems(bound) => ("maxItems", bound.into()),
            Keyword::Minimum(bound) => ("minimum", bound.into()),
            Keyword::Maximum(bound) => ("maximum", bound.into()),
            Keyword::MinimumFloat(bound) => ("minimum", number(bound)),
            Keyword::MaximumFloat(bound) => ("maximum", number(bound)),
            Keyword::Pattern(pattern) => ("pattern", pattern.into()),
        };
        let narrower = |stated: &Value| match (*keyword, stated.as_i64()) {
            (Keyword::Minimum(bound), Some(stated)) => stated > bound,
            (Keyword::Maximum(bound), Some(stated)) => stated < bound,
            _ => false,
        };
        // A type of few values keeps its own bound where the parameter states a wider one.
        if !schema.get(name).is_some_and(narrower) {
            schema.insert(name.to_owned(), value);
        }
    }
    let is_set = schema.get("uniqueItems") == Some(&Value::Bool(true));
    if let Some(default) = property.default {
        schema.insert("default".to_owned(), ordered(default(), is_set));
    }
    if let Some(example) = property.example {
        schema.insert("examples".to_owned(), Value::Array(vec![ordered(example(), is_set)]));
    }
}

/// The items of a set in an order of their own: a hash set gives them in another one at every start.
fn ordered(mut value: Value, is_set: bool) -> Value {
    if let Value::Array(items) = &mut value
        && is_set
    {
        items.sort_by_cached_key(Value::to_string);
    }
    value
}

/// A bound as people write it: `1`, not `1.0`.
#[expect(clippy::cast_possible_truncation, reason = "the range check before the cast keeps it exact")]
fn number(bound: f64) -> Value {
    if bound.fract() == 0.0 && bound.abs() < 1e15 { (bound as i64).into() } else { bound.into() }
}
