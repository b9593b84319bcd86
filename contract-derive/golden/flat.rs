//! Bare parameters: each is one property; a state is injected beside them. Sync, so the handler may block.

use contract_core::{State, ToolError, contract_type, loopover_tool};

/// What the server keeps.
pub struct Shelf(pub Vec<String>);

/// What was found.
#[contract_type]
pub struct Found {
    /// The titles that match.
    pub titles: Vec<String>,
}

/// Find books on the shelf by a part of their title.
///
/// - whatever its case
#[loopover_tool(category = "discovery", auth = "public", locality = "remote", availability = "both")]
pub fn golden_flat(
    #[inject] shelf: State<Shelf>,
    /// A part of the title.
    #[arg(min_length = 1, max_length = 80, example = "rust")]
    title: String,
    /// How many titles to return at most.
    #[arg(minimum = 1, maximum = 50, default = 10, example = 3)]
    max_titles: u32,
) -> Result<Found, ToolError> {
    let wanted = title.to_lowercase();
    let matching = shelf.0.iter().filter(|title| title.to_lowercase().contains(&wanted));
    let titles: Vec<String> = matching.take(max_titles as usize).cloned().collect();
    if titles.is_empty() {
        return Err(ToolError::not_found("no such book; try a shorter part of its title"));
    }
    Ok(Found { titles })
}
