//! A future that is not Send is reported at the function, with the line that makes it so.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn ask() -> Out {
    let count = std::rc::Rc::new(1);
    std::future::ready(()).await;
    Out { x: *count }
}

fn main() {
    let _ = ask();
}
