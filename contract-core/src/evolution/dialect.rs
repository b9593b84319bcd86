//! Brings a stranger's schema into one dialect, draft 2020-12, so that everything after it reads one language.
//!
//! Drafts 4 to 7 are rewritten (tuples, dependencies, boolean exclusive bounds, siblings of a reference); references, which
//! `references.rs` follows, are made to point below `#/$defs/<side>`, so that two documents can stand in one. Annotations stay: they assert nothing.

use serde_json::{Map, Value, json};

use super::drafts::Dialect;
use super::references::{self, DEEPEST, shown};
use super::unreadable::Unreadable;
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

/// What stands before a keyword that says nothing in its dialect, so that it is an extension.
pub(super) const UNHEARD: &str = "x-unheard-";

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

/// What a value is, in a word.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Reads `schema`, whose references will stand below `#/$defs/<side>`.
///
/// # Errors
/// What cannot be read: a reference out of the document, a dynamic one, no end to the nesting.
pub(super) fn read(schema: &Value, side: &str) -> Result<Value, Unreadable> {
    let dialect = Dialect::said(schema, "")?.unwrap_or_default();
    let absolute = references::absolute(schema, dialect)?;
    Reader { side, dialect }.schema(&absolute, "", 0)
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
    dialect: Dialect,
}

impl Reader<'_> {
    fn schema(&self, schema: &Value, at: &str, depth: usize) -> Result<Value, Unreadable> {
        if depth > DEEPEST {
            return Err(Unreadable::nesting(at));
        }
        let Value::Object(members) = schema else {
            return if schema.is_boolean() { Ok(schema.clone()) } else { Err(Unreadable::no_schema(schema, at)) };
        };
        if Dialect::said(schema, at)?.is_some_and(|dialect| dialect != self.dialect) {
            let why = format!("`$schema` at {} names another dialect than its document does", shown(at));
            return Err(Unreadable::new("$schema", why));
        }
        let mut read = Map::new();
        // Keywords beside a reference count from 2019-09 on.
        if let Some(reference) = members.get("$ref")
            && self.dialect.hides_beside_references()
        {
            read.insert("$ref".to_owned(), self.reference(reference));
            self.definitions(members, &mut read, at, depth)?;
            return Ok(Value::Object(read));
        }
        for (keyword, value) in members {
            self.keyword(keyword, value, members, &mut read, (at, depth))?;
        }
        Ok(Value::Object(read))
    }

    /// What may be pointed at stays where it is, even beside a reference that hides everything else.
    fn definitions(
        &self,
        members: &Map<String, Value>,
        read: &mut Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Result<(), Unreadable> {
        for keyword in ["$defs", "definitions"] {
            if let Some(value) = members.get(keyword) {
                read.insert(keyword.to_owned(), self.by_name(value, &child(at, keyword), depth)?);
            }
        }
        Ok(())
    }

    fn keyword(
        &self,
        keyword: &str,
        value: &Value,
        members: &Map<String, Value>,
        read: &mut Map<String, Value>,
        (at, depth): (&str, usize),
    ) -> Result<(), Unreadable> {
        let at = &child(at, keyword);
        let is_tuple = members.get("items").is_some_and(Value::is_array);
        match (keyword, value) {
            // They name things.
            ("$schema" | "$id" | "id" | "$anchor" | "$vocabulary", _) => {}
            // It asserts nothing where the dialect does not know it; the walk still sees that it changed.
            _ if !self.dialect.hears(keyword) => {
                read.insert(format!("{UNHEARD}{keyword}"), value.clone());
            }
            ("$dynamicRef" | "$recursiveRef" | "$dynamicAnchor" | "$recursiveAnchor", _) => {
                return Err(Unreadable::new(
                    keyword,
                    format!("`{keyword}` at {} depends on how a value is reached, and is not followed", shown(at)),
                ));
            }
            ("$ref", _) => {
                read.insert(keyword.to_owned(), self.reference(value));
            }
            ("items", Value::Array(_)) if self.dialect == Dialect::Current => {
                return Err(self.of_another_draft(keyword, "a list", at, "`prefixItems`", "draft-07"));
            }
            // 2020-12 has no tuple without places.
            ("items", Value::Array(places)) if places.is_empty() => {}
            ("items", Value::Array(_)) => {
                read.insert("prefixItems".to_owned(), self.list(value, at, depth)?);
            }
            ("additionalItems", _) if is_tuple => {
                read.insert("items".to_owned(), self.schema(value, at, depth + 1)?);
            }
            // It says something about tuples alone.
            ("additionalItems", _) => {}
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) if self.dialect != Dialect::Draft4 => {
                return Err(self.of_another_draft(keyword, "a boolean", at, "the bound itself", "draft-04"));
            }
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Number(_)) if self.dialect == Dialect::Draft4 => {
                return Err(self.of_another_draft(keyword, "a number", at, "a boolean beside the bound", "draft-07"));
            }
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
                        ("dependentSchemas", self.schema(dependency, &child(at, name), depth + 1)?)
                    };
                    let place = read.entry(keyword).or_insert_with(|| json!({}));
                    place.as_object_mut().map(|place| place.insert(name.clone(), dependency));
                }
            }
            // These drafts take names that later ones refuse, so neither reading would be true of both.
            ("format", Value::String(format)) if format == "hostname" && self.dialect < Dialect::Draft7 => {
                let why = format!(
                    "`format` at {} is `hostname`, which {} reads otherwise than 2020-12",
                    shown(at),
                    self.dialect.name()
                );
                return Err(Unreadable::new(keyword, why));
            }
            // What was looked at by `contains` counts as looked at from 2020-12 on.
            ("unevaluatedItems", _) if self.dialect == Dialect::Draft2019 => {
                let why = format!("`unevaluatedItems` at {} is read otherwise in 2019-09 than in 2020-12", shown(at));
                return Err(Unreadable::new(keyword, why));
            }
            // A format that is not asserted is a note; the walk still sees that it changed.
            ("format", Value::String(format))
                if !STANDARD_FORMATS.contains(&format.as_str()) || !self.dialect.asserts_format(format) =>
            {
                read.insert(format!("{UNHEARD}format"), value.clone());
            }
            _ if SCHEMA.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.schema(value, at, depth + 1)?);
            }
            _ if SCHEMAS_BY_NAME.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.by_name(value, at, depth)?);
            }
            _ if SCHEMA_LIST.contains(&keyword) => {
                read.insert(keyword.to_owned(), self.list(value, at, depth)?);
            }
            _ => {
                read.insert(keyword.to_owned(), value.clone());
            }
        }
        Ok(())
    }

    /// A form that a keyword has in other drafts alone.
    fn of_another_draft(&self, keyword: &str, what: &str, at: &str, right: &str, draft: &str) -> Unreadable {
        let why = format!(
            "`{keyword}` at {} is {what}, and in {}, which a schema is that names no other `$schema`, it is not; write {right}, \
             or name {draft} in `$schema`",
            shown(at),
            self.dialect.name()
        );
        Unreadable::new(keyword, why)
    }

    fn by_name(&self, value: &Value, at: &str, depth: usize) -> Result<Value, Unreadable> {
        let members = value.as_object().ok_or_else(|| Unreadable::no_schema(value, at))?;
        let read =
            members.iter().map(|(name, schema)| Ok((name.clone(), self.schema(schema, &child(at, name), depth + 1)?)));
        read.collect::<Result<Map<String, Value>, Unreadable>>().map(Value::Object)
    }

    fn list(&self, value: &Value, at: &str, depth: usize) -> Result<Value, Unreadable> {
        let items = value.as_array().ok_or_else(|| Unreadable::no_schema(value, at))?;
        let read = items
            .iter()
            .enumerate()
            .map(|(place, schema)| self.schema(schema, &child(at, &place.to_string()), depth + 1));
        read.collect::<Result<Vec<Value>, Unreadable>>().map(Value::Array)
    }

    /// Every reference is a pointer from the root by now.
    fn reference(&self, value: &Value) -> Value {
        let pointer = value.as_str().unwrap_or_default().trim_start_matches('#');
        format!("#/$defs/{}{pointer}", self.side).into()
    }
}
