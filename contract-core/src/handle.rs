//! The typed side of a tool: a name that a compiler can follow.

use crate::entry::ToolEntry;

/// A tool, known by type.
///
/// The attribute implements it for the handle that it generates beside the handler (`LoopoverMinerGetPlan` for
/// `loopover_miner_get_plan`). Naming the handle also forces the tool's crate to be linked.
pub trait ContractTool {
    /// What a call takes.
    type Input;
    /// What a success answers.
    type Output;
    /// The tool's name on the wire.
    const NAME: &'static str;

    /// The record that the registry collects.
    fn entry() -> &'static ToolEntry;
}
