//! One side of a comparison: its schema in one dialect, and two validators that must agree about every value.

use jsonschema::canonical::CanonicalSchema;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value, json};

use super::dialect;

/// Steps a pattern with look-around may take over one value; plain patterns take linear time anyway.
const BACKTRACKING: usize = 100_000;

/// A schema that can be compared.
#[derive(Clone)]
pub(super) struct Document {
    /// The schema, its references below `#/$defs/<side>`.
    pub(super) schema: Value,
    /// What stands in `$defs`: each side by its name.
    pub(super) definitions: Map<String, Value>,
}

impl Document {
    /// Reads `schema`, which may call itself `side` in references.
    ///
    /// # Errors
    /// The keyword that cannot be read.
    pub(super) fn read(schema: &Value, side: &str) -> Result<Self, String> {
        let schema = dialect::read(schema, side)?;
        Ok(Self { definitions: Map::from_iter([(side.to_owned(), schema.clone())]), schema })
    }

    /// A document that the validator's algebra wrote: its definitions stand at its root.
    pub(super) fn written(mut whole: Value) -> Self {
        let definitions = whole.as_object_mut().and_then(|members| members.shift_remove("$defs"));
        let definitions = definitions.and_then(|defined| defined.as_object().cloned()).unwrap_or_default();
        Self { schema: whole, definitions }
    }

    /// The schema as a document of its own.
    pub(super) fn whole(&self) -> Value {
        self.part(&self.schema)
    }

    /// `schema`, a part of this document or one made from it, with everything that it may refer to.
    pub(super) fn part(&self, schema: &Value) -> Value {
        match schema {
            // What the schema itself defines is reached below its side's name.
            Value::Object(members) => {
                let mut whole = members.clone();
                whole.shift_remove("definitions");
                if self.definitions.is_empty() {
                    whole.shift_remove("$defs");
                } else {
                    whole.insert("$defs".to_owned(), Value::Object(self.definitions.clone()));
                }
                Value::Object(whole)
            }
            other => other.clone(),
        }
    }

    /// The schema at the end of `reference`.
    pub(super) fn resolve(&self, reference: &str) -> Option<&Value> {
        let (name, pointer) = split(reference)?;
        self.definitions.get(&name.replace("~1", "/").replace("~0", "~"))?.pointer(pointer)
    }

    /// The same document with what `other` may refer to as well.
    pub(super) fn beside(mut self, other: &Self) -> Self {
        for (name, schema) in &other.definitions {
            self.definitions.entry(name.clone()).or_insert_with(|| schema.clone());
        }
        self
    }
}

/// The name and the pointer inside it of a reference into `$defs`.
pub(super) fn split(reference: &str) -> Option<(&str, &str)> {
    let rest = reference.strip_prefix("#/$defs/")?;
    Some(rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash)))
}

/// The canonical form, in which sets of values are compared; none where there is none.
pub(super) fn canonical(whole: &Value) -> Option<CanonicalSchema> {
    let options = jsonschema::canonical::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING))
        .offline();
    options.canonicalize(whole).ok()
}

/// A validator for `whole` as it stands, in the draft that it names, else 2020-12.
pub(super) fn validator(whole: &Value) -> Option<Validator> {
    let options = jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING))
        .offline();
    options.build(whole).ok()
}

/// Who decides whether a value fits: the schema as published and the schema as read here. Where they disagree, nothing is
/// claimed.
pub(super) struct Judge {
    published: Option<Validator>,
    read: Validator,
}

impl Judge {
    /// None when the schema does not compile.
    pub(super) fn new(published: &Value, document: &Document) -> Option<Self> {
        Some(Self { published: validator(published), read: validator(&document.whole())? })
    }

    pub(super) fn accepts(&self, value: &Value) -> bool {
        self.read.is_valid(value) && self.published.as_ref().is_none_or(|published| published.is_valid(value))
    }

    pub(super) fn refuses(&self, value: &Value) -> bool {
        !self.read.is_valid(value) && self.published.as_ref().is_none_or(|published| !published.is_valid(value))
    }
}

/// Whether a member named `keyword` stands anywhere in `value`.
pub(super) fn mentions(value: &Value, keyword: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, member)| name == keyword || mentions(member, keyword)),
        Value::Array(items) => items.iter().any(|item| mentions(item, keyword)),
        _ => false,
    }
}

/// `{"allOf":[…]}` of several schemas, or the only one.
pub(super) fn all_of(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 { schemas.swap_remove(0) } else { json!({ "allOf": schemas }) }
}
