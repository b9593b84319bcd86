//! A property says what it is.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(what: String) -> Out {
    Out { x: what.len() as u32 }
}

fn main() {
    look(String::new());
}
