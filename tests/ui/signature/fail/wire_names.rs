//! Two parameters cannot share one name on the wire.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    /// A number.
    a_b: u32,
    /// Another number.
    _a_b: u32,
    /// A number without a name.
    __: u32,
) -> Out {
    Out { x: a_b + _a_b + __ }
}

fn main() {
    ask(1, 2, 3);
}
