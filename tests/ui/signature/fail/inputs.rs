//! One type is the whole input, or each bare parameter is a part of it.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn two(#[input] one: Out, #[input] other: Out) -> Out {
    Out { x: one.x + other.x }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn mixed(
    #[input] one: Out,
    /// Another part.
    other: u32,
) -> Out {
    Out { x: one.x + other }
}

fn main() {
    two(Out { x: 1 }, Out { x: 1 });
    mixed(Out { x: 1 }, 1);
}
