//! A contract needs types that have names.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// What to look for.
    what: impl Into<String>,
) -> Out {
    Out { x: what.into().len() as u32 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn later() -> impl Future<Output = Out> {
    async { Out { x: 1 } }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn some() -> impl Sized {
    Out { x: 1 }
}

fn main() {
    look("");
    let _ = later();
    some();
}
