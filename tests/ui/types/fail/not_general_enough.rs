//! rustc cannot prove this future `Send`, and says so in the same words about the function alone: at the function, not at
//! the attribute, with nothing added by it.
use contract_core::{contract_type, loopover_tool};
use futures_util::StreamExt;

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Count the rows, several at a time.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn ask() -> Out {
    let rows: Vec<String> = vec!["acme/api".into()];
    let lengths = futures_util::stream::iter(rows.iter()).map(|row: &String| async move { row.len() });
    let lengths: Vec<usize> = lengths.buffer_unordered(4).collect().await;
    Out { x: lengths.len() as u32 }
}

async fn alone() -> u32 {
    let rows: Vec<String> = vec!["acme/api".into()];
    let lengths = futures_util::stream::iter(rows.iter()).map(|row: &String| async move { row.len() });
    let lengths: Vec<usize> = lengths.buffer_unordered(4).collect().await;
    lengths.len() as u32
}

fn send(_: impl Send) {}

fn main() {
    send(alone());
}
