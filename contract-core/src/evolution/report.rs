//! The result of a comparison, and its JSON.

use serde_json::{Map, Value, json};

use super::verdict::{Bump, Change, Verdict};

/// Everything that changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// In order of the old list's tools; new tools last.
    pub changes: Vec<Change>,
    /// How much work it took, in steps that are the same everywhere.
    pub steps: u64,
}

impl Report {
    /// The worst verdict; what has not changed is compatible.
    pub fn verdict(&self) -> Verdict {
        self.changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Compatible)
    }

    /// How many changes have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.changes.iter().filter(|change| change.verdict == verdict).count()
    }

    /// How a version number should move.
    pub fn bump(&self) -> Bump {
        self.changes.iter().map(Change::bump).max().unwrap_or(Bump::None)
    }

    /// The report as one JSON document.
    pub fn to_json(&self) -> Value {
        let counts: Map<String, Value> =
            Verdict::ALL.iter().map(|verdict| (verdict.as_str().to_owned(), self.count(*verdict).into())).collect();
        json!({
            "verdict": self.verdict().as_str(),
            "bump": self.bump().as_str(),
            "counts": counts,
            "changes": self.changes.iter().map(Change::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Change {
    /// The change as JSON. `witness` stands there exactly when there is one, also when it is null; `also_at` and `more_places`
    /// when it stands at more places than one, the second with null for too many to be counted.
    pub fn to_json(&self) -> Value {
        let mut members = Map::from_iter([
            ("tool".to_owned(), json!(self.tool)),
            ("direction".to_owned(), json!(self.direction.map(super::Direction::as_str))),
            ("rule".to_owned(), json!(self.rule.as_str())),
            ("place".to_owned(), json!(self.place)),
            ("verdict".to_owned(), json!(self.verdict.as_str())),
            ("message".to_owned(), json!(self.message)),
        ]);
        if !self.also_at.is_empty() {
            members.insert("also_at".to_owned(), json!(self.also_at));
        }
        if self.stands_elsewhere() {
            members.insert("more_places".to_owned(), json!(self.more_places));
        }
        members.extend(self.witness.clone().map(|witness| ("witness".to_owned(), witness)));
        if !self.keywords.is_empty() {
            members.insert("keywords".to_owned(), json!(self.keywords));
        }
        Value::Object(members)
    }
}
