//! The way from a schema's root down to a place in it, and back up with a value: what is wrong with a part is shown by the
//! smallest whole around it.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::document::{Checked, Document, closed, validator};
use super::effort::Effort;
use super::values::{Hints, Values};

/// One step down in the narrow document.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The schema that the step leads out of.
    pub(super) parent: String,
    pub(super) kind: Kind,
}

/// Which way a step leads.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Property(String),
    /// A property named by a pattern.
    Named(String),
    /// A property that is not declared.
    Undeclared,
    /// An item behind the places of a tuple.
    Item,
    /// A place of a tuple.
    Place(usize),
    /// A schema that holds together with the one around it.
    Part,
    /// A branch of `anyOf` or `oneOf`.
    Branch(&'static str, usize),
    /// A reference that is followed.
    Reference,
    /// Anything else: nothing is lifted over it.
    Other,
}

/// The longest array that is made around an item.
const LONGEST: usize = 1_000;

/// Makes wholes around parts of one document.
pub(super) struct Lift<'search> {
    document: &'search Document,
    effort: &'search Effort<'search>,
    values: Values<'search>,
    /// The smallest value of the schema at a place.
    bases: RefCell<HashMap<String, Option<Value>>>,
    branches: RefCell<HashMap<String, Vec<Option<Checked<'search>>>>>,
}

impl<'search> Lift<'search> {
    pub(super) fn new(document: &'search Document, none: &'search Hints, effort: &'search Effort<'search>) -> Self {
        let values = Values::unhurried(document, none, effort);
        Self { document, effort, values, bases: RefCell::default(), branches: RefCell::default() }
    }

    /// The smallest value of the schema at `pointer`.
    fn base(&self, pointer: &str) -> Option<Value> {
        if let Some(known) = self.bases.borrow().get(pointer) {
            return known.clone();
        }
        let base = self.document.schema.pointer(pointer).and_then(|schema| self.values.least(schema));
        self.bases.borrow_mut().insert(pointer.to_owned(), base.clone());
        base
    }

    /// The object at `pointer` with as little as it takes, except that of `names` it has what `part` has, and all that
    /// `part` has besides.
    pub(super) fn beside(&self, pointer: &str, names: &[String], part: Value) -> Value {
        let Value::Object(part) = part else { return part };
        let Some(Value::Object(mut whole)) = self.base(pointer) else { return Value::Object(part) };
        whole.retain(|name, _| !names.contains(name));
        whole.extend(part);
        Value::Object(whole)
    }

    /// A value of the whole document with `value` at the end of `way`; none when another branch of a union would take it.
    pub(super) fn up(&self, way: &[Step], mut value: Value) -> Option<Value> {
        for step in way.iter().rev() {
            value = self.over(step, value)?;
            if !self.effort.affords(1 + value_size(&value) / 4) {
                return None;
            }
        }
        Some(value)
    }

    fn over(&self, step: &Step, value: Value) -> Option<Value> {
        let parent = self.document.schema.pointer(&step.parent)?;
        match &step.kind {
            Kind::Property(name) => Some(self.member(step, name, value)),
            Kind::Named(pattern) => {
                let any = super::pattern::Lengths { least: 0, most: 64 };
                let names = self.effort.patterns.strings(&[pattern.as_str()], &[], any, 1);
                Some(self.member(step, names.first()?, value))
            }
            Kind::Undeclared => {
                let declared = parent.get("properties").and_then(Value::as_object);
                let fresh = ["a", "b", "c", "x", "y", "z", "a0", "b0"];
                let name = fresh.into_iter().find(|name| declared.is_none_or(|names| !names.contains_key(*name)))?;
                Some(self.member(step, name, value))
            }
            Kind::Item => {
                let before = parent.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                self.item(step, parent, before, value)
            }
            Kind::Place(index) => self.item(step, parent, *index, value),
            Kind::Part => Some(self.beside(&step.parent, &[], value)),
            Kind::Branch(union, index) => self.is_of_no_other(step, parent, union, *index, &value).then_some(value),
            Kind::Reference => Some(value),
            Kind::Other => None,
        }
    }

    fn member(&self, step: &Step, name: &str, value: Value) -> Value {
        let mut whole = match self.base(&step.parent) {
            Some(Value::Object(base)) => base,
            // A schema that takes more than objects has smaller values.
            _ => Map::new(),
        };
        whole.insert(name.to_owned(), value);
        Value::Object(whole)
    }

    fn item(&self, step: &Step, parent: &Value, index: usize, value: Value) -> Option<Value> {
        let mut whole = match self.base(&step.parent) {
            Some(Value::Array(base)) => base,
            _ => Vec::new(),
        };
        if index > LONGEST {
            return None;
        }
        // The places before it, as small as they can be.
        while whole.len() < index {
            let place = parent.get("prefixItems").and_then(|places| places.get(whole.len()));
            whole.push(self.values.least(place.unwrap_or(&Value::Bool(true)))?);
        }
        if whole.len() == index {
            whole.push(value);
        } else {
            whole[index] = value;
        }
        Some(Value::Array(whole))
    }

    fn is_of_no_other(&self, step: &Step, parent: &Value, union: &str, index: usize, value: &Value) -> bool {
        let mut known = self.branches.borrow_mut();
        let judges = known.entry(format!("{}/{union}", step.parent)).or_insert_with(|| {
            let branches = parent.get(union).and_then(Value::as_array).into_iter().flatten();
            branches.map(|branch| validator(&closed(branch.clone(), &[self.document]).whole(), self.effort)).collect()
        });
        let cost = judges.len() as u64 / 4 + 1;
        self.effort.affords(cost)
            && judges
                .iter()
                .enumerate()
                .all(|(other, judge)| other == index || judge.as_ref().is_some_and(|judge| judge.refuses(value)))
    }
}

/// About how many characters a value has.
pub(super) fn value_size(value: &Value) -> u64 {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, member)| name.len() as u64 + value_size(member)).sum::<u64>() + 2
        }
        Value::Array(items) => items.iter().map(value_size).sum::<u64>() + 2,
        Value::String(text) => text.len() as u64 + 2,
        _ => 4,
    }
}
