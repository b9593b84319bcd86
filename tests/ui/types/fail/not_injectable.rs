//! Only what a server can supply is injected.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(#[inject] input: Out) -> Out {
    input
}

fn main() {
    ask(Out { x: 1 });
}
