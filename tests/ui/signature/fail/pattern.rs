//! A property needs a name.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(#[input] Out { x }: Out) -> Out {
    Out { x }
}

fn main() {
    ask(Out { x: 1 });
}
