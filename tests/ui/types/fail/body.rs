//! An error in the body is at the expression.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn ask() -> Out {
    let n: u32 = "x";
    Out { x: n }
}

fn main() {
    let _ = ask();
}
