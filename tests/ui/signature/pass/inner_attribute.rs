//! An inner attribute stays where it is, and applies.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask() -> Out {
    #![deny(warnings)]
    #![allow(unused_variables)]
    let x = 1;
    Out { x: 1 }
}

fn main() {
    ask();
    assert_eq!(Registry::collect().unwrap().len(), 1);
}
