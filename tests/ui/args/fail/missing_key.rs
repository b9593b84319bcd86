//! What a server needs to place and guard a tool has to be stated.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", locality = "remote")]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
