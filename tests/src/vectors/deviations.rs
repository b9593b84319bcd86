//! `deviations.toml`: what differs on purpose, why, and what holds instead; and what is not built yet.

use std::cell::Cell;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::difference::{Difference, differences};
use super::glob::Globs;
use super::pointer::{is_within, put};
use super::vector::Vector;

/// The families of numbered defects of the original.
const DEFECT_FAMILIES: [&str; 3] = ["context", "gate", "miner"];

/// The subjects on which this program chose otherwise than the original, for `choice:<subject>`.
const CHOICES: [&str; 17] = [
    "MCP",
    "revisions served",
    "HTTP",
    "schemas, validation",
    "SQLite",
    "git",
    "chat engine",
    "snapshots",
    "unknown argument keys",
    "unknown tool",
    "null of an optional member",
    "text block",
    "an anonymous caller",
    "missing, zero-byte or table-less miner store",
    "wider input bound when two servers disagreed",
    "TEST_FRAMEWORKS",
    "keys are data",
];

/// What one fix makes of expectations, computed from the vector, where places and values would excuse more than the fix.
#[derive(Debug)]
pub struct Effect {
    /// The name by which a group speaks of it.
    pub name: &'static str,
    /// From the vector, its expectation so far and the answer to what must hold. The answer is there for what the vector
    /// leaves open; what is taken from it must be checked, and is an error in a sentence when it cannot come of the fix.
    pub of: fn(&Vector, Value, &Value) -> Result<Value, String>,
}

/// The file's contents.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviations {
    /// One vector each.
    #[serde(default, rename = "case")]
    single: Vec<Single>,
    /// Groups that one fix changes.
    #[serde(default, rename = "cases")]
    groups: Vec<Group>,
    /// What has no answer yet.
    #[serde(default)]
    not_built: Vec<NotBuilt>,
    #[serde(skip)]
    effects: &'static [Effect],
}

/// One vector that differs in every place that the entry names, and in no other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    file: String,
    case: String,
    defect: String,
    reason: String,
    expect: Places,
    #[serde(default)]
    absent: Vec<String>,
}

/// Vectors that differ as the effect says or may differ in the places that the entry names; in any place when it names
/// neither.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    file: String,
    glob: Globs,
    defect: String,
    reason: String,
    /// Places that may hold something else.
    #[serde(default)]
    at: Vec<String>,
    /// Places that may hold these values instead.
    #[serde(default)]
    expect: Places,
    /// Places that may hold nothing.
    #[serde(default)]
    absent: Vec<String>,
    /// The name of an [`Effect`]: what holds instead, exactly.
    #[serde(default)]
    effect: Option<String>,
    #[serde(skip)]
    was_needed: Cell<bool>,
}

/// Vectors that nothing can answer yet: without `glob`, those of files that have no runner; with it, those cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotBuilt {
    file: Globs,
    #[serde(default)]
    glob: Option<Globs>,
    reason: String,
    #[serde(skip)]
    was_needed: Cell<bool>,
}

/// Values by JSON pointer, written as JSON text since TOML has no null.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Places(Map<String, Value>);

impl TryFrom<String> for Places {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let places: Map<String, Value> = serde_json::from_str(&text)
            .map_err(|error| format!("`expect` is a JSON object from JSON pointers to values: {error}"))?;
        match places.keys().find(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            Some(pointer) => Err(format!("`expect`: `{pointer}` is no JSON pointer; write `/{pointer}`")),
            None => Ok(Self(places)),
        }
    }
}

/// What came of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is the expected one.
    Equal,
    /// It differs as the list says.
    Deviating,
    /// There is nothing to ask yet, for this reason.
    NotBuilt(String),
    /// It differs otherwise, or the list is wrong about it: a line each.
    Unexplained(Vec<String>),
}

impl Deviations {
    /// Reads the file's text.
    ///
    /// # Errors
    /// When it is not TOML of the expected form.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The same with what its groups name as their effects.
    #[must_use]
    pub fn with_effects(self, effects: &'static [Effect]) -> Self {
        Self { effects, ..self }
    }

    /// What is wrong with the entries themselves.
    pub fn faults(&self) -> Vec<String> {
        let single = self.single.iter().map(|entry| (format!("case {}", entry.case), &entry.defect, &entry.reason));
        let groups = self.groups.iter().map(|entry| (entry.name(), &entry.defect, &entry.reason));
        let mut faults = Vec::new();
        for (name, defect, reason) in single.chain(groups) {
            if !is_defect(defect) {
                faults.push(format!(
                    "{name}: `{defect}` is no defect: write context-N, gate-N, miner-N or choice:<one of {}>",
                    CHOICES.join(" | ")
                ));
            }
            if reason.trim().is_empty() {
                faults.push(format!("{name}: the reason is missing"));
            }
        }
        let unnamed = self.single.iter().filter(|entry| entry.expect.0.is_empty() && entry.absent.is_empty());
        faults.extend(unnamed.map(|entry| format!("case {}: it names no place that differs", entry.case)));
        for group in &self.groups {
            let Some(name) = &group.effect else { continue };
            if !self.effects.iter().any(|effect| effect.name == name) {
                faults.push(format!("{}: there is no effect {name}", group.name()));
            }
            if !(group.at.is_empty() && group.expect.0.is_empty() && group.absent.is_empty()) {
                faults.push(format!("{}: an effect says everything, so it names no places beside it", group.name()));
            }
        }
        let silent = self.not_built.iter().filter(|entry| entry.reason.trim().is_empty());
        faults.extend(silent.map(|entry| format!("{}: the reason is missing", entry.name())));
        faults
    }

    /// The groups and the not-built entries that no vector has needed so far.
    pub fn needless(&self) -> Vec<String> {
        let groups = self.groups.iter().filter(|entry| !entry.was_needed.get());
        let groups = groups.map(|entry| format!("{}: it excuses no committed case", entry.name()));
        let not_built = self.not_built.iter().filter(|entry| !entry.was_needed.get());
        groups.chain(not_built.map(|entry| format!("{}: it covers no committed case", entry.name()))).collect()
    }

    /// Judges the answer to a vector of `file`; `None` when there is no runner for the file.
    pub fn judge(&self, file: &str, vector: &Vector, answer: Option<Result<Value, String>>) -> Verdict {
        let has_runner = answer.is_some();
        let not_built = self.not_built.iter().find(|entry| entry.covers(file, &vector.case, has_runner));
        match (answer, not_built) {
            (None, None) => {
                Verdict::Unexplained(vec!["there is neither a runner nor a [[not_built]] entry".to_owned()])
            }
            (Some(Ok(answer)), Some(entry)) if differences(file, &vector.expect, &answer).is_empty() => {
                Verdict::Unexplained(vec![format!("{}: this case is built and equal", entry.name())])
            }
            (_, Some(entry)) => {
                entry.was_needed.set(true);
                Verdict::NotBuilt(entry.reason.clone())
            }
            (Some(Err(error)), None) => Verdict::Unexplained(vec![error]),
            (Some(Ok(answer)), None) => self.compare(file, vector, &answer),
        }
    }

    fn compare(&self, file: &str, vector: &Vector, answer: &Value) -> Verdict {
        let listed = self.single.iter().filter(|entry| entry.file == file && entry.case == vector.case);
        let mut expected = vector.expect.clone();
        let mut problems = Vec::new();
        for entry in listed {
            problems.extend(entry.apply(&vector.expect, &mut expected));
        }
        for group in self.groups.iter().filter(|group| group.is_about(file, vector)) {
            match self.after(group, vector, expected.clone(), answer) {
                Ok(effected) if effected == expected => {}
                Ok(effected) => {
                    group.was_needed.set(true);
                    expected = effected;
                }
                Err(problem) => problems.push(problem),
            }
        }
        let unchanged = differences(file, &vector.expect, answer).is_empty();
        let excuse = |difference: &Difference| {
            let group = self.groups.iter().find(|group| group.covers(file, vector, difference, answer));
            group.map(|group| group.was_needed.set(true)).is_some()
        };
        let rest: Vec<_> =
            differences(file, &expected, answer).into_iter().filter(|difference| !excuse(difference)).collect();
        problems.extend(rest.iter().map(Difference::to_string));
        match (problems.is_empty(), unchanged) {
            (true, true) => Verdict::Equal,
            (true, false) => Verdict::Deviating,
            (false, true) => Verdict::Unexplained(vec!["it is listed as deviating and no longer differs".to_owned()]),
            (false, false) => Verdict::Unexplained(problems),
        }
    }
}

impl Deviations {
    /// What a group's effect makes of an expectation.
    fn after(&self, group: &Group, vector: &Vector, expected: Value, answer: &Value) -> Result<Value, String> {
        let effect = self.effects.iter().find(|effect| group.effect.as_deref() == Some(effect.name));
        match effect {
            Some(effect) => (effect.of)(vector, expected, answer).map_err(|error| format!("{}: {error}", effect.name)),
            None => Ok(expected),
        }
    }
}

impl Single {
    /// Puts what holds instead into the expectation; gives the places where that changes nothing or cannot be done.
    fn apply(&self, original: &Value, expected: &mut Value) -> Vec<String> {
        let replaced = self.expect.0.iter().map(|(pointer, value)| (pointer, Some(value)));
        let removed = self.absent.iter().map(|pointer| (pointer, None));
        let mut problems = Vec::new();
        for (pointer, value) in replaced.chain(removed) {
            if original.pointer(pointer) == value {
                problems.push(format!("{pointer}: the list names this place, and the vector says the same"));
            } else if !put(expected, pointer, value.cloned()) {
                problems.push(format!("{pointer}: the list names this place, and there is none such in the vector"));
            }
        }
        problems
    }
}

impl Group {
    fn name(&self) -> String {
        format!("cases {} of {}", self.glob.patterns().join(", "), self.file)
    }

    fn is_about(&self, file: &str, vector: &Vector) -> bool {
        self.file == file && self.glob.fits(&vector.case)
    }

    fn covers(&self, file: &str, vector: &Vector, difference: &Difference, answer: &Value) -> bool {
        if !self.is_about(file, vector) || self.effect.is_some() {
            return false;
        }
        let is_here = |place: &str| is_within(&difference.pointer, place);
        let holds = |place: &str, value: &Value| {
            answer.pointer(place).is_some_and(|actual| differences(file, value, actual).is_empty())
        };
        let names_no_place = self.at.is_empty() && self.expect.0.is_empty() && self.absent.is_empty();
        names_no_place
            || self.at.iter().any(|place| is_here(place))
            || self.expect.0.iter().any(|(place, value)| is_here(place) && holds(place, value))
            || self.absent.iter().any(|place| is_here(place) && answer.pointer(place).is_none())
    }
}

impl NotBuilt {
    fn name(&self) -> String {
        let cases = self.glob.as_ref().map(|glob| format!(" ({})", glob.patterns().join(", ")));
        format!("not_built {}{}", self.file.patterns().join(", "), cases.unwrap_or_default())
    }

    fn covers(&self, file: &str, case: &str, has_runner: bool) -> bool {
        self.file.fits(file) && self.glob.as_ref().map_or(!has_runner, |glob| glob.fits(case))
    }
}

fn is_defect(text: &str) -> bool {
    if let Some(choice) = text.strip_prefix("choice:") {
        return CHOICES.contains(&choice);
    }
    text.split_once('-').is_some_and(|(family, number)| {
        let is_number =
            !number.starts_with('0') && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        DEFECT_FAMILIES.contains(&family) && is_number
    })
}

#[cfg(test)]
mod tests;
