//! The stores that a miner keeps, in the order in which they are checked.

/// One store: a file with tables of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// What happened.
    EventLedger,
    /// What the governor decided.
    GovernorLedger,
    /// What was predicted.
    PredictionLedger,
    /// What is to be done.
    PortfolioQueue,
    /// Which issues are claimed.
    ClaimLedger,
    /// What is being done on each repository.
    RunState,
    /// Plans.
    PlanStore,
    /// The governor's own state.
    GovernorState,
    /// Attempts.
    AttemptLog,
    /// Snapshots for replays.
    ReplaySnapshot,
    /// Worktrees in use.
    WorktreeAllocator,
    /// Profiles of contributors.
    ContributionProfile,
    /// Cached verdicts.
    PolicyVerdictCache,
    /// Cached documents.
    PolicyDocCache,
    /// Ranked candidates.
    RankedCandidates,
    /// Proposed rules.
    DenyHookSynthesis,
    /// The export's own state.
    OrbExport,
    /// What was set up on this machine.
    LaptopState,
}

/// The table of a store whose rows are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The newest version whose shape is known.
    pub(super) version: i64,
    /// Columns without which there is nothing to read; others read as null.
    pub(super) required: &'static [&'static str],
}

impl Store {
    /// Every store, in order.
    pub const ALL: [Self; 18] = [
        Self::EventLedger,
        Self::GovernorLedger,
        Self::PredictionLedger,
        Self::PortfolioQueue,
        Self::ClaimLedger,
        Self::RunState,
        Self::PlanStore,
        Self::GovernorState,
        Self::AttemptLog,
        Self::ReplaySnapshot,
        Self::WorktreeAllocator,
        Self::ContributionProfile,
        Self::PolicyVerdictCache,
        Self::PolicyDocCache,
        Self::RankedCandidates,
        Self::DenyHookSynthesis,
        Self::OrbExport,
        Self::LaptopState,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// Its file, unless its variable names another.
    pub const fn file(self) -> &'static str {
        self.words().1
    }

    /// The variable that names another file.
    pub const fn variable(self) -> &'static str {
        self.words().2
    }

    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::EventLedger => ("event-ledger", "event-ledger.sqlite3", "LOOPOVER_MINER_EVENT_LEDGER_DB"),
            Self::GovernorLedger => ("governor-ledger", "governor-ledger.sqlite3", "LOOPOVER_MINER_GOVERNOR_LEDGER_DB"),
            Self::PredictionLedger => {
                ("prediction-ledger", "prediction-ledger.sqlite3", "LOOPOVER_MINER_PREDICTION_LEDGER_DB")
            }
            Self::PortfolioQueue => ("portfolio-queue", "portfolio-queue.sqlite3", "LOOPOVER_MINER_PORTFOLIO_QUEUE_DB"),
            Self::ClaimLedger => ("claim-ledger", "claim-ledger.sqlite3", "LOOPOVER_MINER_CLAIM_LEDGER_DB"),
            Self::RunState => ("run-state", "run-state.sqlite3", "LOOPOVER_MINER_RUN_STATE_DB"),
            Self::PlanStore => ("plan-store", "plan-store.sqlite3", "LOOPOVER_MINER_PLAN_STORE_DB"),
            Self::GovernorState => ("governor-state", "governor-state.sqlite3", "LOOPOVER_MINER_GOVERNOR_STATE_DB"),
            Self::AttemptLog => ("attempt-log", "attempt-log.sqlite3", "LOOPOVER_MINER_ATTEMPT_LOG_DB"),
            Self::ReplaySnapshot => ("replay-snapshot", "replay-snapshot.sqlite3", "LOOPOVER_MINER_REPLAY_SNAPSHOT_DB"),
            Self::WorktreeAllocator => {
                ("worktree-allocator", "worktree-allocator.sqlite3", "LOOPOVER_MINER_WORKTREE_ALLOCATOR_DB")
            }
            Self::ContributionProfile => (
                "contribution-profile",
                "contribution-profile-cache.sqlite3",
                "LOOPOVER_MINER_CONTRIBUTION_PROFILE_CACHE_DB",
            ),
            Self::PolicyVerdictCache => {
                ("policy-verdict-cache", "policy-verdict-cache.sqlite3", "LOOPOVER_MINER_POLICY_VERDICT_CACHE_DB")
            }
            Self::PolicyDocCache => {
                ("policy-doc-cache", "policy-doc-cache.sqlite3", "LOOPOVER_MINER_POLICY_DOC_CACHE_DB")
            }
            Self::RankedCandidates => {
                ("ranked-candidates", "ranked-candidates.sqlite3", "LOOPOVER_MINER_RANKED_CANDIDATES_DB")
            }
            Self::DenyHookSynthesis => {
                ("deny-hook-synthesis", "deny-hook-synthesis.sqlite3", "LOOPOVER_MINER_DENY_HOOK_SYNTHESIS_DB")
            }
            Self::OrbExport => ("orb-export", "orb-export.sqlite3", "LOOPOVER_MINER_ORB_EXPORT_DB"),
            Self::LaptopState => ("laptop-state", "laptop-state.sqlite3", "LOOPOVER_MINER_LAPTOP_STATE_DB"),
        }
    }

    /// The table whose rows tools read, for the seven stores that have one.
    pub(super) const fn table(self) -> Option<Table> {
        let (name, version, required): (_, _, &[&str]) = match self {
            Self::EventLedger => ("miner_event_ledger", 2, &["seq", "event_type", "payload_json", "created_at"]),
            Self::GovernorLedger => {
                ("governor_events", 2, &["id", "ts", "event_type", "action_class", "decision", "reason"])
            }
            Self::PredictionLedger => ("predictions", 2, &["id", "ts", "repo_full_name", "target_id", "conclusion"]),
            Self::PortfolioQueue => {
                ("miner_portfolio_queue", 5, &["repo_full_name", "identifier", "status", "enqueued_at"])
            }
            Self::ClaimLedger => ("miner_claims", 3, &["id", "repo_full_name", "issue_number", "claimed_at", "status"]),
            Self::RunState => ("miner_run_state", 3, &["repo_full_name", "state", "updated_at"]),
            Self::PlanStore => ("miner_plans", 2, &["plan_id", "plan_json", "status", "updated_at"]),
            _ => return None,
        };
        Some(Table { name, version, required })
    }
}
