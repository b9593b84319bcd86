//! LoopOver's own words and bounds: the only module of this crate that knows LoopOver.
//!
//! Everything else here works for any project. What lives here is single-sourced for the three servers: the enums that
//! tools share, the limits on their arguments, the category list and the name prefix.

mod categories;
mod enums;
mod limits;

pub use self::categories::CATEGORIES;
pub use self::enums::{
    AutonomyLevel, ClaimStatus, MaintainActionClass, PlanStatus, PlanStepStatus, ProposeActionClass, QueueStatus,
    RunState, TestFramework,
};
pub use self::limits::{GATE_LIMITS, GateLimits, PREFLIGHT_LIMITS, PreflightLimits, REF_LIMITS, RefLimits};

/// What every LoopOver tool's name begins with, and what a default title leaves off.
pub const NAME_PREFIX: &str = "loopover_";
