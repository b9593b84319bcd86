//! A function that is not there has no tool, wherever the condition stands; a deprecated one still has.
#![deny(warnings)]
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[cfg(any())]
/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn above() -> Gone {}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[cfg(any())]
fn below() -> Gone {}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[deprecated = "ask somebody else"]
fn old() -> Out {
    Out { x: 1 }
}

fn main() {
    let registry = Registry::collect().unwrap();
    assert!(registry.get("old").is_some());
    assert_eq!(registry.len(), 1);
}
