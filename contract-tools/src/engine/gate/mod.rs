//! Predicts how a repository's gate would dispose of a pull request that does not exist yet.

mod policy;
mod evaluate;
mod holds;
mod readiness;
mod calibration;

pub use calibration::calibrated;
pub use evaluate::{Conclusion, Disposition, Evaluation, GuardedPath, Measured, evaluate};
pub use policy::{GateMode, GatePolicy, LowConfidence};
pub use readiness::{
    Component, PlannedState, Readiness, ReadinessFacts, RelatedWork, readiness, says_that_tests_are_missing,
};
