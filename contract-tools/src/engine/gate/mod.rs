//! Predicts how a repository's gate would dispose of a pull request that does not exist yet.
//!
//! A live gate knows more: private settings, the diff, AI reviewers, check runs. The rules for what those find stand here as
//! well, so that there is one place for what blocks; a prediction produces none of it.

mod request;
mod policy;
mod findings;
mod guarded;
mod evaluate;
mod holds;
mod readiness;
mod calibration;
mod pack;
mod telling;
mod predict;

pub use calibration::calibrated;
pub use evaluate::{Conclusion, Disposition, Evaluation, Measured, evaluate};
pub use guarded::{Guarded, GuardedPath, Unseen};
pub use pack::Funnel;
pub use policy::{GateMode, GatePolicy, LowConfidence};
pub use predict::{GateInput, Prediction, predict_gate};
pub use readiness::{
    Component, PlannedState, Readiness, ReadinessFacts, RelatedWork, readiness, says_that_tests_are_missing,
};
pub use request::GateRequest;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod hostile;
