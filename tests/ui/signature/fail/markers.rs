//! A value comes from one side, and only a property has bounds.
use contract_core::Clock;

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    #[inject]
    #[input]
    a: Out,
    #[inject(now)] b: Clock,
    #[inject]
    #[inject]
    c: Clock,
    /// A number.
    #[arg]
    d: u32,
) -> Out {
    let _ = (b, c);
    Out { x: a.x + d }
}

fn main() {
    let _ = ask;
}
