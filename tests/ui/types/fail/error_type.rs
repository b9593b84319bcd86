//! An error becomes a ToolError.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

struct Broken;

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask() -> Result<Out, Broken> {
    Err(Broken)
}

fn main() {
    let _ = ask();
}
