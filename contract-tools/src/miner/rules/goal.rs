//! The goal file of a repository: what a miner may do there. Only its warnings matter here.

use crate::document::{self, Mapping, Node};

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
    let node = if document::looks_like_json(text) { document::json(text) } else { document::yaml(text) };
    match node {
        Some(Node::Null) => GoalWarnings::default(),
        Some(Node::Mapping(members)) => fields(&members),
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

fn fields(members: &Mapping) -> GoalWarnings {
    let mut warnings = GoalWarnings { fields: Vec::new(), only_defaults: true };
    let mut note = |name: &'static str, fields: &[Field]| {
        for field in fields {
            warnings.only_defaults &= *field != Field::Set;
            if *field == Field::Wrong {
                warnings.fields.push(Some(name));
            }
        }
    };
    let member = |name: &str| members.get(name);
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
            Some(Node::Mapping(group)) => {
                for field in inner {
                    let value = group.get(field);
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

fn flag(value: Option<&Node>, default: bool) -> Field {
    match value {
        None => Field::Default,
        Some(Node::Bool(value)) if *value == default => Field::Default,
        Some(Node::Bool(_)) => Field::Set,
        Some(_) => Field::Wrong,
    }
}

fn list(value: Option<&Node>) -> Vec<Field> {
    let entries = match value {
        None => return vec![Field::Default],
        Some(Node::List(entries)) => entries,
        Some(_) => return vec![Field::Wrong],
    };
    let text = |node: &'_ Node| if let Node::Text(text) = node { Some(text.trim().to_owned()) } else { None };
    let texts: Vec<String> = entries.iter().filter_map(|entry| text(entry)).collect();
    let is_wrong = texts.len() < entries.len()
        || entries.len() > 100
        || texts.iter().any(|text| text.encode_utf16().count() > 256);
    // One that is too long is cut and kept.
    let is_set = texts.iter().any(|text| !text.is_empty());
    let set = if is_set { Field::Set } else { Field::Default };
    if is_wrong { vec![Field::Wrong, set] } else { vec![set] }
}

fn claims(value: Option<&Node>) -> Field {
    match value {
        None => Field::Default,
        Some(Node::Number(number)) if number.is_finite() && *number >= 2.0 => Field::Set,
        Some(Node::Number(number)) if number.is_finite() && *number >= 1.0 => Field::Default,
        Some(_) => Field::Wrong,
    }
}

fn policy(value: Option<&Node>) -> Field {
    match value {
        None => Field::Default,
        Some(Node::Text(word)) => match word.as_str() {
            "neutral" => Field::Default,
            "encouraged" | "discouraged" => Field::Set,
            _ => Field::Wrong,
        },
        Some(_) => Field::Wrong,
    }
}

fn threshold(value: Option<&Node>) -> Field {
    match value {
        None => Field::Default,
        Some(Node::Number(number)) if (number - 0.85).abs() < f64::EPSILON => Field::Default,
        Some(Node::Number(number)) if (0.0..=1.0).contains(number) => Field::Set,
        Some(_) => Field::Wrong,
    }
}

/// Only one word opts in; any other text says no without a warning.
fn live(value: Option<&Node>) -> Field {
    match value {
        Some(Node::Text(word)) if word == "live" => Field::Set,
        None | Some(Node::Text(_)) => Field::Default,
        Some(_) => Field::Wrong,
    }
}
