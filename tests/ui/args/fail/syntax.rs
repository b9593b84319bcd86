//! An attribute that is being typed does not take the function away, nor complain about keys not typed yet.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth =)]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
