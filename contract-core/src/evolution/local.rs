//! One difference at its own place: the schemas around it are held against each other without the rest of the documents, and
//! what tells them apart is lifted into a whole value.
//!
//! The rest holds on both sides alike, so inclusion at a place from which everything above only grows is inclusion of the
//! whole. A value has the last word from the whole validators, as every witness has. What this leaves open is asked again of
//! the whole documents.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::branches;
use super::document::{Document, PER_PART, closed, parts, validator};
use super::edit::{Edit, Slot};
use super::effort::Effort;
use super::inclusion::is_proved;
use super::structure::{self, Otherwise};
use super::way::{self, Kind, Lift, Step};
use super::{recursion, witness};

/// What it costs to make two validators for a small place.
const PER_DIFFERENCE: u64 = 200;

/// What is known of a difference from its own place.
pub(super) enum Finding {
    /// Nothing is refused because of it.
    Harmless,
    /// This value is.
    Shown(Value),
    Open,
}

pub(super) struct Local<'search> {
    narrow: &'search Document,
    wide: &'search Document,
    lift: &'search Lift<'search>,
    effort: &'search Effort<'search>,
    is_twisted: OnceCell<bool>,
    tags: RefCell<HashMap<String, Option<String>>>,
}

/// A search for a value that tells two schemas apart.
type Find = fn(&Document, &Document, &Effort<'_>, &dyn Fn(&Value) -> bool) -> Option<Value>;

/// A schema, the same with the difference made, and which properties of an object they speak of alone.
struct Pair {
    narrow: Document,
    wide: Document,
    names: Option<Vec<String>>,
}

impl<'search> Local<'search> {
    pub(super) fn new(
        narrow: &'search Document,
        wide: &'search Document,
        lift: &'search Lift<'search>,
        effort: &'search Effort<'search>,
    ) -> Self {
        Self { narrow, wide, lift, effort, is_twisted: OnceCell::new(), tags: RefCell::default() }
    }

    /// What `edit` does, where `holds` decides whether a whole value tells the documents apart.
    pub(super) fn finding(&self, edit: &Edit, holds: &dyn Fn(&Value) -> bool) -> Finding {
        let is_growing = self.is_growing(edit);
        for pair in [self.forth(edit), self.back(edit)].into_iter().flatten() {
            if is_growing && structure::shows(&pair.narrow, &pair.wide, Otherwise::Nobody, self.effort) {
                return Finding::Harmless;
            }
            // A value is sooner found than it is proved that there is none.
            if let Some(whole) = self.shown(edit, &pair, holds, witness::find_near) {
                return Finding::Shown(whole);
            }
            if is_growing && is_proved(&pair.narrow, &pair.wide, self.effort) {
                return Finding::Harmless;
            }
            if let Some(whole) = self.shown(edit, &pair, holds, witness::find) {
                return Finding::Shown(whole);
            }
        }
        Finding::Open
    }

    fn shown(&self, edit: &Edit, pair: &Pair, holds: &dyn Fn(&Value) -> bool, find: Find) -> Option<Value> {
        // What one place hides, another that uses the same definition may show.
        let is_lifted = |way: &&Vec<Step>| !way.iter().any(|step| matches!(step.kind, Kind::Other));
        let ways: Vec<&Vec<Step>> = edit.ways.iter().filter(is_lifted).collect();
        if ways.is_empty() {
            return None;
        }
        let parts = parts(&pair.narrow.schema) + parts(&pair.wide.schema);
        if !self.effort.affords(PER_DIFFERENCE + parts.saturating_mul(PER_PART)) {
            return None;
        }
        let judges = (validator(&pair.narrow.whole(), self.effort)?, validator(&pair.wide.whole(), self.effort)?);
        let lifted = |way: &[Step], value: &Value| {
            let part = match &pair.names {
                Some(names) => self.lift.beside(&edit.narrow, names, value.clone()),
                None => value.clone(),
            };
            self.lift.up(way, part)
        };
        let shown_by = Cell::new(None);
        let shows = |value: &Value| {
            let is_found = |way: &&&Vec<Step>| {
                lifted(way, value).is_some_and(|whole| {
                    // Some validator looks at every member, and at every branch that might have taken it.
                    self.effort.affords(way::value_size(&whole)) && holds(&whole)
                })
            };
            if !judges.0.takes(value) || !judges.1.refuses(value) {
                return false;
            }
            let way = ways.iter().find(is_found);
            shown_by.set(way.or(shown_by.get()));
            way.is_some()
        };
        // It is what was shown last.
        let value = find(&pair.narrow, &pair.wide, self.effort, &shows)?;
        lifted(shown_by.get()?, &value)
    }

    /// The narrow schema, and itself with the difference made.
    fn forth(&self, edit: &Edit) -> Option<Pair> {
        let (base, from) = (self.narrow.schema.pointer(&edit.narrow)?, self.wide.schema.pointer(&edit.wide)?);
        let (base, from, names) = trimmed(base, from, &edit.slots);
        let mixed = carried(&base, &from, &edit.slots);
        let narrow = closed(base, &[self.narrow]);
        Some(Pair { narrow, wide: closed(mixed, &[self.narrow, self.wide]), names })
    }

    /// The wide schema with the difference undone, and itself.
    fn back(&self, edit: &Edit) -> Option<Pair> {
        let (base, from) = (self.wide.schema.pointer(&edit.wide)?, self.narrow.schema.pointer(&edit.narrow)?);
        let (base, from, names) = trimmed(base, from, &edit.slots);
        let mixed = carried(&base, &from, &edit.slots);
        let wide = closed(base, &[self.wide]);
        Some(Pair { narrow: closed(mixed, &[self.wide, self.narrow]), wide, names })
    }

    /// Whether the whole takes more when the schema at the difference does.
    fn is_growing(&self, edit: &Edit) -> bool {
        edit.ways.iter().all(|way| {
            way.iter().enumerate().all(|(at, step)| match &step.kind {
                Kind::Other => false,
                // Other places may refer there, too, and not each way is among those that are known.
                Kind::Reference => !self.is_twisted(),
                Kind::Branch("oneOf", _) => {
                    self.counts_alone(&step.parent) && self.is_tagged(edit, &way[at + 1..], &step.parent)
                }
                Kind::Part | Kind::Branch(..) => self.counts_alone(&step.parent),
                _ => true,
            })
        })
    }

    /// Whether what a part has looked at means nothing to the schema around it.
    fn counts_alone(&self, parent: &str) -> bool {
        self.narrow.schema.pointer(parent).is_some_and(|parent| {
            ["unevaluatedProperties", "unevaluatedItems"].iter().all(|keyword| parent.get(keyword).is_none())
        })
    }

    /// Whether anything refers to a schema from where taking more means taking less.
    fn is_twisted(&self) -> bool {
        *self.is_twisted.get_or_init(|| recursion::refers_from_where_less_grows(&self.narrow.schema))
    }

    /// Whether exactly one branch of a union is meant by a constant that the difference leaves alone.
    fn is_tagged(&self, edit: &Edit, rest: &[Step], parent: &str) -> bool {
        let tag = self.tags.borrow().get(parent).cloned();
        let tag = tag.unwrap_or_else(|| {
            let branches = self.narrow.schema.pointer(parent).and_then(|parent| parent.get("oneOf")?.as_array());
            let tag = branches.and_then(|branches| branches::tag(self.narrow, branches));
            self.tags.borrow_mut().insert(parent.to_owned(), tag.clone());
            tag
        });
        let Some(tag) = tag else { return false };
        match rest.iter().map(|step| &step.kind).find(|kind| !matches!(kind, Kind::Reference)) {
            Some(Kind::Property(name)) => *name != tag,
            Some(_) => false,
            // A difference of the branch itself may be one of its constant.
            None => edit.slots.iter().all(|slot| match slot {
                Slot::Member(_, name) | Slot::Required(name) => *name != tag,
                Slot::Keyword(keyword) => matches!(keyword.as_str(), "additionalProperties" | "maxProperties"),
                Slot::Whole => false,
            }),
        }
    }
}

fn carried(base: &Value, from: &Value, slots: &[Slot]) -> Value {
    let mut mixed = base.clone();
    for slot in slots {
        slot.carry(&mut mixed, from);
    }
    mixed
}

/// Keywords about the members of an object.
const OF_OBJECTS: [&str; 9] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
];

/// Keywords that speak of no member.
const OF_SCALARS: [&str; 16] = [
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "pattern",
    "format",
    "x-unheard-format",
];

/// Keywords that hang on what others have looked at.
const OF_THE_REST: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// Both schemas without what the difference at hand does not touch: it holds on both sides alike.
fn trimmed(base: &Value, from: &Value, slots: &[Slot]) -> (Value, Value, Option<Vec<String>>) {
    let whole = || (base.clone(), from.clone(), None);
    let (Value::Object(one), Value::Object(other)) = (base, from) else { return whole() };
    let mut names: Vec<String> = Vec::new();
    let mut is_about_undeclared = false;
    for slot in slots {
        match slot {
            Slot::Member("properties", name) | Slot::Required(name) => names.push(name.clone()),
            Slot::Keyword(keyword) if keyword == "additionalProperties" => is_about_undeclared = true,
            Slot::Keyword(keyword) if OF_SCALARS.contains(&keyword.as_str()) => {}
            _ => return whole(),
        }
    }
    let has = |keyword: &str| one.contains_key(keyword) || other.contains_key(keyword);
    if !OF_OBJECTS.iter().any(|keyword| has(keyword)) || OF_THE_REST.iter().any(|keyword| has(keyword)) {
        return whole();
    }
    names.dedup();
    let about = if is_about_undeclared || !names.is_empty() { Some(is_about_undeclared) } else { None };
    (cut(one, &names, about), cut(other, &names, about), Some(names))
}

/// `members` with what it says of the properties `names` alone; all others are declared and open when the difference is
/// `about_undeclared` ones.
fn cut(members: &Map<String, Value>, names: &[String], about_undeclared: Option<bool>) -> Value {
    let rest = members.iter().filter(|(keyword, _)| !OF_OBJECTS.contains(&keyword.as_str()));
    let mut cut: Map<String, Value> = rest.map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
    let Some(is_about_undeclared) = about_undeclared else { return Value::Object(cut) };
    let properties = members.get("properties").and_then(Value::as_object);
    let mut kept = Map::new();
    if is_about_undeclared {
        kept.extend(properties.into_iter().flatten().map(|(name, _)| (name.clone(), Value::Bool(true))));
    }
    for name in names {
        kept.extend(
            properties.and_then(|properties| properties.get(name)).map(|schema| (name.clone(), schema.clone())),
        );
    }
    cut.insert("properties".to_owned(), Value::Object(kept));
    for keyword in ["patternProperties", "additionalProperties"] {
        cut.extend(members.get(keyword).map(|value| (keyword.to_owned(), value.clone())));
    }
    let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<&Value> = required.filter(|name| names.iter().any(|other| *name == other)).collect();
    if !required.is_empty() {
        cut.insert("required".to_owned(), json!(required));
    }
    Value::Object(cut)
}
