//! What a contract may say: the generator's settings, the keywords that every surface understands, the formats that are
//! standard.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;

use super::Direction;

/// The largest integer that every JSON reader keeps exact: 2^53 − 1 (RFC 8259 section 6, JavaScript's `Number`).
pub(crate) const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Draft 2020-12, fully inlined, without the `$schema` member: names of types can then never depend on another tool.
pub(super) fn generator(direction: Direction) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.transforms.clear();
    });
    match direction {
        Direction::Input => settings.for_deserialize(),
        Direction::Output => settings.for_serialize(),
    }
    .into_generator()
}

/// The keywords an input may use, in the order in which they are written: the door enforces each of them and every provider's
/// form has an answer to it.
pub(super) const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "oneOf",
    "anyOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "default",
    "examples",
    "deprecated",
];

/// The formats of draft 2020-12 (JSON Schema Validation section 7.3) that a validator asserts and serde types exist for.
pub(crate) const STANDARD_FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The bounds behind schemars' integer formats, as far as they lie within ±(2^53−1).
pub(super) fn integer_bounds(format: &str) -> Option<(i64, i64)> {
    let (least, most) = match format {
        "int8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "int64" | "int" => (-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER),
        "uint8" => (0, i64::from(u8::MAX)),
        "uint16" => (0, i64::from(u16::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        "uint64" | "uint" => (0, MAX_SAFE_INTEGER),
        _ => return None,
    };
    Some((least, most))
}
