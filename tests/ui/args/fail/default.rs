//! A default of the wrong type is one error, at the default.
use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Level {
    /// How high.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// How high to look.
    #[arg(default = "three")]
    level: Level,
    /// How often to look.
    #[arg(default = 1.5)]
    often: u32,
) -> Level {
    Level { x: level.x + often }
}

fn main() {
    look(Level { x: 1 }, 2);
}
