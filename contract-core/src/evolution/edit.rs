//! One place at which two schemas differ, as something that can be carried from one to the other.

use serde_json::{Map, Value};

use super::document::{Document, split};
use super::places::Pair;
use super::verdict::Rule;
use super::way::Step;

/// A difference.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) rule: Rule,
    /// Where in the schema around it, as it is added to the place of that.
    pub(super) inside: String,
    /// What it was and what it is.
    pub(super) message: String,
    /// The keywords that differ.
    pub(super) keywords: Vec<String>,
    /// The schema around the difference, in each document.
    pub(super) narrow: String,
    pub(super) wide: String,
    /// The ways there in the narrow document, the walk's own first.
    pub(super) ways: Vec<Vec<Step>>,
    /// What differs in it.
    pub(super) slots: Vec<Slot>,
    /// Whether any value can tell: words for people cannot.
    pub(super) effect: Effect,
}

/// What a difference can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It may decide whether a value fits.
    Asserts,
    /// It is for people.
    Words,
    /// It changes what leaving something out means.
    Default,
    /// Nobody here knows.
    Unknown,
}

/// Part of a schema that an edit carries.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// The value of a keyword.
    Keyword(String),
    /// A schema by its name, under a keyword such as `properties`.
    Member(&'static str, String),
    /// A name in `required`.
    Required(String),
    /// Every keyword that asserts.
    Whole,
}

/// Which way an edit is carried.
#[derive(Clone, Copy)]
pub(super) enum Carry {
    /// What stands in the wide document goes into the narrow one.
    ToNarrow,
    /// The other way round.
    ToWide,
}

impl Edit {
    /// The schemas around the difference.
    pub(super) fn pair(&self) -> Pair {
        (self.narrow.clone(), self.wide.clone())
    }

    /// `base` with this edit made, its differences taken from `from`.
    pub(super) fn applied(&self, base: &Document, from: &Document, carry: Carry) -> Option<Document> {
        let (target, source) = match carry {
            Carry::ToNarrow => (&self.narrow, &self.wide),
            Carry::ToWide => (&self.wide, &self.narrow),
        };
        let mut schema = renamed(&base.schema, MIXED);
        let source = from.schema.pointer(source)?;
        let target = schema.pointer_mut(target)?;
        self.slots.iter().for_each(|slot| slot.carry(target, source));
        Some(Document { definitions: Map::from_iter([(MIXED.to_owned(), schema.clone())]), schema }.beside(from))
    }
}

/// The name under which a schema stands that was edited.
const MIXED: &str = "mixed";

/// `schema` with its references below `name`.
fn renamed(schema: &Value, name: &str) -> Value {
    let mut schema = super::recursion::changed(schema, &mut |_, child| renamed(child, name));
    if let Some(reference) = schema.get_mut("$ref")
        && let Some((_, pointer)) = reference.as_str().and_then(split)
    {
        *reference = format!("#/$defs/{name}{pointer}").into();
    }
    schema
}

impl Slot {
    pub(super) fn carry(&self, target: &mut Value, source: &Value) {
        if matches!(self, Self::Whole) || !target.is_object() || !source.is_object() {
            // The definitions inside stay: others may point at them.
            let kept = ["$defs", "definitions"].map(|keyword| (keyword, target.get(keyword).cloned()));
            *target = source.clone();
            if let Some(members) = target.as_object_mut() {
                for (keyword, value) in kept {
                    members.shift_remove(keyword);
                    members.extend(value.map(|value| (keyword.to_owned(), value)));
                }
            }
            return;
        }
        let Some(members) = target.as_object_mut() else { return };
        match self {
            Self::Whole => {}
            Self::Keyword(keyword) => set(members, keyword, source.get(keyword)),
            Self::Member(keyword, name) => {
                let wanted = source.get(*keyword).and_then(|named| named.get(name));
                let named = members.entry(*keyword).or_insert_with(|| Value::Object(Map::new()));
                named.as_object_mut().into_iter().for_each(|named| set(named, name, wanted));
            }
            Self::Required(name) => {
                let is_wanted = is_required(source, name);
                let required = members.entry("required").or_insert_with(|| Value::Array(Vec::new()));
                let Some(required) = required.as_array_mut() else { return };
                required.retain(|other| other != name);
                if is_wanted {
                    required.push(name.clone().into());
                }
            }
        }
    }
}

fn set(members: &mut Map<String, Value>, name: &str, value: Option<&Value>) {
    members.shift_remove(name);
    members.extend(value.map(|value| (name.to_owned(), value.clone())));
}

/// Whether `schema` asks for the property `name`.
pub(super) fn is_required(schema: &Value, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|required| required.iter().any(|other| other == name))
}
