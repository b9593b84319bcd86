//! A file may be named after its only tool.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

mod loopover_ask {
    use super::{Out, loopover_tool};

    /// Answer the question that was asked.
    #[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
    pub(crate) fn loopover_ask() -> Out {
        Out { x: 1 }
    }
}

pub(crate) use loopover_ask::{LoopoverAsk, loopover_ask};

fn main() {
    loopover_ask();
    assert_eq!(<LoopoverAsk as contract_core::ContractTool>::NAME, "loopover_ask");
    assert_eq!(Registry::collect().unwrap().len(), 1);
}
