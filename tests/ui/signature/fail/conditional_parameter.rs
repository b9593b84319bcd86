//! A contract does not depend on the platform.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    /// Where the hive is.
    #[cfg(windows)]
    hive: String,
) -> Out {
    Out { x: 1 }
}

fn main() {
    #[cfg(not(windows))]
    ask();
}
