//! Each misspelt word is one error at the word, and the entry adds none.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "reviw", auth = "maintaner", locality = "remot", availability = "boht")]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
