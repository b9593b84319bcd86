//! A method that a trait only declares has no body: there is nothing that a call could run.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

trait Ask {
    /// Answer the question that was asked.
    #[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
    fn ask(&self) -> Out;

    /// Answer without anybody who was asked.
    #[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
    fn answer() -> Out;
}

struct Handlers;

impl Ask for Handlers {
    fn ask(&self) -> Out {
        Self::answer()
    }

    fn answer() -> Out {
        Out { x: 1 }
    }
}

fn main() {
    Handlers.ask();
}
