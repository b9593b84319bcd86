//! A tool with faults: the function stays, its names stay, rustc's questions stay, and nothing is submitted. This one is
//! compared and not compiled.

/// Fetch one plan by its identifier.
#[loopover_tool(category = "agent", auth = "publik", locality = "miner", availabilty = "selfhost")]
pub fn golden_faulty(
    /// Identifier of the plan.
    #[arg(min_lenght = 1)]
    plan_id: String,
    undescribed: u32,
    /// A borrowed word.
    word: &str,
) -> Result<Plan, ToolError> {
    half_typed.
}
