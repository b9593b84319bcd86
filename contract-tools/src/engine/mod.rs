//! The rules behind the tools: pure functions over plain records, without input, output or a clock of their own.
//!
//! What a rule needs is a parameter, the time included, so the same question always has the same answer. No rule knows
//! where its records come from. Matching takes linear time whatever a stranger writes into a title.

pub mod text;
