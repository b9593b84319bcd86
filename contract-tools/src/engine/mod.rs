//! The rules behind the tools: pure functions over plain records, without input, output or a clock of their own.
//!
//! What a rule needs is a parameter, the time included, so the same question always has the same answer. Whoever has a
//! store fills the [`records`]. Matching takes linear time whatever a stranger writes into a title.
//!
//! Invariant: no engine reads a file, a clock, an environment or a network, knows a store, or takes JSON in place of a shape.

pub mod records;
pub mod finding;
pub mod moment;
pub mod rounding;
pub mod text;
pub mod manifest;

pub mod lane_advice;
pub mod collision_report;
pub mod queue_health;
pub mod config_quality;
pub mod queue_trends;
pub mod data_quality;
pub mod reviewability;

pub mod bounty;
pub mod issue_quality;
pub mod preflight;
pub mod gate;

pub mod config_layers;

#[cfg(test)]
mod dice;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod properties;
