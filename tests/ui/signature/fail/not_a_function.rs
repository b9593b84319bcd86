//! The attribute goes on a function, and takes nothing else away.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
struct Handlers;

#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
impl Handlers {
    fn ask(&self) -> Out {
        Out { x: 1 }
    }
}

fn main() {
    Handlers.ask();
}
