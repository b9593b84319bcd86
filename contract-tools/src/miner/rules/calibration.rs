//! How often predictions about pull requests came true.
//!
//! Of several predictions for one pull request at one commit the newest counts. A conclusion of the predictor's own kind is
//! read as what it leads to: `success` is a merge, `failure` a close, everything else a hold. Of several outcomes the newest
//! that decides something counts.

use std::collections::{BTreeMap, HashMap};

use super::MOST_LISTED;
use super::blank_to_none;
use super::locale_order::LocaleKey;

/// The type of the events that tell what came of a pull request.
pub const OUTCOME: &str = "pr_outcome";

/// What is done with a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is merged.
    Merge,
    /// It is closed.
    Close,
    /// Neither.
    Hold,
}

impl Decision {
    /// What a prediction says.
    pub fn predicted(conclusion: &str) -> Self {
        match normalised(conclusion).as_str() {
            "merge" | "merged" | "success" => Self::Merge,
            "close" | "closed" | "failure" => Self::Close,
            _ => Self::Hold,
        }
    }

    /// What an outcome says, if it decides anything.
    fn decided(decision: &str) -> Option<Self> {
        match normalised(decision).as_str() {
            "merge" | "merged" => Some(Self::Merge),
            "close" | "closed" => Some(Self::Close),
            _ => None,
        }
    }
}

fn normalised(word: &str) -> String {
    blank_to_none(word).unwrap_or_default().to_lowercase()
}

/// One prediction.
#[derive(Clone, Copy, Debug)]
pub struct Prediction<'a> {
    /// The repository.
    pub project: &'a str,
    /// The pull request.
    pub target: &'a str,
    /// The commit that was looked at.
    pub head: Option<&'a str>,
    /// What was concluded.
    pub conclusion: &'a str,
    /// When.
    pub at: &'a str,
}

/// How it went on one repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectCalibration {
    /// The repository.
    pub project: String,
    /// Predicted to be merged.
    pub would_merge: u64,
    /// And it was.
    pub merge_confirmed: u64,
    /// And it was not.
    pub merge_false: u64,
    /// Predicted to be closed.
    pub would_close: u64,
    /// And it was.
    pub close_confirmed: u64,
    /// And it was not.
    pub close_false: u64,
    /// Predicted to be neither.
    pub hold: u64,
    /// All predictions whose pull request was decided.
    pub decided: u64,
}

impl ProjectCalibration {
    /// The share of merges that came true.
    pub fn merge_precision(&self) -> Option<f64> {
        share(self.merge_confirmed, self.would_merge)
    }

    /// The share of closes that came true.
    pub fn close_precision(&self) -> Option<f64> {
        share(self.close_confirmed, self.would_close)
    }

    fn add(&mut self, predicted: Decision, outcome: Decision) {
        self.decided += 1;
        match (predicted, outcome) {
            (Decision::Merge, Decision::Merge) => self.merge_confirmed += 1,
            (Decision::Merge, _) => self.merge_false += 1,
            (Decision::Close, Decision::Close) => self.close_confirmed += 1,
            (Decision::Close, _) => self.close_false += 1,
            (Decision::Hold, _) => self.hold += 1,
        }
        self.would_merge += u64::from(predicted == Decision::Merge);
        self.would_close += u64::from(predicted == Decision::Close);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share of counts needs no more digits")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A pull request, and the commit of it that was looked at.
type Commit = (Box<str>, Option<Box<str>>);

/// Takes outcomes and predictions, each oldest first; it keeps one decision for each pull request.
#[derive(Clone, Debug, Default)]
pub struct Calibration {
    outcomes: HashMap<Box<str>, HashMap<Box<str>, Decision>>,
    predictions: HashMap<Box<str>, HashMap<Commit, Decision>>,
}

impl Calibration {
    /// Takes an outcome; one that decides nothing changes nothing.
    pub fn outcome(&mut self, project: &str, target: &str, decision: &str, at: &str) {
        if is_blank([project, target, decision, at]) {
            return;
        }
        if let Some(decision) = Decision::decided(decision) {
            self.outcomes.entry(project.into()).or_default().insert(target.into(), decision);
        }
    }

    /// Takes a prediction.
    pub fn prediction(&mut self, prediction: Prediction<'_>) {
        let Prediction { project, target, head, conclusion, at } = prediction;
        if is_blank([project, target, conclusion, at]) {
            return;
        }
        let key = (Box::from(target), head.and_then(blank_to_none).map(Box::from));
        self.predictions.entry(project.into()).or_default().insert(key, Decision::predicted(conclusion));
    }

    /// A row for each repository on which something was decided, and whether there are more than these.
    pub fn finish(self) -> (Vec<ProjectCalibration>, bool) {
        let mut rows: BTreeMap<LocaleKey, ProjectCalibration> = BTreeMap::new();
        let mut is_truncated = false;
        #[expect(
            clippy::iter_over_hash_type,
            reason = "what is counted does not depend on the order, and rows are sorted"
        )]
        for (project, predictions) in self.predictions {
            let Some(outcomes) = self.outcomes.get(&project) else { continue };
            let mut row = ProjectCalibration { project: project.to_string(), ..ProjectCalibration::default() };
            let decided = predictions
                .into_iter()
                .filter_map(|((target, _), predicted)| outcomes.get(&target).map(|outcome| (predicted, *outcome)));
            decided.for_each(|(predicted, outcome)| row.add(predicted, outcome));
            if row.decided > 0 {
                rows.insert(LocaleKey::of(&project), row);
            }
            if rows.len() > MOST_LISTED {
                rows.pop_last();
                is_truncated = true;
            }
        }
        (rows.into_values().collect(), is_truncated)
    }
}

fn is_blank(texts: [&str; 4]) -> bool {
    texts.iter().any(|text| blank_to_none(text).is_none())
}
