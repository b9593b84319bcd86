//! The miner's plans, as they are stored. They are read and never run.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::{PlanStatus, PlanStepStatus};
use contract_core::{State, ToolError, contract_type, loopover_tool};

use super::miner_shared::{not_blank, page};
use crate::miner::read::{self, DEFAULT_LIMIT, MOST_ROWS, PlanRecord};
use crate::miner::rules::plan::PlanStep;
use crate::miner::{MAX_SAFE_INTEGER, MinerHome};
use crate::privacy::Shown;

/// List the miner's plans with all of their steps and how far each is, by identifier.
///
/// Read-only. Plans that do not fit on one page come in the order in which they were made.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_list_plans(
    #[inject] home: State<MinerHome>,
    /// Only plans in this state.
    status: Option<PlanStatus>,
    /// Only plans beyond this `seq`; pass the `nextSince` of the page before.
    #[arg(minimum = 0, maximum = MAX_SAFE_INTEGER)]
    since: Option<i64>,
    /// At most so many plans.
    #[arg(minimum = 1, maximum = MOST_ROWS as i64, default = DEFAULT_LIMIT)]
    limit: u32,
) -> Result<MinerListPlansOutput, ToolError> {
    let page = read::plans(&home, status, page(since, limit))?;
    Ok(MinerListPlansOutput {
        plans: page.rows.into_iter().map(|(seq, record)| shaped(record, Some(seq))).collect(),
        next_since: page.next_since,
        truncated: page.is_truncated,
        skipped_rows: page.skipped,
        initialised: page.is_initialised,
    })
}

/// A page of plans.
#[contract_type]
pub struct MinerListPlansOutput {
    /// The plans, by identifier.
    pub plans: Vec<MinerPlanRecord>,
    /// What to pass as `since` for the next page.
    pub next_since: i64,
    /// Whether there are more plans already.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there; without one there is nothing to list.
    pub initialised: bool,
}

/// Fetch one of the miner's plans with all of its steps and how far each is.
///
/// Read-only. A plan that does not exist is an answer, not an error.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_plan(
    #[inject] home: State<MinerHome>,
    /// Identifier of the plan, as the list of plans gives it.
    #[arg(min_length = 1, example = "plan-12")]
    plan_id: String,
) -> Result<MinerGetPlanOutput, ToolError> {
    let read = read::plan(&home, not_blank(&plan_id, "/planId")?)?;
    let found = read.value.is_some();
    Ok(MinerGetPlanOutput {
        plan_id: (!found).then(|| as_shown(&plan_id).into()),
        found,
        plan: read.value.map(|record| shaped(record, None)),
        skipped_rows: read.skipped,
        initialised: read.is_initialised,
    })
}

/// As much of an identifier that names nothing as an answer repeats: those that the miner gives are far shorter.
fn as_shown(plan_id: &str) -> &str {
    const MOST: usize = 256;
    plan_id.char_indices().nth(MOST).map_or(plan_id, |(end, _)| &plan_id[..end])
}

/// A plan, if there is one.
#[contract_type]
pub struct MinerGetPlanOutput {
    /// The identifier that was asked for, when there is no such plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Shown")]
    pub plan_id: Option<Shown>,
    /// Whether there is such a plan.
    pub found: bool,
    /// The plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MinerPlanRecord")]
    pub plan: Option<MinerPlanRecord>,
    /// 1 when the plan is there and something in it is not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there.
    pub initialised: bool,
}

/// One plan as it is stored.
#[contract_type]
pub struct MinerPlanRecord {
    /// Identifier of the plan.
    pub plan_id: Shown,
    /// Its place in the order in which plans were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub seq: Option<i64>,
    /// The plan.
    pub plan: MinerPlan,
    /// How far the plan is.
    pub status: PlanStatus,
    /// When it was stored.
    pub updated_at: Shown,
}

/// A plan.
#[contract_type]
pub struct MinerPlan {
    /// Its steps.
    pub steps: Vec<MinerPlanStep>,
}

/// One step of a plan.
#[contract_type]
pub struct MinerPlanStep {
    /// Identifier of the step.
    pub id: Shown,
    /// What it is.
    pub title: Shown,
    /// What kind of action it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Shown")]
    pub action_class: Option<Shown>,
    /// Steps that come before it.
    pub depends_on: Vec<Shown>,
    /// How far the step is.
    pub status: PlanStepStatus,
    /// How often it was tried.
    pub attempts: i64,
    /// How often it may be tried.
    pub max_attempts: i64,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Shown>")]
    pub last_error: Option<Option<Shown>>,
}

fn shaped(record: PlanRecord, seq: Option<i64>) -> MinerPlanRecord {
    let steps = record.plan.steps.into_iter().map(|step| {
        let PlanStep { id, title, action_class, depends_on, status, attempts, max_attempts, last_error } = step;
        MinerPlanStep {
            id: id.into(),
            title: title.into(),
            action_class: action_class.map(Shown::from),
            depends_on: depends_on.into_iter().map(Shown::from).collect(),
            status,
            attempts,
            max_attempts,
            last_error: last_error.map(|error| error.map(Shown::from)),
        }
    });
    MinerPlanRecord {
        plan_id: record.plan_id.into(),
        seq,
        plan: MinerPlan { steps: steps.collect() },
        status: record.status,
        updated_at: record.updated_at,
    }
}
