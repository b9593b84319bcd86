//! A tool is one function with concrete types.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn any<T: Into<u32>>(
    /// Anything.
    x: T,
) -> Out {
    Out { x: x.into() }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn borrow<'a>() -> Out
where
    'a: 'static,
{
    Out { x: 1 }
}

fn main() {
    any(1_u8);
    borrow();
}
