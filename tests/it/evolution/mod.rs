//! What changed between two contracts, and whether the verdict about it is true.

/// Random pairs against the verdict.
mod pairs;
/// Where the pairs and values come from.
mod random;
