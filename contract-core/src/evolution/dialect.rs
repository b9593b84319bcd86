//! Brings a stranger's schema into one dialect, draft 2020-12, so that everything after it reads one language.
//!
//! Drafts 4 to 7 are rewritten (tuples, dependencies, boolean exclusive bounds, siblings of a reference); references are made
//! to point below `#/$defs/<side>`, so that two documents can stand in one. Annotations stay: they assert nothing.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::schema::STANDARD_FORMATS;

/// Keywords whose value is a schema.
pub(super) const SCHEMA: [&str; 12] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "contentSchema",
];

/// Keywords whose value maps names to schemas.
pub(super) const SCHEMAS_BY_NAME: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Keywords whose value is a list of schemas.
pub(super) const SCHEMA_LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords that assert something else, each read by the validator.
const ASSERTIONS: [&str; 21] = [
    "$ref",
    "type",
    "const",
    "enum",
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
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "required",
];

/// Keywords for people, and those that only name things.
const ANNOTATIONS: [&str; 12] = [
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
    "$anchor",
];

/// Deeper than any schema that a person wrote; past it nothing is claimed.
const DEEPEST: usize = 96;

/// How a keyword bears on a verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bearing {
    /// It decides which values fit.
    Asserts,
    /// It tells people something.
    Annotates,
    /// Nobody here knows what it means.
    Unknown,
}

/// How `keyword` bears on a verdict; an extension (`x-…`) annotates.
pub(super) fn bearing(keyword: &str) -> Bearing {
    let sub_schemas = SCHEMA.iter().chain(&SCHEMAS_BY_NAME).chain(&SCHEMA_LIST);
    if ASSERTIONS.contains(&keyword) || keyword == "dependentRequired" || sub_schemas.clone().any(|k| *k == keyword) {
        Bearing::Asserts
    } else if ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-") {
        Bearing::Annotates
    } else {
        Bearing::Unknown
    }
}

/// Reads `schema`, whose references will stand below `#/$defs/<side>`.
///
/// # Errors
/// The keyword that cannot be read: a reference out of the document, a base that moves, no end to the nesting.
pub(super) fn read(schema: &Value, side: &str) -> Result<Value, String> {
    let draft = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    let siblings_count =
        !["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].iter().any(|old| draft.contains(old));
    let mut reader = Reader { side, siblings_count, anchors: BTreeMap::new(), references: Vec::new() };
    find_anchors(schema, "", 0, &mut reader.anchors)?;
    let read = reader.schema(schema, 0)?;
    let dangling = reader.references.iter().any(|pointer| !pointer.is_empty() && read.pointer(pointer).is_none());
    if dangling { Err("$ref".to_owned()) } else { Ok(read) }
}

/// The pointer of each `$anchor`. A base that moves inside the document makes every reference mean something else.
fn find_anchors(value: &Value, at: &str, depth: usize, anchors: &mut BTreeMap<String, String>) -> Result<(), String> {
    if depth > DEEPEST {
        return Err("$ref".to_owned());
    }
    match value {
        Value::Object(members) => {
            if depth > 0 && members.get("$id").is_some_and(Value::is_string) && members.contains_key("$ref") {
                return Err("$id".to_owned());
            }
            if let Some(anchor) = members.get("$anchor").and_then(Value::as_str) {
                anchors.insert(anchor.to_owned(), at.to_owned());
            }
            members.iter().try_for_each(|(name, member)| find_anchors(member, &child(at, name), depth + 1, anchors))
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| find_anchors(item, &child(at, &index.to_string()), depth + 1, anchors)),
        _ => Ok(()),
    }
}

/// The JSON pointer of the member `name` of the value at `pointer`.
pub(super) fn child(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A step of a JSON pointer as the name it stands for.
pub(super) fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

struct Reader<'side> {
    side: &'side str,
    /// Whether keywords beside a reference count; they do from 2019-09 on.
    siblings_count: bool,
    anchors: BTreeMap<String, String>,
    /// Where references point, inside the document that was read.
    references: Vec<String>,
}

impl Reader<'_> {
    fn schema(&mut self, schema: &Value, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("$ref".to_owned());
        }
        let Value::Object(members) = schema else {
            return if schema.is_boolean() { Ok(schema.clone()) } else { Err("$schema".to_owned()) };
        };
        let mut read = Map::new();
        if let Some(reference) = members.get("$ref")
            && !self.siblings_count
        {
            read.insert("$ref".to_owned(), self.reference(reference)?);
            self.definitions(members, &mut read, depth)?;
            return Ok(Value::Object(read));
        }
        for (keyword, value) in members {
            self.keyword(keyword, value, members, &mut read, depth)?;
        }
        Ok(Value::Object(read))
    }

    /// What may be pointed at stays where it is, even beside a reference that hides everything else.
    fn definitions(
        &mut self,
        members: &Map<String, Value>,
        read: &mut Map<String, Value>,
        depth: usize,
    ) -> Result<(), String> {
        for keyword in ["$defs", "definitions"] {
            if let Some(value) = members.get(keyword) {
                read.insert(keyword.to_owned(), self.by_name(value, depth)?);
            }
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &Value,
        members: &Map<String, Value>,
        read: &mut Map<String, Value>,
        depth: usize,
    ) -> Result<(), String> {
        let is_tuple = members.get("items").is_some_and(Value::is_array);
        match (keyword, value) {
            ("$dynamicRef" | "$recursiveRef" | "$dynamicAnchor" | "$recursiveAnchor", _) => {
                return Err(keyword.to_owned());
            }
            ("$ref", _) => {
                read.insert(keyword.to_owned(), self.reference(value)?);
            }
            ("items", Value::Array(_)) => {
                read.insert("prefixItems".to_owned(), self.list(value, depth)?);
            }
            ("additionalItems", _) if is_tuple => {
                read.insert("items".to_owned(), self.schema(value, depth + 1)?);
            }
            // They name things; and the last one says something about tuples alone.
            ("$schema" | "$id" | "id" | "$anchor" | "$vocabulary" | "additionalItems", _) => {}
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(is_exclusive)) => {
                let plain = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
                if let Some(bound) = members.get(plain).filter(|_| *is_exclusive) {
                    read.insert(keyword.to_owned(), bound.clone());
                }
            }
            ("dependencies", Value::Object(dependencies)) => {
                for (name, dependency) in dependencies {
                    let (keyword, dependency) = if dependency.is_array() {
                        ("dependentRequired", dependency.clone())
                    } else {
                        ("dependentSchemas", self.schema(dependency, depth + 1)?)
                    };
                    let place = read.entry(keyword).or_insert_with(|| json!({}));
                    place.as_object_mut().map(|place| place.insert(name.clone(), dependency));
                }
            }
            // A format that is not asserted is a note; the walk still sees that it changed.
            ("format", Value::String(format)) if !STANDARD_FORMATS.contains(&format.as_str()) => {
                read.insert("x-format".to_owned(), value.clone());
            }
            _ if SCHEMA.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.schema(value, depth + 1)?);
            }
            _ if SCHEMAS_BY_NAME.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.by_name(value, depth)?);
            }
            _ if SCHEMA_LIST.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.list(value, depth)?);
            }
            _ => {
                read.insert(keyword.to_owned(), value.clone());
            }
        }
        Ok(())
    }

    fn by_name(&mut self, value: &Value, depth: usize) -> Result<Value, String> {
        let members = value.as_object().ok_or("$schema")?;
        let read: Result<Map<String, Value>, String> =
            members.iter().map(|(name, schema)| Ok((name.clone(), self.schema(schema, depth + 1)?))).collect();
        read.map(Value::Object)
    }

    fn list(&mut self, value: &Value, depth: usize) -> Result<Value, String> {
        let items = value.as_array().ok_or("$schema")?;
        items
            .iter()
            .map(|schema| self.schema(schema, depth + 1))
            .collect::<Result<Vec<Value>, String>>()
            .map(Value::Array)
    }

    fn reference(&mut self, value: &Value) -> Result<Value, String> {
        let fragment = value.as_str().and_then(|text| text.strip_prefix('#')).ok_or("$ref")?;
        let pointer = if fragment.is_empty() || fragment.starts_with('/') {
            percent_decoded(fragment)
        } else {
            self.anchors.get(fragment).ok_or("$ref")?.clone()
        };
        self.references.push(pointer.clone());
        Ok(format!("#/$defs/{}{}", self.side, pointer).into())
    }
}

/// A pointer in a URI's fragment may spell its characters with `%`.
fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
