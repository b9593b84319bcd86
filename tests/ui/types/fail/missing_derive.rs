//! A type that does not fit is one error for each trait it lacks, under the type.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

struct Plain;

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// What to look for.
    what: Option<Plain>,
) -> Out {
    let _ = what;
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn whole(#[input] _input: Plain) -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn answer() -> Result<Plain, contract_core::ToolError> {
    Ok(Plain)
}

fn main() {
    look(None);
    whole(Plain);
    let _ = answer();
}
