//! Documentation may live in a file.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[doc = include_str!("included.md")]
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    #[doc = concat!("How much", " is asked.")]
    #[arg(example = 1)]
    much: u32,
) -> Out {
    Out { x: much }
}

fn main() {
    let _ = (ask, AskInput { much: 1 });
    let registry = Registry::collect().unwrap();
    let tool = registry.get("ask").unwrap();
    assert_eq!(tool.description(), "Answer the question that was asked.\n\nIt says so in a file.");
    assert_eq!(tool.input_schema()["properties"]["much"]["description"], "How much is asked.");
}
