//! The one configuration of the JSON Schema validator: draft 2020-12, formats asserted, linear-time patterns, no look-ups.

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

/// Compiles `schema`; done once a tool, since it costs some forty validations.
pub(crate) fn compile(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
}
