//! Changes that are meant: each is named exactly and has a reason, so that a break is a decision and not an accident.

use std::path::Path;

use contract_core::evolution::{Change, Report};
use serde::Deserialize;

use super::Failure;

/// What `--allow` names.
#[derive(Default)]
pub(super) struct Allowed(Vec<Entry>);

/// A member that is left out matches any.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    tool: String,
    rule: Option<String>,
    direction: Option<String>,
    place: Option<String>,
    reason: String,
}

impl Entry {
    fn matches(&self, change: &Change) -> bool {
        let is = |wanted: &Option<String>, actual: &str| wanted.as_deref().is_none_or(|wanted| wanted == actual);
        self.tool == change.tool
            && is(&self.rule, change.rule.as_str())
            && is(&self.direction, change.direction.map_or("", |direction| direction.as_str()))
            && is(&self.place, &change.place)
    }
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.tool)?;
        let parts = [("rule", &self.rule), ("direction", &self.direction), ("place", &self.place)];
        parts
            .iter()
            .filter_map(|(name, part)| Some((name, part.as_ref()?)))
            .try_for_each(|(name, part)| write!(f, ", {name} `{part}`"))
    }
}

impl Allowed {
    /// Reads `[{"tool", "rule"?, "direction"?, "place"?, "reason"}]`.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Usage(format!("{}: {why}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
            refuse(format!("{error}; expected [{{\"tool\", \"rule\"?, \"direction\"?, \"place\"?, \"reason\"}}]"))
        })?;
        match entries.iter().find(|entry| entry.reason.trim().is_empty()) {
            Some(entry) => Err(refuse(format!("{entry} has no reason; say why the change is meant"))),
            None => Ok(Self(entries)),
        }
    }

    /// Why `change` is allowed, if it is.
    pub(super) fn reason(&self, change: &Change) -> Option<&str> {
        self.0.iter().find(|entry| entry.matches(change)).map(|entry| entry.reason.as_str())
    }

    /// Entries that match nothing: they would excuse a later change by accident.
    pub(super) fn unused(&self, report: &Report) -> impl Iterator<Item = String> {
        let unused = self.0.iter().filter(|entry| !report.changes.iter().any(|change| entry.matches(change)));
        unused.map(ToString::to_string).collect::<Vec<_>>().into_iter()
    }
}
