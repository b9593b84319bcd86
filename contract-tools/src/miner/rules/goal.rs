//! The goal file of a repository: what a miner may do there. Only its warnings matter here.

use serde_json::{Map, Value};

use super::goal_yaml;

/// A larger file is not read.
const LARGEST: usize = 32_768;

/// What is wrong with a goal file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalWarnings {
    /// The fields that are not as they should be; the file as a whole has no name.
    pub fields: Vec<Option<&'static str>>,
    /// Whether everything in it is what holds anyway; that is worth a note and no failure.
    pub only_defaults: bool,
}

/// Looks at the text of a goal file.
pub fn warnings(text: &str) -> GoalWarnings {
    let whole = || GoalWarnings { fields: vec![None], only_defaults: false };
    if text.trim().is_empty() {
        return GoalWarnings::default();
    }
    if text.len() > LARGEST {
        return whole();
    }
    let document =
        if text.trim_start().starts_with(['{', '[']) { serde_json::from_str(text).ok() } else { goal_yaml::read(text) };
    match document {
        Some(Value::Null) => GoalWarnings::default(),
        Some(Value::Object(members)) => fields(&members),
        _ => whole(),
    }
}

/// How one field came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Default,
    Set,
    Wrong,
}

fn fields(members: &Map<String, Value>) -> GoalWarnings {
    let mut warnings = GoalWarnings { fields: Vec::new(), only_defaults: true };
    let mut note = |name: &'static str, fields: &[Field]| {
        for field in fields {
            warnings.only_defaults &= *field != Field::Set;
            if *field == Field::Wrong {
                warnings.fields.push(Some(name));
            }
        }
    };
    let member = |name: &str| members.get(name).filter(|value| !value.is_null());
    note("minerEnabled", &[flag(member("minerEnabled"), true)]);
    for name in ["wantedPaths", "blockedPaths", "preferredLabels", "blockedLabels"] {
        note(name, &list(member(name)));
    }
    note("maxConcurrentClaims", &[claims(member("maxConcurrentClaims"))]);
    note("issueDiscoveryPolicy", &[policy(member("issueDiscoveryPolicy"))]);
    for (name, inner) in [
        ("feasibilityGate", ["enabled", "suppressedReasons"].as_slice()),
        ("selfPlagiarism", &["similarityThreshold"]),
        ("killSwitch", &["paused"]),
        ("execution", &["liveModeOptIn"]),
    ] {
        match member(name) {
            None => {}
            Some(Value::Object(group)) => {
                for field in inner {
                    let value = group.get(*field).filter(|value| !value.is_null());
                    match *field {
                        "enabled" => note("feasibilityGate.enabled", &[flag(value, true)]),
                        "suppressedReasons" => note("feasibilityGate.suppressedReasons", &list(value)),
                        "similarityThreshold" => note("selfPlagiarism.similarityThreshold", &[threshold(value)]),
                        "paused" => note("killSwitch.paused", &[flag(value, false)]),
                        _ => note("execution.liveModeOptIn", &[live(value)]),
                    }
                }
            }
            Some(_) => note(name, &[Field::Wrong]),
        }
    }
    warnings
}

fn flag(value: Option<&Value>, default: bool) -> Field {
    match value {
        None => Field::Default,
        Some(Value::Bool(value)) if *value == default => Field::Default,
        Some(Value::Bool(_)) => Field::Set,
        Some(_) => Field::Wrong,
    }
}

fn list(value: Option<&Value>) -> Vec<Field> {
    let Some(value) = value else { return vec![Field::Default] };
    let Some(entries) = value.as_array() else { return vec![Field::Wrong] };
    let texts: Vec<&str> = entries.iter().filter_map(Value::as_str).map(str::trim).collect();
    let is_wrong = texts.len() < entries.len()
        || entries.len() > 100
        || texts.iter().any(|text| text.encode_utf16().count() > 256);
    // One that is too long is cut and kept.
    let is_set = texts.iter().any(|text| !text.is_empty());
    let set = if is_set { Field::Set } else { Field::Default };
    if is_wrong { vec![Field::Wrong, set] } else { vec![set] }
}

fn claims(value: Option<&Value>) -> Field {
    match value {
        None => Field::Default,
        Some(value) => match value.as_f64().map(f64::floor) {
            Some(number) if number >= 2.0 => Field::Set,
            Some(number) if number >= 1.0 => Field::Default,
            _ => Field::Wrong,
        },
    }
}

fn policy(value: Option<&Value>) -> Field {
    match value {
        None => Field::Default,
        Some(value) => match value.as_str() {
            Some("neutral") => Field::Default,
            Some("encouraged" | "discouraged") => Field::Set,
            _ => Field::Wrong,
        },
    }
}

fn threshold(value: Option<&Value>) -> Field {
    match value {
        None => Field::Default,
        Some(value) => match value.as_f64() {
            Some(number) if (number - 0.85).abs() < f64::EPSILON => Field::Default,
            Some(number) if (0.0..=1.0).contains(&number) => Field::Set,
            _ => Field::Wrong,
        },
    }
}

/// Only one word opts in; any other text says no without a warning.
fn live(value: Option<&Value>) -> Field {
    match value {
        Some(Value::String(word)) if word == "live" => Field::Set,
        None | Some(Value::String(_)) => Field::Default,
        Some(_) => Field::Wrong,
    }
}
