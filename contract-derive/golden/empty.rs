//! No parameters: the input is an object without members.

use contract_core::{contract_type, loopover_tool};

/// A sign of life.
#[contract_type]
pub struct Pong {
    /// Always true.
    pub alive: bool,
}

/// Say whether this server is alive at all.
#[loopover_tool(category = "utility", auth = "public", locality = "miner", availability = "selfhost")]
pub async fn golden_empty() -> Pong {
    std::future::ready(Pong { alive: true }).await
}
