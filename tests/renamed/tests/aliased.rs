//! One line in the crate's root, and no tool has to say `crate = ...`.

extern crate toolbox as contract_core;

use toolbox::{Registry, contract_type, loopover_tool};

/// A sign of life.
#[contract_type]
pub struct Pong {
    /// Always true.
    pub alive: bool,
}

/// Say whether this program is alive at all.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
pub const fn renamed_aliased() -> Pong {
    Pong { alive: true }
}

#[test]
fn the_tool_is_there() {
    let registry = Registry::collect().expect("the tool keeps the conventions");
    assert!(registry.get("renamed_aliased").is_some());
}
