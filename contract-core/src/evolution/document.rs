//! One side of a comparison: its schema in one dialect, and two validators that must agree about every value.

use std::collections::BTreeSet;

use jsonschema::canonical::{CanonicalSchema, Containment};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::backtracking::pattern_options;
use super::cost::{self, Looks, Sizes};
use super::dialect::{Bearing, bearing};
use super::drafts::Dialect;
use super::effort::{self, Effort};
use super::references::{into_definitions, shown};
use super::unreadable::Unreadable;
use super::width::width;
use super::{dialect, recursion};

/// What it costs to bring one member or item of a schema into canonical form or into a validator, and how many pairs of them are one step more:
/// a form is made by holding its parts against each other.
pub(super) const PER_PART: u64 = 40;
const PAIRS_PER_STEP: u64 = 2;

/// What it costs to look at one way in which the branches of unions can come together.
const PER_ALTERNATIVE: u64 = 20;

/// What it costs to look at a value through one schema where looks are counted.
const PER_LOOK: u64 = 4;

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
    // What is referred to twice is brought into its form twice.
    let sizes = Sizes::of(whole).ok()?;
    if !effort.affords(
        parts.max(sizes.written_out()).saturating_mul(PER_PART).saturating_add(pairs).saturating_add(alternatives),
    ) {
        return None;
    }
    // A form keeps of a list what its patterns take.
    if !effort.trials.end(sizes.going_back(), whole, effort) {
        return None;
    }
    let options = jsonschema::canonical::options()
        .should_validate_formats(true)
        .with_pattern_options(pattern_options())
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

/// A validator that is asked no more than a comparison affords.
pub(super) struct Checked<'effort> {
    validator: Validator,
    /// The schema itself, where what a value costs has to be counted.
    counted: Option<Value>,
    /// The patterns that may be given up.
    going_back: BTreeSet<String>,
    effort: &'effort Effort<'effort>,
}

impl Checked<'_> {
    /// Whether the schema takes `value`; none when finding out is not afforded, or a pattern is given up.
    pub(super) fn answer(&self, value: &Value) -> Option<bool> {
        if let Some(whole) = &self.counted {
            // Counting costs about what it counts, even where it is given up.
            let looks = Looks::at(whole, value);
            if !self.effort.affords(looks.unwrap_or(cost::MOST_LOOKS).saturating_mul(PER_LOOK)) {
                return None;
            }
            if looks.is_none() {
                self.effort.refuse();
                return None;
            }
        }
        if !self.effort.trials.end(&self.going_back, value, self.effort) {
            return None;
        }
        Some(self.validator.is_valid(value))
    }

    /// Whether it certainly does.
    pub(super) fn takes(&self, value: &Value) -> bool {
        self.answer(value) == Some(true)
    }

    /// Whether it certainly does not.
    pub(super) fn refuses(&self, value: &Value) -> bool {
        self.answer(value) == Some(false)
    }
}

/// A validator for `whole`, a document as it was read here; none where there is none, or where it could not be asked in time.
pub(super) fn validator<'effort>(whole: &Value, effort: &'effort Effort<'effort>) -> Option<Checked<'effort>> {
    checked(whole, effort).ok()
}

fn checked<'effort>(whole: &Value, effort: &'effort Effort<'effort>) -> Result<Checked<'effort>, Unreadable> {
    let sizes = Sizes::of(whole)?;
    if !effort.affords(sizes.to_make()) {
        let why = "its validator would take more steps than are left for it".to_owned();
        return Err(Unreadable::new(effort::BUDGET, why));
    }
    let counted = if sizes.is_plain() { None } else { Some(whole.clone()) };
    let validator = built(whole).map_err(|error| not_taken(&error))?;
    Ok(Checked { validator, counted, going_back: sizes.going_back().clone(), effort })
}

fn built(whole: &Value) -> Result<Validator, ValidationError<'static>> {
    let options = jsonschema::options().should_validate_formats(true).with_pattern_options(pattern_options()).offline();
    options.build(whole)
}

/// What the validator says of a schema that it does not take.
fn not_taken(error: &ValidationError<'_>) -> Unreadable {
    // A schema stands twice in its document; its own place is the one that its author knows.
    let place = error.instance_path().as_str().to_owned();
    let inside = place.strip_prefix("/$defs/").and_then(|rest| rest.strip_prefix("old").or(rest.strip_prefix("new")));
    let place = inside.filter(|rest| rest.starts_with('/')).unwrap_or(&place);
    let steps = place.rsplit('/').map(dialect::unescaped);
    let keyword = steps.into_iter().find(|step| bearing(step) == Bearing::Asserts);
    let why = format!("{} at {}", super::telling::cut(&error.to_string()), shown(place));
    Unreadable::new(keyword.as_deref().unwrap_or("$schema"), why)
}

/// `schema` without the keywords and formats that assert nothing in `dialect`: the validator hears some of them in every draft.
fn without_unheard(schema: &Value, dialect: Dialect) -> Value {
    let mut schema = recursion::changed(schema, &mut |_, child| without_unheard(child, dialect));
    let is_format_heard = |format: &Value| format.as_str().is_none_or(|format| dialect.asserts_format(format));
    schema.as_object_mut().into_iter().for_each(|members| {
        members.retain(|keyword, value| dialect.hears(keyword) && (keyword != "format" || is_format_heard(value)));
    });
    schema
}

/// Who decides whether a value fits: the schema as published and the schema as read here. Where they disagree, nothing is
/// claimed.
pub(super) struct Judge<'effort> {
    published: Option<Validator>,
    read: Checked<'effort>,
}

impl<'effort> Judge<'effort> {
    /// Compiles the schema twice.
    ///
    /// # Errors
    /// What the validator does not take, and where.
    pub(super) fn new(
        published: &Value,
        document: &Document,
        effort: &'effort Effort<'effort>,
    ) -> Result<Self, Unreadable> {
        let read = checked(&document.whole(), effort)?;
        let dialect = Dialect::said(published, "")?.unwrap_or_default();
        let published = match built(&without_unheard(published, dialect)) {
            Ok(published) => Some(published),
            // Its ways to find what is referred to are its own.
            Err(error) if matches!(error.kind(), ValidationErrorKind::Referencing(_)) => None,
            Err(error) => return Err(not_taken(&error)),
        };
        Ok(Self { published, read })
    }

    pub(super) fn accepts(&self, value: &Value) -> bool {
        self.read.takes(value) && self.published.as_ref().is_none_or(|published| published.is_valid(value))
    }

    pub(super) fn refuses(&self, value: &Value) -> bool {
        self.read.refuses(value) && self.published.as_ref().is_none_or(|published| !published.is_valid(value))
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
