//! Small tools that each show one thing the door has to deal with.

use std::future::pending;

use contract_core::loopover::ClaimStatus;
use contract_core::{Caller, Cancelled, Progress, State, ToolError, contract_type, loopover_tool};

/// What the test server provides.
pub(super) struct Store {
    pub(super) name: &'static str,
}

/// What came in, as the handler saw it.
#[contract_type]
pub(super) struct Seen {
    /// Its arguments, as Rust prints them.
    pub(super) seen: String,
}

fn seen(what: impl std::fmt::Debug) -> Seen {
    Seen { seen: format!("{what:?}") }
}

/// Answer that the server is alive.
#[loopover_tool(category = "utility", auth = "public", locality = "miner", availability = "selfhost")]
pub(super) fn door_ping() -> Seen {
    seen("pong")
}

/// List the claims, all of them or those of one repository.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost")]
pub(super) fn door_list_claims(
    /// Repository as owner/name.
    #[arg(min_length = 3, pattern = "^[^/]+/[^/]+$", example = "acme/api")]
    repo_full_name: Option<String>,
    /// Only claims of this status.
    status: Option<ClaimStatus>,
) -> Seen {
    seen((repo_full_name, status))
}

/// Fetch one persisted plan by its identifier.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost")]
pub(super) fn door_get_plan(
    /// Identifier of the plan.
    #[arg(min_length = 1, max_length = 8, example = "plan-1")]
    plan_id: String,
) -> Seen {
    seen(plan_id)
}

/// Read the audit feed from a sequence number on.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost")]
pub(super) fn door_audit_feed(
    /// Only events after this one.
    #[arg(example = 30)]
    since: Option<u64>,
    /// How many events at most.
    #[arg(minimum = 1, maximum = 1000, default = 200, example = 10)]
    limit: u32,
    /// Whose events; a raw identifier in Rust.
    #[arg(example = "merge")]
    r#type: Option<String>,
) -> Seen {
    seen((since, limit, r#type))
}

/// Predict how the gate would dispose of a pull request.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_predict(
    /// Issues that the pull request closes.
    #[arg(max_items = 3, example = [12])]
    linked_issues: Option<Vec<u64>>,
    /// Which attempt this is.
    #[arg(example = 1)]
    attempt: Option<u32>,
    /// A share between nothing and all.
    #[arg(minimum = 0.0, maximum = 1.0, example = 0.5)]
    share: Option<f64>,
) -> Seen {
    seen((linked_issues, attempt, share))
}

/// One variant of a pull request.
#[contract_type]
#[derive(Debug)]
pub(super) struct Variant {
    /// Repository as owner/name.
    #[schemars(example = &"a/b")]
    pub(super) repo_full_name: String,
    /// How many pull requests it has.
    pub(super) pending_count: Option<u32>,
}

/// What to do with them.
#[contract_type]
#[derive(Debug)]
#[serde(tag = "kind")]
pub(super) enum Operation {
    /// Compare them.
    Compare {
        /// How closely.
        #[schemars(example = 2)]
        depth: u8,
    },
    /// Drop them.
    Drop,
}

/// A struct as the whole input.
#[contract_type]
#[derive(Debug)]
pub(super) struct DoorVariantsInput {
    /// The variants.
    #[schemars(length(max = 5))]
    pub(super) variants: Vec<Variant>,
    /// What to do with them.
    pub(super) operation: Operation,
    /// Labels by name.
    pub(super) labels: Option<std::collections::BTreeMap<String, String>>,
}

/// Compare or drop several variants of one pull request.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
pub(super) async fn door_variants(#[input] input: DoorVariantsInput) -> Seen {
    std::future::ready(seen(input)).await
}

/// Say what the server's store is called.
#[loopover_tool(category = "utility", auth = "maintainer", locality = "remote", availability = "cloud")]
pub(super) fn door_store(#[inject] store: State<Store>, #[inject] caller: Caller) -> Seen {
    seen((store.name, caller))
}

/// Panic with a secret in the message, on the first poll.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) async fn door_panics() -> Seen {
    std::future::ready(()).await;
    panic!("the token is hunter2")
}

/// Panic with a secret in the message, on a blocking thread.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_panics_blocking() -> Seen {
    panic!("the token is hunter2")
}

/// Wait for something that never comes.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) async fn door_waits() -> Seen {
    pending().await
}

/// Work until somebody says that nobody waits any more, telling how far it is.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_works(#[inject] cancelled: Cancelled, #[inject] progress: Progress) -> Seen {
    progress.report(1.0, Some(2.0), "half".to_owned());
    while !cancelled.is_cancelled() {
        std::thread::yield_now();
    }
    progress.report(2.0, Some(2.0), "cancelled".to_owned());
    seen("cancelled")
}

/// An answer that its own contract does not allow.
#[contract_type]
pub(super) struct TooLarge {
    /// An identifier.
    pub(super) id: u64,
    /// A share; not a number when asked for it.
    pub(super) share: f64,
}

/// Answer what the contract does not allow: a number past 2^53, or none at all.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_breaks_its_word(
    /// Whether to answer no number.
    nan: bool,
) -> TooLarge {
    if nan { TooLarge { id: 1, share: f64::NAN } } else { TooLarge { id: (1 << 53) + 1, share: 0.5 } }
}

/// An answer with members that are sometimes left out.
#[contract_type]
pub(super) struct Claims {
    /// Every claim.
    pub(super) claims: Vec<String>,
    /// What went wrong on the way, left out when nothing did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<String>,
}

/// List nothing, or one claim, or two.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_claims(
    /// How many.
    #[arg(maximum = 2, example = 1)]
    count: u8,
) -> Claims {
    Claims { claims: (0..count).map(|number| format!("claim {number}")).collect(), warnings: Vec::new() }
}

/// Fail as a store does.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_fails() -> Result<Claims, ToolError> {
    Err(ToolError::store_unavailable("the store is busy; try again in a moment").caused_by("/var/lib/claims.db: row 7"))
}

/// Panics when it is dropped, and its payload does so again.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any(Self);
    }
}

/// Wait with something in hand that panics when it is dropped.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) async fn door_drops_a_bomb() -> Seen {
    let bomb = Bomb;
    pending::<()>().await;
    drop(bomb);
    seen("never")
}

/// Panic with something that panics again, on the first poll.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) async fn door_throws_a_bomb() -> Seen {
    std::future::ready(()).await;
    std::panic::panic_any(Bomb)
}

/// Panic with something that panics again, on a blocking thread.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub(super) fn door_throws_a_bomb_blocking() -> Seen {
    std::panic::panic_any(Bomb)
}
