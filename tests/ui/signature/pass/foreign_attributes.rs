//! Another macro sees the user's function, once, whichever stands first.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[tracing::instrument(skip_all)]
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn above(
    #[inject] _caller: contract_core::Caller,
    /// How much is asked.
    #[arg(example = 1)]
    much: u32,
) -> Out {
    Out { x: much }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[tracing::instrument(skip_all)]
fn below(
    #[inject] _caller: contract_core::Caller,
    /// How much is asked.
    #[arg(example = 1)]
    much: u32,
) -> Out {
    Out { x: much }
}

fn main() {
    let _ = (above, below);
    let registry = Registry::collect().unwrap();
    assert_eq!(registry.len(), 2);
    assert_eq!(registry.get("above").unwrap().description(), registry.get("below").unwrap().description());
}
