//! A tool says what it does.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
