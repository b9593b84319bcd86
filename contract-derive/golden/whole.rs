//! One type is the whole input. Async, with an error of the handler's own and every hint stated.

use contract_core::{ToolError, contract_type, loopover_tool};

/// A greeting to send.
#[contract_type]
pub struct Greeting {
    /// Whom to greet.
    #[schemars(length(min = 1, max = 20), example = &"Ada")]
    pub to_whom: String,
}

/// What was said.
#[contract_type]
pub struct Said {
    /// The words.
    pub words: String,
}

/// Nobody is called that.
pub struct NoName;

impl From<NoName> for ToolError {
    fn from(_: NoName) -> Self {
        Self::invalid_input("send a name with a letter in it")
    }
}

/// Greet somebody by name, in English.
#[loopover_tool(
    category = "utility",
    auth = "token",
    locality = "remote",
    availability = "cloud",
    title = "Greet",
    read_only = false,
    idempotent = true,
    open_world = false,
    deprecated = "use golden_flat"
)]
pub async fn golden_whole(#[input] greeting: Greeting) -> Result<Said, NoName> {
    if !greeting.to_whom.contains(char::is_alphabetic) {
        return Err(NoName);
    }
    let words = std::future::ready(format!("Hello, {}", greeting.to_whom)).await;
    Ok(Said { words })
}
