//! One side of a comparison: its schema in one dialect, and two validators that must agree about every value.

use std::collections::BTreeSet;

use jsonschema::canonical::{CanonicalSchema, Containment};
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value, json};

use super::dialect::{Dialect, Unreadable};
use super::effort::Effort;
use super::references::{into_definitions, shown};
use super::width::width;
use super::{dialect, recursion};

/// Steps a pattern with look-around may take over one value; plain patterns take linear time anyway.
const BACKTRACKING: usize = 100_000;

/// What it costs to bring one member or item of a schema into canonical form or into a validator, and how many pairs of them are one step more:
/// a form is made by holding its parts against each other.
pub(super) const PER_PART: u64 = 40;
const PAIRS_PER_STEP: u64 = 2;

/// What it costs to look at one way in which the branches of unions can come together.
const PER_ALTERNATIVE: u64 = 20;

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
    /// What cannot be read.
    pub(super) fn read(schema: &Value, side: &str) -> Result<Self, Unreadable> {
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
        let (name, pointer) = into_definitions(reference)?;
        self.definitions.get(&name)?.pointer(&pointer)
    }

    /// The same document with what `other` may refer to as well.
    pub(super) fn beside(mut self, other: &Self) -> Self {
        for (name, schema) in &other.definitions {
            self.definitions.entry(name.clone()).or_insert_with(|| schema.clone());
        }
        self
    }
}

/// `schema` as a document with no more of `sources` than it refers to.
pub(super) fn closed(schema: Value, sources: &[&Document]) -> Document {
    let mut definitions = Map::new();
    let mut waiting: Vec<String> = recursion::references(&schema).into_iter().collect();
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    while let Some(reference) = waiting.pop() {
        let Some((name, pointer)) = into_definitions(&reference) else { continue };
        let Some(source) = sources.iter().find(|source| source.definitions.contains_key(&name)) else { continue };
        let Some(target) = source.resolve(&reference) else { continue };
        // What is defined under a name of its own is taken alone; a reference to any other place takes all around it.
        let ways: Vec<&str> = pointer.split('/').skip(1).collect();
        let mut add = |keyword: &str, named: &str| {
            let side = definitions.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
            side.as_object_mut()
                .map(|side| side.entry(keyword).or_insert_with(|| Value::Object(Map::new())))
                .and_then(Value::as_object_mut)
                .map(|all| all.insert(dialect::unescaped(named), target.clone()));
        };
        match ways.as_slice() {
            [keyword @ ("$defs" | "definitions"), named] => add(keyword, named),
            _ => return Document { schema, definitions: all_definitions(sources) },
        }
        for next in recursion::references(target) {
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    Document { schema, definitions }
}

fn all_definitions(sources: &[&Document]) -> Map<String, Value> {
    let mut all = Map::new();
    for (name, schema) in sources.iter().flat_map(|source| &source.definitions) {
        all.entry(name.clone()).or_insert_with(|| schema.clone());
    }
    all
}

/// The name and the pointer inside it of a reference into `$defs`.
pub(super) fn split(reference: &str) -> Option<(&str, &str)> {
    let rest = reference.strip_prefix("#/$defs/")?;
    Some(rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash)))
}

/// The canonical form, in which sets of values are compared; none where there is none, or where it is not afforded.
pub(super) fn canonical(whole: &Value, effort: &Effort<'_>) -> Option<CanonicalSchema> {
    let parts = parts(whole);
    let pairs = parts.saturating_mul(parts) / PAIRS_PER_STEP;
    let alternatives = width(whole).all.saturating_mul(PER_ALTERNATIVE);
    if !effort.affords(parts.saturating_mul(PER_PART).saturating_add(pairs).saturating_add(alternatives)) {
        return None;
    }
    let options = jsonschema::canonical::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING))
        .offline();
    options.canonicalize(whole).ok()
}

/// The form of what `narrow` takes and `wide` does not.
pub(super) fn difference(narrow: &Value, wide: &Value, effort: &Effort<'_>) -> Option<CanonicalSchema> {
    let pairs = parts(narrow).saturating_mul(parts(wide));
    let alternatives = width(narrow).taken.saturating_mul(width(wide).most_refused).saturating_mul(PER_ALTERNATIVE);
    if !effort.affords(pairs.saturating_add(alternatives)) {
        return None;
    }
    canonical(narrow, effort)?.subtract(&canonical(wide, effort)?).ok()
}

/// Whether the set algebra proves that `wide` takes all that `narrow` takes.
pub(super) fn covers(narrow: &Value, wide: &Value, effort: &Effort<'_>) -> Containment {
    // Two forms are held against each other once they are made.
    let pairs = parts(narrow).saturating_mul(parts(wide)) / PAIRS_PER_STEP;
    let alternatives = width(narrow).taken.saturating_mul(width(wide).taken).saturating_mul(PER_ALTERNATIVE);
    if !effort.affords(pairs.saturating_add(alternatives)) {
        return Containment::Unknown;
    }
    let (Some(narrow), Some(wide)) = (canonical(narrow, effort), canonical(wide, effort)) else {
        return Containment::Unknown;
    };
    wide.covers(&narrow).unwrap_or(Containment::Unknown)
}

/// A validator for `whole` as it stands, in the draft that it names, else 2020-12.
pub(super) fn validator(whole: &Value) -> Option<Validator> {
    built(whole).ok()
}

fn built(whole: &Value) -> Result<Validator, String> {
    let options = jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING))
        .offline();
    options.build(whole).map_err(|error| {
        // A schema stands twice in its document; its own place is the one that its author knows.
        let place = error.instance_path().as_str().to_owned();
        let inside =
            place.strip_prefix("/$defs/").and_then(|rest| rest.strip_prefix("old").or(rest.strip_prefix("new")));
        let place = inside.filter(|rest| rest.starts_with('/')).unwrap_or(&place);
        format!("{} at {}", super::telling::cut(&error.to_string()), shown(place))
    })
}

/// `schema` without a keyword that asserts nothing in its dialect.
fn without_dependencies(schema: &Value) -> Value {
    let mut schema = recursion::changed(schema, &mut |_, child| without_dependencies(child));
    schema.as_object_mut().map(|members| members.shift_remove("dependencies"));
    schema
}

/// Who decides whether a value fits: the schema as published and the schema as read here. Where they disagree, nothing is
/// claimed.
pub(super) struct Judge {
    published: Option<Validator>,
    read: Validator,
}

impl Judge {
    /// Compiles the schema twice.
    ///
    /// # Errors
    /// What the validator does not take, and where.
    pub(super) fn new(published: &Value, document: &Document) -> Result<Self, String> {
        let read = built(&document.whole())?;
        // The validator asserts `dependencies` in every draft; from 2019-09 on it is no keyword.
        let published = if Dialect::of(published) == Dialect::Current {
            without_dependencies(published)
        } else {
            published.clone()
        };
        Ok(Self { published: validator(&published), read })
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

/// How many values `value` is made of.
pub(super) fn parts(value: &Value) -> u64 {
    match value {
        Value::Object(members) => 1 + members.values().map(parts).sum::<u64>(),
        Value::Array(items) => 1 + items.iter().map(parts).sum::<u64>(),
        _ => 1,
    }
}

/// `{"allOf":[…]}` of several schemas, or the only one.
pub(super) fn all_of(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 { schemas.swap_remove(0) } else { json!({ "allOf": schemas }) }
}
