//! From what a caller sent to the value a handler reads, with every violation of the contract on the way.
//!
//! Three steps: [`json`] turns JSON text into a value and sees duplicate keys, [`settle`] brings that value into the form
//! the schema speaks of (null of an optional member is absent, `30.0` is the integer 30), [`violations`] lists what still
//! does not fit. What does not fit never reaches serde.

mod settle;
mod unknown_keys;
mod violations;

use std::fmt;

use jsonschema::Validator;
use serde_json::{Map, Value};

pub use self::unknown_keys::nearest;
pub(crate) use self::violations::violations;
use crate::error::{Issue, ToolError};
use crate::json;
pub(crate) use crate::json::join;

/// The arguments of a call, as they arrived.
///
/// Text keeps every promise of the door. A parsed value has lost what its reader dropped: a key that was written twice has
/// already become one, so it cannot be refused.
pub enum Arguments {
    /// None were sent; the same as `{}`.
    Absent,
    /// JSON text.
    Text(String),
    /// A value that somebody else parsed.
    Parsed(Value),
}

/// Arguments that are no object, which is a fault of the protocol and not of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAnObject {
    /// What was sent instead, as a JSON type name.
    pub(crate) found: &'static str,
}

/// Why arguments cannot be read.
#[derive(Debug)]
pub(crate) enum Refusal {
    NotAnObject(NotAnObject),
    Invalid(ToolError),
}

/// Arguments as they were sent, with what was already lost or wrong in their text.
pub(crate) struct Sent {
    members: Map<String, Value>,
    issues: Vec<Issue>,
}

impl Sent {
    /// The object that was sent, before anything in it is settled.
    pub(crate) fn members(&self) -> &Map<String, Value> {
        &self.members
    }
}

/// Reads what was sent as an object.
pub(crate) fn read(arguments: Arguments) -> Result<Sent, Refusal> {
    let (value, issues) = match arguments {
        Arguments::Absent => (Value::Null, Vec::new()),
        // Read again like text: what another reader made of a number or a key is not taken on trust.
        Arguments::Parsed(value) => parse(&value.to_string())?,
        Arguments::Text(text) => parse(&text)?,
    };
    match value {
        Value::Object(members) => Ok(Sent { members, issues }),
        Value::Null => Ok(Sent { members: Map::new(), issues }),
        other => Err(Refusal::NotAnObject(NotAnObject { found: type_name(&other) })),
    }
}

/// Holds what was sent against a tool's input schema: the object that its handler may deserialise, or every violation.
pub(crate) fn accept(
    sent: Sent,
    schema: &Map<String, Value>,
    validator: &Validator,
) -> Result<Map<String, Value>, ToolError> {
    let Sent { members, mut issues } = sent;
    let mut value = Value::Object(members);
    settle::settle(&mut value, schema);
    if !validator.is_valid(&value) {
        issues.extend(violations(validator, schema, &value));
    }
    match value {
        Value::Object(members) if issues.is_empty() => Ok(members),
        _ => Err(ToolError::invalid_arguments(issues)),
    }
}

fn parse(text: &str) -> Result<(Value, Vec<Issue>), Refusal> {
    json::read(text).map_err(|issue| Refusal::Invalid(ToolError::invalid_arguments(vec![issue])))
}

/// What serde made of a value that the schema accepted, without serde's own text: it quotes what was sent.
pub(crate) fn unreadable(pointer: impl Into<String>) -> ToolError {
    let message = "fits the schema but not the type behind it; check its range and its spelling";
    ToolError::invalid_arguments(vec![Issue::new(pointer, "type", message)])
}

/// The JSON name of a value's type.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

impl fmt::Debug for Arguments {
    /// Says which form they have and never what is in them: they may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "Absent",
            Self::Text(_) => "Text(..)",
            Self::Parsed(_) => "Parsed(..)",
        })
    }
}
