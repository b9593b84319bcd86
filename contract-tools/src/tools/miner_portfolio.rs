//! The miner's portfolio: what waits and runs on which repository, and how its pull requests stand.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::{QueueStatus, RunState};
use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::miner_shared::{plain_number, repository};
use crate::miner::MinerHome;
use crate::miner::read;
use crate::miner::rules::MOST_LISTED;
use crate::miner::rules::dashboard::Counts;
use crate::miner::rules::manage_status::{ManagedPull, ManagedRepository};
use crate::miner::rules::moment::since_1970;
use crate::privacy::Shown;

/// Count what waits, runs and is done in the miner's queue, in all and on each repository.
///
/// Read-only. Counts cover the whole queue, also where the list of repositories is cut.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_portfolio_dashboard(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
) -> Result<MinerGetPortfolioDashboardOutput, ToolError> {
    let read = read::dashboard(&home)?;
    let summary = read.value.finish(Some(since_1970(clock.now())));
    let repos = summary.repositories.into_iter().map(|(host, repository, counts)| MinerRepositoryCounts {
        api_base_url: host.into(),
        repo_full_name: repository.into(),
        by_status: counts.into(),
        total: counts.total(),
    });
    Ok(MinerGetPortfolioDashboardOutput {
        total: summary.counts.total(),
        by_status: summary.counts.into(),
        repos: repos.collect(),
        oldest_queued_age_ms: summary.oldest_queued_age,
        truncated: summary.is_truncated,
        skipped_rows: read.skipped,
        initialised: read.is_initialised,
    })
}

/// The queue in numbers.
#[contract_type]
pub struct MinerGetPortfolioDashboardOutput {
    /// All entries.
    pub total: u64,
    /// All entries by state.
    pub by_status: MinerQueueCounts,
    /// Each repository, by name and host; at most 1000.
    pub repos: Vec<MinerRepositoryCounts>,
    /// How many milliseconds the oldest waiting entry waits.
    pub oldest_queued_age_ms: Option<i64>,
    /// Whether there are more repositories than are listed.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there; without one there is nothing to count.
    pub initialised: bool,
}

/// Entries by state.
#[contract_type]
pub struct MinerQueueCounts {
    /// Entries that wait.
    pub queued: u64,
    /// Entries that are worked on.
    #[serde(rename = "in_progress")]
    pub in_progress: u64,
    /// Entries that are done.
    pub done: u64,
}

impl From<Counts> for MinerQueueCounts {
    fn from(counts: Counts) -> Self {
        Self { queued: counts.queued, in_progress: counts.in_progress, done: counts.done }
    }
}

/// Entries of one repository.
#[contract_type]
pub struct MinerRepositoryCounts {
    /// API address of the repository's host.
    pub api_base_url: Shown,
    /// The repository.
    pub repo_full_name: Shown,
    /// Its entries by state.
    pub by_status: MinerQueueCounts,
    /// All of its entries.
    pub total: u64,
}

/// Show how each pull request that the miner manages stands: branch, checks, verdict, outcome, place in the queue.
///
/// Read-only. `runPortfolio` groups the same pull requests by repository, with what is being done there.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_manage_status(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
) -> Result<MinerGetManageStatusOutput, ToolError> {
    let read = read::manage_status(&home, clock.now())?;
    Ok(MinerGetManageStatusOutput {
        rows: read.value.rows.into_iter().map(MinerManagedPull::from).collect(),
        run_portfolio: read.value.portfolio.into_iter().map(MinerManagedRepository::from).collect(),
        truncated: read.value.is_truncated,
        skipped_rows: read.skipped,
        initialised: read.is_initialised,
    })
}

/// The managed pull requests.
#[contract_type]
pub struct MinerGetManageStatusOutput {
    /// Each pull request, by repository and number; at most 1000.
    pub rows: Vec<MinerManagedPull>,
    /// Each repository with a pull request or something being done; at most 1000.
    pub run_portfolio: Vec<MinerManagedRepository>,
    /// Whether there is more than is listed.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether all three stores are there.
    pub initialised: bool,
}

/// One managed pull request.
#[contract_type]
pub struct MinerManagedPull {
    /// API address of the repository's host.
    pub api_base_url: Shown,
    /// The repository.
    pub repo_full_name: Shown,
    /// Number of the pull request.
    pub pr_number: i64,
    /// Its branch.
    pub branch: Option<Shown>,
    /// State of its checks, such as `pending`, `success`, `failure` or `neutral`.
    pub ci_state: Option<Shown>,
    /// The gate's verdict, such as `pass`, `block` or `advisory`.
    pub gate_verdict: Option<Shown>,
    /// What it needs, such as `ready`, `needs-work` or `open`.
    pub outcome: Option<Shown>,
    /// When it was looked at.
    pub last_polled_at: Option<Shown>,
    /// Its state in the queue.
    pub queue_status: Option<QueueStatus>,
    /// Its priority in the queue; more is sooner.
    #[serde(serialize_with = "plain_number")]
    pub priority: Option<f64>,
}

/// One repository with its managed pull requests.
#[contract_type]
pub struct MinerManagedRepository {
    /// API address of the repository's host.
    pub api_base_url: Shown,
    /// The repository.
    pub repo_full_name: Shown,
    /// What is being done there.
    pub run_state: Option<RunState>,
    /// Since when.
    pub run_state_updated_at: Option<Shown>,
    /// How many of its pull requests are listed.
    pub pr_count: u64,
    /// Its pull requests, by number.
    pub prs: Vec<MinerManagedPull>,
}

impl From<ManagedPull> for MinerManagedPull {
    fn from(pull: ManagedPull) -> Self {
        Self {
            api_base_url: pull.host.into(),
            repo_full_name: pull.repository.into(),
            pr_number: pull.number,
            branch: pull.report.branch.map(Shown::from),
            ci_state: pull.report.ci_state.map(Shown::from),
            gate_verdict: pull.report.gate_verdict.map(Shown::from),
            outcome: pull.report.outcome.map(Shown::from),
            last_polled_at: pull.report.last_polled_at.map(Shown::from),
            queue_status: pull.queue_status,
            priority: pull.priority,
        }
    }
}

impl From<ManagedRepository> for MinerManagedRepository {
    fn from(repository: ManagedRepository) -> Self {
        let (run_state, since) = repository.run.unzip();
        Self {
            api_base_url: repository.host.into(),
            repo_full_name: repository.repository.into(),
            run_state,
            run_state_updated_at: since.map(Shown::from),
            pr_count: repository.pulls.len() as u64,
            prs: repository.pulls.into_iter().map(MinerManagedPull::from).collect(),
        }
    }
}

/// Show what the miner is doing: on one repository, or on each when none is named.
///
/// Read-only. A repository that it does nothing on has the state null.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_run_state(
    #[inject] home: State<MinerHome>,
    /// The repository, as `owner/repo`.
    #[arg(min_length = 1, example = "acme/widgets")]
    repo_full_name: Option<String>,
) -> Result<MinerGetRunStateOutput, ToolError> {
    let Some(name) = repository(repo_full_name.as_deref())? else {
        let mut read = read::run_states(&home)?;
        let truncated = read.value.len() > MOST_LISTED;
        read.value.truncate(MOST_LISTED);
        let states = read.value.into_iter().map(|state| MinerRepositoryState {
            api_base_url: state.host.into(),
            repo_full_name: state.repository.into(),
            state: state.state,
            updated_at: state.updated_at.into(),
        });
        return Ok(MinerGetRunStateOutput {
            repo_full_name: None,
            api_base_url: None,
            state: None,
            states: Some(states.collect()),
            truncated,
            skipped_rows: read.skipped,
            initialised: read.is_initialised,
        });
    };
    let read = read::run_state(&home, name)?;
    Ok(MinerGetRunStateOutput {
        repo_full_name: repo_full_name.map(Shown::from),
        api_base_url: read.value.as_ref().map(|state| state.host.as_str().into()),
        state: Some(read.value.map(|state| state.state)),
        states: None,
        truncated: false,
        skipped_rows: read.skipped,
        initialised: read.is_initialised,
    })
}

/// What the miner is doing: `state` for one repository, `states` for all.
#[contract_type]
pub struct MinerGetRunStateOutput {
    /// The repository that was asked for, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Shown")]
    pub repo_full_name: Option<Shown>,
    /// API address of the host that the state belongs to: the default one's if it has the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Shown")]
    pub api_base_url: Option<Shown>,
    /// What is being done on it; null for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<RunState>")]
    pub state: Option<Option<RunState>>,
    /// Each repository, by name and host; at most 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<MinerRepositoryState>")]
    pub states: Option<Vec<MinerRepositoryState>>,
    /// Whether there are more repositories than are listed.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there.
    pub initialised: bool,
}

/// What is being done on one repository.
#[contract_type]
pub struct MinerRepositoryState {
    /// API address of the repository's host.
    pub api_base_url: Shown,
    /// The repository.
    pub repo_full_name: Shown,
    /// What is being done.
    pub state: RunState,
    /// Since when.
    pub updated_at: Shown,
}
