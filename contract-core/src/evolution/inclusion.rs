//! Whether everything that one schema takes another takes too: proved keyword by keyword, by set algebra over canonical forms,
//! by induction through recursion and by automata for patterns; or left open, with the keywords it hangs on.

use std::collections::BTreeMap;

use jsonschema::canonical::{CanonicalView, Containment};
use serde_json::{Value, json};

use super::document::{Document, canonical, covers};
use super::effort::Effort;
use super::pattern::{Inclusion, Patterns};
use super::structure::Otherwise;
use super::{recursion, structure};

/// Longer lengths are not counted by an automaton: it would have a state for each character.
const LONGEST_COUNTED: u64 = 64;

/// Whether inclusion can be proved; `false` says nothing.
pub(super) fn is_proved(narrow: &Document, wide: &Document, effort: &Effort<'_>) -> bool {
    if structure::shows(narrow, wide, Otherwise::Algebra, effort) {
        return true;
    }
    match covers(&narrow.whole(), &wide.whole(), effort) {
        Containment::Yes => return true,
        // A value refutes it, so no other way of asking helps.
        Containment::No => return false,
        Containment::Unknown => {}
    }
    let told = with_implied_patterns(narrow, wide, effort.patterns);
    if let Some(told) = &told
        && covers(&told.whole(), &wide.whole(), effort) == Containment::Yes
    {
        return true;
    }
    let narrow = told.as_ref().unwrap_or(narrow);
    let both = wide.clone().beside(narrow);
    recursion::obligations(narrow, wide).is_some_and(|obligations| {
        obligations.iter().all(|(one, other)| covers(&narrow.part(one), &both.part(other), effort) == Containment::Yes)
    })
}

/// `narrow` with each pattern joined by the patterns and lengths of `wide` that it implies: the same values, in words that the algebra compares.
fn with_implied_patterns(narrow: &Document, wide: &Document, known: &Patterns) -> Option<Document> {
    let mut theirs = BTreeMap::new();
    wide.definitions.values().chain([&wide.schema]).for_each(|schema| asked_of_text(schema, &mut theirs));
    if theirs.is_empty() || !super::document::mentions(&narrow.whole(), "pattern") {
        return None;
    }
    let implied = |schema: &Value| joined(schema, &theirs, known);
    Some(Document {
        schema: implied(&narrow.schema),
        definitions: narrow.definitions.iter().map(|(name, schema)| (name.clone(), implied(schema))).collect(),
    })
}

/// What is asked of a text somewhere in `schema`: a pattern or a length, each as a pattern and as the schema that says it.
fn asked_of_text(schema: &Value, found: &mut BTreeMap<String, Value>) {
    let _ = recursion::changed(schema, &mut |_, child| {
        asked_of_text(child, found);
        Value::Null
    });
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        found.insert(pattern.to_owned(), json!({ "pattern": pattern }));
    }
    for (keyword, end) in [("minLength", ",}"), ("maxLength", "}")] {
        if let Some(length) = schema.get(keyword).and_then(Value::as_u64).filter(|length| *length <= LONGEST_COUNTED) {
            let start = if keyword == "maxLength" { "0," } else { "" };
            found.insert(format!("^[\\s\\S]{{{start}{length}{end}$"), json!({ keyword: length }));
        }
    }
}

fn joined(schema: &Value, theirs: &BTreeMap<String, Value>, known: &Patterns) -> Value {
    let mut schema = recursion::changed(schema, &mut |_, child| joined(child, theirs, known));
    let Some(own) = schema.get("pattern").and_then(Value::as_str).map(str::to_owned) else { return schema };
    let implied: Vec<Value> = theirs
        .iter()
        .filter(|(other, _)| **other != own && known.included(&own, other) == Inclusion::Proved)
        .map(|(_, says)| says.clone())
        .collect();
    // A schema without a type takes every number as well, and `pattern` asks nothing of one; so does what is joined.
    if let (false, Some(members)) = (implied.is_empty(), schema.as_object_mut()) {
        let mut all = members.get("allOf").and_then(Value::as_array).cloned().unwrap_or_default();
        all.extend(implied);
        members.insert("allOf".to_owned(), Value::Array(all));
    }
    schema
}

/// The keywords for which the algebra has no form.
pub(super) fn opaque(document: &Document, effort: &Effort<'_>) -> Vec<String> {
    let whole = document.whole();
    if !recursion::endless(document).is_empty() {
        return vec!["$ref".to_owned()];
    }
    let Some(form) = canonical(&whole, effort) else { return Vec::new() };
    let CanonicalView::Raw(raw) = form.view() else { return Vec::new() };
    let place = raw.pointer.and_then(|pointer| whole.pointer(&pointer).cloned()).unwrap_or_default();
    let known = ["type", "title", "description", "default", "properties", "required", "$defs"];
    place
        .as_object()
        .into_iter()
        .flatten()
        .map(|(keyword, _)| keyword.clone())
        .filter(|keyword| !known.contains(&keyword.as_str()))
        .collect()
}
