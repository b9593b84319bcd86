//! What a function may be: const, sync, async, with mutable or no parameters, with aliases of every kind.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

type Answer<T> = std::result::Result<T, contract_core::ToolError>;
type Maybe<T> = Option<T>;

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn changed(#[input] mut input: Out) -> Answer<Out> {
    input.x += 1;
    Ok(input)
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
const fn constant() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn optional(
    /// How much is asked, when anything is.
    mut much: Maybe<u32>,
) -> Result<Out, std::convert::Infallible> {
    Ok(Out { x: *much.get_or_insert(1) })
}

fn main() {
    let _ = (changed, constant, optional);
    let registry = Registry::collect().unwrap();
    assert_eq!(registry.len(), 3);
    assert!(!registry.get("optional").unwrap().input_schema().contains_key("required"));
    assert_eq!(
        contract_core::serde_json::to_string(registry.get("constant").unwrap().input_schema()).unwrap(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
}
