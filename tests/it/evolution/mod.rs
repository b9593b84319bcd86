//! What changed between two contracts, and whether the verdict about it is true.

/// Which keywords count in which draft, and what no draft can read.
mod dialects;
/// What a comparison costs, and that it ends.
mod effort;
/// Lists made to keep the program busy, through the program.
mod hostile;
/// Releases of public servers, compared as their committed reports say.
mod histories;
/// Changes whose meaning is known beforehand.
mod mutations;
/// Random pairs against the verdict.
mod pairs;
/// Where the pairs and values come from.
mod random;
/// Single changes, as a reader of a report sees them.
mod verdicts;
/// Unions within each other.
mod unions;
