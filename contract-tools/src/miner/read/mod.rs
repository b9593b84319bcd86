//! One file per store: which columns are read, and what a row is.
//!
//! Every reading says how many rows it left out because something in them was not as it should be. Such a row is never
//! shown, not even in part.

mod claims;
mod decisions;
mod events;
mod page;
mod plans;
mod predictions;
mod queue;
mod run_states;

pub use claims::{Claim, claims};
pub use decisions::{GovernorDecision, decisions};
pub use events::{AuditEvent, EventFilter, audit_feed, calibration, proposals};
pub use page::{DEFAULT_LIMIT, MOST_ROWS, Page, PageRequest};
pub use plans::{PlanRecord, plan, plans};
pub use queue::{dashboard, manage_status};
pub use run_states::{RepositoryState, run_state, run_states};

/// What was read, and what was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// What was read.
    pub value: T,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped: u64,
    /// Whether every store that was asked is there, with its table.
    pub is_initialised: bool,
}
