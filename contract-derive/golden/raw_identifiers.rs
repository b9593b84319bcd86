//! Keywords as names: `r#` stays in Rust.

use contract_core::{contract_type, loopover_tool};

/// What kind it was.
#[contract_type]
pub struct Kind {
    /// The kind.
    pub r#type: String,
}

/// Say which kind of thing was sent here.
#[loopover_tool(
    category = "utility",
    auth = "public",
    locality = "remote",
    availability = "both",
    name = "golden_match",
    rename_all = "snake_case"
)]
pub fn r#match(
    /// The kind.
    #[arg(example = "plan")]
    r#type: String,
) -> Kind {
    Kind { r#type }
}
