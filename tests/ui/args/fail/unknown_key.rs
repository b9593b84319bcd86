//! A slip of a key names the key that was meant, and anything else all keys.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", readonly, colour = "red")]
fn ask() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// What to look for.
    #[arg(max_lenght = 3)]
    what: String,
) -> Out {
    Out { x: what.len() as u32 }
}

fn main() {
    ask();
    look(String::new());
}
