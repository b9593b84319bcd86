//! Changes of a threshold that a backtest showed to be better.

use std::collections::BTreeMap;

use contract_core::vocabulary;
use serde_json::{Map, Value};

use super::moment;
use super::whole_number;

/// The type of the events that tell of a backtest.
pub const BACKTEST: &str = "ams_threshold_backtest_run";

/// A run that is older says nothing any more.
const OLDEST: i64 = 90 * 86_400_000;

vocabulary! {
    /// How a rule did in a backtest.
    pub enum Verdict: "verdict" {
        /// Better.
        Improved = "improved",
        /// Worse.
        Regressed = "regressed",
        /// The same.
        Unchanged = "unchanged",
    }
}

/// A better threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The threshold that was tried.
    pub candidate_threshold: f64,
    /// The one in use.
    pub current_threshold: f64,
    /// Cases that the rule was made with.
    pub visible_cases: i64,
    /// Cases that it had not seen.
    pub held_out_cases: i64,
    /// How it did on the first.
    pub visible_verdict: Verdict,
    /// How it did on the others.
    pub held_out_verdict: Verdict,
    /// When it was tried.
    pub at: String,
}

/// Takes backtests, oldest first; the newest of each threshold counts.
#[derive(Clone, Debug, Default)]
pub struct Proposals(BTreeMap<u64, Proposal>);

impl Proposals {
    /// Takes one; whether it is young enough is asked of `now`, in milliseconds since 1970.
    pub fn backtest(&mut self, payload: &Map<String, Value>, at: &str, now: i64) {
        let number = |name: &str| payload.get(name).and_then(Value::as_f64);
        let verdict = |name: &str| {
            let member = payload.get(name)?.as_object()?;
            member.get("ruleId")?.as_str()?;
            Verdict::parse(member.get("verdict")?.as_str()?)
        };
        let cases = |name: &str| payload.get(name).and_then(whole_number).unwrap_or(0);
        let is_young = moment::milliseconds(at).is_some_and(|at| now.saturating_sub(at) <= OLDEST);
        let (Some(candidate), Some(current), Some(visible), Some(held_out), true) = (
            number("candidateThreshold"),
            number("currentThreshold"),
            verdict("visible"),
            verdict("heldOut"),
            is_young,
        ) else {
            return;
        };
        let proposal = Proposal {
            candidate_threshold: candidate,
            current_threshold: current,
            visible_cases: cases("visibleCases"),
            held_out_cases: cases("heldOutCases"),
            visible_verdict: visible,
            held_out_verdict: held_out,
            at: at.to_owned(),
        };
        // -0 and 0 are one threshold.
        self.0.insert((candidate + 0.0).to_bits(), proposal);
    }

    /// What is better, by threshold.
    pub fn finish(self) -> Vec<Proposal> {
        let is_better =
            |run: &Proposal| run.visible_verdict == Verdict::Improved && run.held_out_verdict != Verdict::Regressed;
        let mut better: Vec<Proposal> = self.0.into_values().filter(is_better).collect();
        better.sort_by(|one, other| one.candidate_threshold.total_cmp(&other.candidate_threshold));
        better
    }
}
