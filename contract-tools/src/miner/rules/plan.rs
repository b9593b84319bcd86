//! A plan as it is stored: valid as a whole or not a plan.

use std::collections::{HashMap, HashSet};

use contract_core::loopover::{PlanStatus, PlanStepStatus};
use serde_json::{Map, Value};

use super::whole_number;
use crate::miner::MAX_SAFE_INTEGER;

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its steps: 1 to 100, each with its own identifier, none waiting for itself.
    pub steps: Vec<PlanStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// Its identifier.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What kind of action it takes.
    pub action_class: Option<String>,
    /// Steps that come before it.
    pub depends_on: Vec<String>,
    /// How far it is.
    pub status: PlanStepStatus,
    /// How often it was tried.
    pub attempts: i64,
    /// How often it may be tried.
    pub max_attempts: i64,
    /// What went wrong last, when that is stored: nothing may be stored, too.
    pub last_error: Option<Option<String>>,
}

/// The plan in a document, if it is one.
pub fn parse(document: &Value) -> Option<Plan> {
    let members = document.as_object().filter(|members| members.len() == 1)?;
    let steps = members.get("steps")?.as_array().filter(|steps| (1..=100).contains(&steps.len()))?;
    let steps: Vec<PlanStep> = steps.iter().map(step).collect::<Option<_>>()?;
    let plan = Plan { steps };
    plan.is_in_order().then_some(plan)
}

fn step(value: &Value) -> Option<PlanStep> {
    const MEMBERS: [&str; 8] =
        ["id", "title", "actionClass", "dependsOn", "status", "attempts", "maxAttempts", "lastError"];
    let members = value.as_object()?;
    if members.keys().any(|name| !MEMBERS.contains(&name.as_str())) {
        return None;
    }
    let depends_on = members.get("dependsOn")?.as_array().filter(|names| names.len() <= 50)?;
    Some(PlanStep {
        id: text(members, "id", 100)?,
        title: text(members, "title", 300)?,
        action_class: match members.get("actionClass") {
            None => None,
            Some(_) => Some(text(members, "actionClass", 60)?),
        },
        depends_on: depends_on.iter().map(|name| bounded(name, 100)).collect::<Option<_>>()?,
        status: members.get("status")?.as_str().and_then(PlanStepStatus::parse)?,
        attempts: members.get("attempts").and_then(whole_number).filter(|n| (0..=MAX_SAFE_INTEGER).contains(n))?,
        max_attempts: members.get("maxAttempts").and_then(whole_number).filter(|n| (1..=10).contains(n))?,
        last_error: match members.get("lastError") {
            None => None,
            Some(Value::Null) => Some(None),
            Some(Value::String(error)) if utf16_length(error) <= 2000 => Some(Some(error.clone())),
            Some(_) => return None,
        },
    })
}

fn text(members: &Map<String, Value>, name: &str, longest: usize) -> Option<String> {
    bounded(members.get(name)?, longest)
}

fn bounded(value: &Value, longest: usize) -> Option<String> {
    value.as_str().filter(|text| (1..=longest).contains(&utf16_length(text))).map(str::to_owned)
}

/// The writer counts in these.
fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

impl Plan {
    /// What the states of the steps come to.
    pub fn status(&self) -> PlanStatus {
        let any = |status| self.steps.iter().any(|step| step.status == status);
        let is_over = |step: &PlanStep| matches!(step.status, PlanStepStatus::Completed | PlanStepStatus::Skipped);
        if any(PlanStepStatus::Failed) {
            PlanStatus::Failed
        } else if any(PlanStepStatus::Running) {
            PlanStatus::Running
        } else if self.steps.iter().all(is_over) {
            PlanStatus::Completed
        } else {
            PlanStatus::Pending
        }
    }

    /// Whether every identifier is one step's, every dependency exists, and no step waits for itself.
    fn is_in_order(&self) -> bool {
        let places: HashMap<&str, usize> =
            self.steps.iter().enumerate().map(|(at, step)| (step.id.as_str(), at)).collect();
        let exist = |step: &PlanStep| step.depends_on.iter().all(|name| places.contains_key(name.as_str()));
        if places.len() != self.steps.len() || !self.steps.iter().all(exist) {
            return false;
        }
        // Takes away, again and again, the steps that wait for nothing that is left.
        let mut left: Vec<&PlanStep> = self.steps.iter().collect();
        let mut gone: HashSet<&str> = HashSet::new();
        loop {
            let before = left.len();
            left.retain(|step| {
                let is_free = step.depends_on.iter().all(|name| gone.contains(name.as_str()));
                if is_free {
                    gone.insert(&step.id);
                }
                !is_free
            });
            if left.len() == before {
                return left.is_empty();
            }
        }
    }
}
