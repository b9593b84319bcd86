//! The smallest whole thing: one annotated function, its contract, and a call through the one door.
//!
//! ```sh
//! cargo run -p contract-core --example quickstart
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::SystemTime;

use contract_core::{
    Arguments, CallContext, Caller, Client, Clock, Provided, PublicOnly, Registry, State, ToolError, ToolFilter,
    contract_type, loopover_tool,
};

/// What the server keeps, and lends to every call.
struct Shelf {
    titles: Vec<String>,
}

/// What the tool answers.
#[contract_type]
struct FoundBooks {
    /// The titles that match, in shelf order.
    titles: Vec<String>,
    /// How many books were looked at.
    looked_at: usize,
}

/// Find books on the shelf by a part of their title, whatever its case.
#[loopover_tool(category = "discovery", auth = "public", locality = "remote", availability = "both")]
fn find_books(
    #[inject] shelf: State<Shelf>,
    /// A part of the title.
    #[arg(min_length = 1, max_length = 80, example = "rust")]
    title: String,
    /// Return no more titles than this.
    #[arg(minimum = 1, maximum = 50, default = 10, example = 3)]
    limit: u32,
) -> Result<FoundBooks, ToolError> {
    let wanted = title.to_lowercase();
    let matching = shelf.titles.iter().filter(|title| title.to_lowercase().contains(&wanted));
    let titles: Vec<String> = matching.take(limit as usize).cloned().collect();
    if titles.is_empty() {
        return Err(ToolError::not_found("no such book; try a shorter part of its title"));
    }
    Ok(FoundBooks { titles, looked_at: shelf.titles.len() })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Everything that was annotated anywhere in the program, held to the conventions.
    let registry = Registry::collect()?;
    let everything = ToolFilter::new();
    for tool in registry.list_tool_definitions(&everything) {
        println!("{}: {}", tool.name(), tool.description());
        println!("takes {}", serde_json::to_string_pretty(tool.input_schema())?);
    }

    // A server that forgot to provide something learns it when it starts.
    let shelf = Shelf { titles: vec!["Programming Rust".to_owned(), "Rust for Rustaceans".to_owned()] };
    let provided = Arc::new(Provided::new().with(shelf));
    registry.require_provided(&everything, &provided)?;

    // The same call, right and wrong. The arguments are JSON text, as a client sends them.
    let client = Client::new(registry, Caller::anonymous(), PublicOnly, move || {
        CallContext::new(Clock::new(SystemTime::now)).with_provided(Arc::clone(&provided))
    });
    for arguments in [r#"{"title":"rustace"}"#, r#"{"titel":"rust","limit":0}"#] {
        let reply = wait_for(client.call_json("find_books", Arguments::Text(arguments.to_owned())))?;
        println!("{arguments} answers {}", reply.text());
    }

    // Inside one program nobody has to write JSON: the tool is a type.
    let found = wait_for(client.call::<FindBooks>(FindBooksInput { title: "rust".to_owned(), limit: 1 }))?;
    println!("the first of {} books: {}", found.looked_at, found.titles.join(", "));
    Ok(())
}

/// Polls until the future is ready; a real server has a runtime for this.
fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
    }
}
