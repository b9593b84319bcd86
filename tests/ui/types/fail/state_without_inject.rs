//! A state that is not injected is told how to be.
use contract_core::State;

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    /// The server's state.
    state: State<u32>,
) -> Out {
    Out { x: *state }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn bare(state: State<u32>) -> Out {
    Out { x: *state }
}

fn main() {
    let _ = (ask, bare);
}
