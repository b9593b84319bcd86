//! The miner's ledgers, a page at a time: claims, events, the governor's decisions. They read and write nothing.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::ClaimStatus;
use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::miner_shared::{not_blank, page, repository};
use crate::miner::read::{self, DEFAULT_LIMIT, EventFilter, MOST_ROWS};
use crate::miner::{MAX_SAFE_INTEGER, MinerHome};
use crate::privacy::Shown;

/// List the miner's claims on issues, oldest first: which issues are being worked on, were given back or ran out.
///
/// Read-only. Filters apply together; a repository matches on every host.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_list_claims(
    #[inject] home: State<MinerHome>,
    /// Only claims on this repository, as `owner/repo`.
    #[arg(example = "acme/widgets")]
    repo_full_name: Option<String>,
    /// Only claims in this state.
    status: Option<ClaimStatus>,
    /// Only claims beyond this `seq`; pass the `nextSince` of the page before.
    #[arg(minimum = 0, maximum = MAX_SAFE_INTEGER)]
    since: Option<i64>,
    /// At most so many claims.
    #[arg(minimum = 1, maximum = MOST_ROWS as i64, default = DEFAULT_LIMIT)]
    limit: u32,
) -> Result<MinerListClaimsOutput, ToolError> {
    let repository = repository(repo_full_name.as_deref())?;
    let page = read::claims(&home, repository, status, page(since, limit))?;
    let claims = page.rows.into_iter().map(|(seq, claim)| MinerClaim {
        id: seq,
        seq,
        api_base_url: claim.host,
        repo_full_name: claim.repository,
        issue_number: claim.issue_number,
        claimed_at: claim.claimed_at,
        status: claim.status,
        note: claim.note,
    });
    Ok(MinerListClaimsOutput {
        claims: claims.collect(),
        next_since: page.next_since,
        truncated: page.is_truncated,
        skipped_rows: page.skipped,
        initialised: page.is_initialised,
    })
}

/// A page of claims.
#[contract_type]
pub struct MinerListClaimsOutput {
    /// The claims, oldest first.
    pub claims: Vec<MinerClaim>,
    /// What to pass as `since` for the next page.
    pub next_since: i64,
    /// Whether there are more claims already.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there; without one there is nothing to list.
    pub initialised: bool,
}

/// One claim.
#[contract_type]
pub struct MinerClaim {
    /// Identifier of the claim.
    pub id: i64,
    /// Its place in the list.
    pub seq: i64,
    /// API address of the repository's host.
    pub api_base_url: Shown,
    /// The repository.
    pub repo_full_name: Shown,
    /// Number of the issue.
    pub issue_number: i64,
    /// When it was claimed.
    pub claimed_at: Shown,
    /// State of the claim: `active`, `released` or `expired`.
    pub status: Shown,
    /// What was noted with it.
    pub note: Option<Shown>,
}

/// Read what the miner did, oldest first: each event with its kind, repository, outcome, actor and detail.
///
/// Read-only. An event's payload is never returned. Ask again with `nextSince` to follow what happens.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_audit_feed(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
    /// Only events of this repository, as `owner/repo`.
    #[arg(min_length = 1, example = "acme/widgets")]
    repo_full_name: Option<String>,
    /// Only events beyond this `seq`; pass the `nextSince` of the page before.
    #[arg(minimum = 0, maximum = MAX_SAFE_INTEGER)]
    since: Option<i64>,
    /// Only events of this kind, such as `pr_outcome`.
    #[arg(min_length = 1, example = "pr_outcome")]
    r#type: Option<String>,
    /// At most so many events.
    #[arg(minimum = 1, maximum = MOST_ROWS as i64, default = DEFAULT_LIMIT)]
    limit: u32,
) -> Result<MinerGetAuditFeedOutput, ToolError> {
    let repository = repository(repo_full_name.as_deref())?;
    let event_type = r#type.as_deref().map(|kind| not_blank(kind, "/type")).transpose()?;
    let page = read::audit_feed(&home, clock.now(), EventFilter { repository, event_type }, page(since, limit))?;
    let events = page.rows.into_iter().map(|(seq, event)| MinerAuditEvent {
        seq,
        event_type: event.event_type,
        repo_full_name: event.repository,
        outcome: event.outcome,
        actor: event.actor,
        detail: event.detail,
        created_at: event.created_at,
    });
    Ok(MinerGetAuditFeedOutput {
        repo_full_name: repository.map(Shown::from),
        events: events.collect(),
        next_since: page.next_since,
        truncated: page.is_truncated,
        skipped_rows: page.skipped,
        initialised: page.is_initialised,
    })
}

/// A page of events.
#[contract_type]
pub struct MinerGetAuditFeedOutput {
    /// The repository that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Shown")]
    pub repo_full_name: Option<Shown>,
    /// The events, oldest first.
    pub events: Vec<MinerAuditEvent>,
    /// What to pass as `since` for the next page.
    pub next_since: i64,
    /// Whether there are more events already.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there; without one there is nothing to list.
    pub initialised: bool,
}

/// One event.
#[contract_type]
pub struct MinerAuditEvent {
    /// Its place in the feed.
    pub seq: i64,
    /// What kind of event it is.
    pub event_type: Shown,
    /// The repository it is about.
    pub repo_full_name: Option<Shown>,
    /// What came of it.
    pub outcome: Option<Shown>,
    /// Who did it.
    pub actor: Option<Shown>,
    /// What else there is to say.
    pub detail: Option<Shown>,
    /// When it happened.
    pub created_at: Shown,
}

/// List what the governor decided about the miner's actions, oldest first, each with the reason.
///
/// Read-only. What a decision was made from is never read.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_governor_decisions(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
    /// Only decisions about this repository, as `owner/repo`.
    #[arg(example = "acme/widgets")]
    repo_full_name: Option<String>,
    /// Only decisions beyond this `seq`; pass the `nextSince` of the page before.
    #[arg(minimum = 0, maximum = MAX_SAFE_INTEGER)]
    since: Option<i64>,
    /// At most so many decisions.
    #[arg(minimum = 1, maximum = MOST_ROWS as i64, default = DEFAULT_LIMIT)]
    limit: u32,
) -> Result<MinerGetGovernorDecisionsOutput, ToolError> {
    let repository = repository(repo_full_name.as_deref())?;
    let page = read::decisions(&home, clock.now(), repository, page(since, limit))?;
    let decisions = page.rows.into_iter().map(|(seq, decision)| MinerGovernorDecision {
        id: seq,
        seq,
        ts: decision.at,
        event_type: decision.event_type,
        repo_full_name: decision.repository,
        action_class: decision.action_class,
        decision: decision.decision,
        reason: decision.reason,
    });
    Ok(MinerGetGovernorDecisionsOutput {
        decisions: decisions.collect(),
        next_since: page.next_since,
        truncated: page.is_truncated,
        skipped_rows: page.skipped,
        initialised: page.is_initialised,
    })
}

/// A page of the governor's decisions.
#[contract_type]
pub struct MinerGetGovernorDecisionsOutput {
    /// The decisions, oldest first.
    pub decisions: Vec<MinerGovernorDecision>,
    /// What to pass as `since` for the next page.
    pub next_since: i64,
    /// Whether there are more decisions already.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether the store is there; without one there is nothing to list.
    pub initialised: bool,
}

/// One decision.
#[contract_type]
pub struct MinerGovernorDecision {
    /// Identifier of the decision.
    pub id: i64,
    /// Its place in the list.
    pub seq: i64,
    /// When it was taken.
    pub ts: Shown,
    /// What happened to the action: `allowed`, `denied`, `throttled` or `kill_switch`.
    pub event_type: Shown,
    /// The repository it is about.
    pub repo_full_name: Option<Shown>,
    /// What kind of action it was.
    pub action_class: Shown,
    /// The decision.
    pub decision: Shown,
    /// Why.
    pub reason: Shown,
}
