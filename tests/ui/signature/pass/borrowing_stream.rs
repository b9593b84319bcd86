//! A body that borrows across awaits, in closures too, needs no more than it needs alone.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

use futures_util::StreamExt;

/// Count the rows, several at a time.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn ask() -> Out {
    let rows: Vec<String> = vec!["acme/api".into()];
    // The futures are collected first: a stream that maps `&T` inside it is not `Send` by rustc's reckoning, with or
    // without this attribute (see `types/fail/not_general_enough.rs`).
    let lengths: Vec<_> = rows.iter().map(|row: &String| async move { row.len() }).collect();
    let lengths: Vec<usize> = futures_util::stream::iter(lengths).buffer_unordered(4).collect().await;
    Out { x: lengths.len() as u32 }
}

fn main() {
    assert_eq!(Registry::collect().unwrap().len(), 1);
}
