//! Valid calls of a tool, put together from what its contract gives as examples.

use serde_json::{Map, Value, json};

use crate::definition::ToolDefinition;
use crate::schema::nullable_inner;

/// A property that a valid call needs and that gives no example of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingExample {
    /// The property, as names: `plan.steps[].id`.
    pub place: String,
}

impl std::fmt::Display for MissingExample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` has no example; write `#[arg(example = …)]`, `#[schemars(example = …)]`, or `examples = path` on the tool",
            self.place
        )
    }
}

impl std::error::Error for MissingExample {}

impl ToolDefinition {
    /// Valid arguments: those the handler states, else one call with what is required and one with everything that has an
    /// example.
    ///
    /// # Errors
    /// When a required property gives no example; see [`MissingExample`] for how to give one.
    pub fn examples(&self) -> Result<Vec<Value>, MissingExample> {
        if !self.stated_examples().is_empty() {
            return Ok(self.stated_examples().to_vec());
        }
        let least = object(self.input_schema(), "", Members::Required)?;
        let most = object(self.input_schema(), "", Members::All)?;
        Ok(if least == most { vec![least] } else { vec![least, most] })
    }
}

/// Which members an assembled object has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    Required,
    All,
}

fn object(schema: &Map<String, Value>, place: &str, members: Members) -> Result<Value, MissingExample> {
    let none = Map::new();
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut object = Map::new();
    for (name, property) in schema.get("properties").and_then(Value::as_object).unwrap_or(&none) {
        let Value::Object(property) = property else { continue };
        let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        let is_required = required.iter().any(|required| required == name);
        match value(property, &place, members) {
            Ok(example) if is_required || members == Members::All => object.insert(name.clone(), example),
            Err(missing) if is_required => return Err(missing),
            Ok(_) | Err(_) => continue,
        };
    }
    Ok(Value::Object(object))
}

fn value(schema: &Map<String, Value>, place: &str, members: Members) -> Result<Value, MissingExample> {
    let stated = schema.get("examples").and_then(|examples| examples.get(0));
    if let Some(example) = stated.or_else(|| schema.get("const")).or_else(|| schema.get("default")) {
        return Ok(example.clone());
    }
    if let Some(first) = schema.get("enum").and_then(|words| words.get(0)) {
        return Ok(first.clone());
    }
    if let Some(inner) = nullable_inner(schema) {
        return value(inner, place, members);
    }
    if let Some(Value::Object(branch)) = schema.get("oneOf").and_then(|branches| branches.get(0)) {
        return value(branch, place, members);
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Ok(true.into()),
        Some("object") if schema.get("additionalProperties").is_none_or(|open| open == &Value::Bool(false)) => {
            object(schema, place, members)
        }
        Some("array") => match schema.get("items") {
            Some(Value::Object(item)) => Ok(json!([value(item, &format!("{place}[]"), members)?])),
            _ => Err(MissingExample { place: place.to_owned() }),
        },
        _ => Err(MissingExample { place: place.to_owned() }),
    }
}
