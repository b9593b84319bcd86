//! There is no value to call a method on.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

struct Handlers;

impl Handlers {
    /// Answer the question that was asked.
    #[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
    fn ask(&self) -> Out {
        Out { x: 1 }
    }
}

fn main() {
    Handlers.ask();
}
