//! A list of the user's own is asked instead of the default one.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

const CATEGORIES: contract_core::Categories = contract_core::Categories::new(&["billing"]);

/// Answer the question that was asked.
#[loopover_tool(category = "biling", auth = "public", locality = "remote", availability = "both", categories = CATEGORIES)]
fn ask() -> Out {
    Out { x: 1 }
}

fn main() {
    ask();
}
