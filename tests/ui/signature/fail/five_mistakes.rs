//! Everything that is wrong with one function is said in one go.
use contract_core::State;

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "publik", locality = "remote", availability = "both", readonly)]
fn look(
    #[inject]
    #[arg(example = 1)]
    state: State<u32>,
    /// What to look for.
    (what, _): (String, String),
    limit: u32,
) -> Out {
    Out { x: limit + *state + what.len() as u32 }
}

fn main() {
    let _ = look;
}
