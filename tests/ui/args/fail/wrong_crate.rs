//! A wrong path to the core crate is one error, at the path.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", crate = ::contract_kern)]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
