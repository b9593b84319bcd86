//! The door calls a tool like any Rust function, with any arguments.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
unsafe fn danger() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[allow(improper_ctypes_definitions)]
extern "C" fn foreign() -> Out {
    Out { x: 1 }
}

fn main() {
    unsafe { danger() };
    foreign();
}
