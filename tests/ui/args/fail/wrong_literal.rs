//! Each key says which kind of value it takes.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = 1, auth = "public", locality, availability("both"), read_only = "yes", examples = "ask")]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
