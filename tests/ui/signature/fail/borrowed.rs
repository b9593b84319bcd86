//! There is nobody to borrow an argument from.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn look(
    /// What to look for.
    what: &str,
    /// Where to look.
    places: Vec<&'static str>,
    /// How.
    how: std::borrow::Cow<'_, str>,
) -> Out {
    Out { x: (what.len() + places.len() + how.len()) as u32 }
}

fn main() {
    look("", vec![], "".into());
}
