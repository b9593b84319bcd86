//! Objects that probably fit a schema: with as little as it takes, and with one thing more.

use serde_json::{Map, Value, json};

use super::pattern::Lengths;
use super::values::{KEPT, Values};
use super::way::value_size;

/// Names that no property is likely to have.
const FRESH: [&str; 6] = ["a", "b", "c", "x", "y", "z"];

/// Candidates.
pub(super) fn candidates(values: &Values<'_>, schema: &Map<String, Value>, depth: usize) -> Vec<Value> {
    let object = Object { values, schema, depth };
    let Some(base) = object.least() else { return Vec::new() };
    let mut objects = vec![Value::Object(base.clone())];
    let others: Vec<(String, Vec<Value>)> = object
        .names()
        .into_iter()
        .map(|name| {
            let known = usize::from(base.contains_key(&name));
            let others = object.member(&name).into_iter().skip(known).collect();
            (name, others)
        })
        .collect();
    let size: u64 = base.iter().map(|(name, member)| name.len() as u64 + value_size(member)).sum();
    // The first other value of each property, then the second of each: none crowds out the rest.
    for round in 0..KEPT {
        for (name, others) in &others {
            if let Some(other) = others.get(round).filter(|other| values.affords(size + value_size(other))) {
                let mut with = base.clone();
                with.insert(name.clone(), other.clone());
                objects.push(Value::Object(object.completed(with)));
            }
        }
    }
    objects
}

struct Object<'search> {
    values: &'search Values<'search>,
    schema: &'search Map<String, Value>,
    depth: usize,
}

impl Object<'_> {
    fn map(&self, keyword: &str) -> impl Iterator<Item = (&String, &Value)> {
        self.schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
    }

    /// The object with what is required and no more.
    fn least(&self) -> Option<Map<String, Value>> {
        let mut base = Map::new();
        for name in
            self.schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            let member =
                self.member(name).into_iter().next().filter(|member| self.values.affords(value_size(member)))?;
            base.insert(name.to_owned(), member);
        }
        let least =
            self.schema.get("minProperties").and_then(Value::as_u64).and_then(|least| usize::try_from(least).ok());
        for name in self.names() {
            if base.len() >= least.unwrap_or(0) {
                break;
            }
            if let Some(value) = self.member(&name).into_iter().next() {
                base.entry(name).or_insert(value);
            }
        }
        Some(self.completed(base))
    }

    /// With what the presence of a property asks for.
    fn completed(&self, mut object: Map<String, Value>) -> Map<String, Value> {
        for (name, asked) in self.map("dependentRequired") {
            if object.contains_key(name) {
                for name in asked.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if let Some(value) = self.member(name).into_iter().next() {
                        object.entry(name).or_insert(value);
                    }
                }
            }
        }
        object
    }

    /// Names that may matter: declared ones, those of a pattern, those that the other side declares, fresh ones.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.map("properties").map(|(name, _)| name.clone()).collect();
        let any = Lengths { least: 0, most: 64 };
        for (pattern, _) in self.map("patternProperties") {
            names.extend(self.values.patterns.strings(&[pattern.as_str()], &[], any, 1));
            // And one that the other side's patterns leave out.
            let others = self.values.hints.named.iter().filter(|other| *other != pattern);
            names.extend(others.flat_map(|other| self.values.patterns.strings(&[pattern.as_str()], &[other], any, 1)));
        }
        if let Some(named) = self.schema.get("propertyNames") {
            let texts = self.values.of(named, self.depth - 1);
            names.extend(texts.iter().filter_map(Value::as_str).take(KEPT).map(str::to_owned));
        }
        if self.schema.get("additionalProperties") != Some(&json!(false)) {
            // Too many names of the other side would drown what is declared here.
            names.extend(self.values.hints.names.iter().take(24).cloned());
        }
        // Names that the other side sets apart, and names that it does not.
        for pattern in &self.values.hints.named {
            names.extend(self.values.patterns.strings(&[pattern.as_str()], &[], any, 1));
            names.extend(self.values.patterns.strings(&[], &[pattern.as_str()], any, 1));
        }
        for length in self.values.hints.name_lengths.iter().filter_map(|length| usize::try_from(*length).ok()) {
            names.extend([length + 1, length.saturating_sub(1)].map(|length| "a".repeat(length)));
        }
        let fresh = FRESH.iter().filter(|name| !names.iter().any(|other| other == *name)).take(2);
        let fresh: Vec<String> = fresh.map(|name| (*name).to_owned()).collect();
        names.extend(fresh);
        let mut once = Vec::new();
        for name in names {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        once
    }

    /// Candidates for the property `name`.
    fn member(&self, name: &str) -> Vec<Value> {
        let declared = self.map("properties").filter(|(other, _)| *other == name).map(|(_, schema)| schema);
        let by_pattern = self
            .map("patternProperties")
            .filter(|(pattern, _)| self.values.patterns.is_found(pattern, name))
            .map(|(_, schema)| schema);
        let mut schemas: Vec<&Value> = declared.chain(by_pattern).collect();
        let rest = self.schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
        if schemas.is_empty() {
            schemas.push(rest);
        }
        match schemas.as_slice() {
            [only] => self.values.of(only, self.depth - 1),
            several => self.values.of(&json!({ "allOf": several }), self.depth - 1),
        }
    }
}
