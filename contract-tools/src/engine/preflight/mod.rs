//! Checks a planned pull request before it exists: the repository's lane, work that is already being done, the linked
//! issues, tests, and how much a review would be.

mod planned;
mod plan;
mod report;
mod surroundings;
mod related_cluster;
mod related_work;
mod findings;

pub use planned::PlannedPullRequest;
pub use related_cluster::{RelatedCluster, Relation};
pub use report::{PreflightInput, PreflightReport, PreflightStatus, ReviewBurden, preflight};

#[cfg(test)]
mod tests;
