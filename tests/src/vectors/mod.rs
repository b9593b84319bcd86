//! Golden facts: what the original program answered, held against what this one answers.
//!
//! A fact is a [`Vector`]: one `{"case", "input", "expect"}` a line of a `.jsonl` file. A [`Runner`] knows how to ask this
//! program what a file's vectors asked the original. Where the two must differ, `tests/vectors/deviations.toml` says so
//! with its reason, and what holds instead; any other difference fails, and so does a listed one that is gone.

mod deviations;
mod difference;
mod glob;
mod pointer;
mod suite;
mod vector;

pub use deviations::{Deviations, Effect, Verdict};
pub use difference::{Difference, differences, takes_off};
pub use glob::Globs;
pub use suite::{Counts, Runner, Suite};
pub use vector::{Vector, read_directory};
