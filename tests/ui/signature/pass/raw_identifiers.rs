//! `r#` is Rust's own business: no name on the wire shows it.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[contract_type]
struct Inner {
    /// A keyword.
    r#in: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn r#match(
    /// A keyword.
    r#type: Option<String>,
    /// Another one.
    r#fn: Inner,
) -> Out {
    Out { x: r#fn.r#in + r#type.map_or(0, |it| it.len() as u32) }
}

fn main() {
    let _ = r#match;
    let registry = Registry::collect().unwrap();
    let schema = contract_core::serde_json::to_value(registry.get("match").unwrap().input_schema()).unwrap();
    assert!(!schema.to_string().contains("r#"), "{schema}");
    assert_eq!(schema["properties"]["type"]["type"], "string");
    assert_eq!(schema["properties"]["fn"]["properties"]["in"]["description"], "A keyword.");
    let input = MatchInput { r#type: None, r#fn: Inner { r#in: 1 } };
    let sent = contract_core::serde_json::to_string(&input).unwrap();
    assert_eq!(sent, r#"{"type":null,"fn":{"in":1}}"#);
}
