//! A client can send an input whose types can be written; the tool itself does not need that.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[derive(contract_core::serde::Deserialize, contract_core::schemars::JsonSchema)]
#[serde(crate = "contract_core::serde")]
#[schemars(crate = "contract_core::schemars")]
struct ReadOnly {
    /// A number.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    /// What can be read.
    what: ReadOnly,
) -> Out {
    Out { x: what.x }
}

fn main() {
    let input = AskInput { what: ReadOnly { x: 1 } };
    let _ = contract_core::serde_json::to_string(&input);
}
