//! A bound is a constant of the right kind, and an error in it is at the expression.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

const MOST: &str = "3";

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// What to look for.
    #[arg(max_length = MOST, min_length = -1)]
    what: String,
) -> Out {
    Out { x: what.len() as u32 }
}

fn main() {
    look(String::new());
}
