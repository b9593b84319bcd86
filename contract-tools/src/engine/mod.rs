//! The rules: what is concluded from the records of a repository, and nothing else.
//!
//! Everything here is a pure function of records and a moment. Whoever has a store fills [`records`] and passes the clock.
//!
//! Invariant: no engine reads a file, a clock, an environment or a network, knows a store, or takes JSON in place of a shape.
//!
//! Invariant: text that strangers wrote is matched in time linear in its length.

/// What is known about a repository, as plain data.
pub mod records;
/// One thing that a rule has to say.
pub mod finding;
/// Moments, as records spell them.
pub mod moment;
/// What several engines read out of words and paths.
pub mod text;
mod rounding;
/// What a repository publishes about its gate.
pub mod manifest;
/// Which way of contributing a repository rewards.
pub mod lane_advice;
/// Which open work may be the same as other work.
pub mod collision_report;
/// Where a bounty stands.
pub mod bounty;
/// Whether an issue is worth working on.
pub mod issue_quality;
/// What is planned, checked before it exists.
pub mod preflight;
/// How a repository's gate would dispose of a planned pull request.
pub mod gate;
