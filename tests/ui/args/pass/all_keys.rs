//! Every key, with every kind of value.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

const CATEGORIES: contract_core::Categories = contract_core::Categories::DEFAULT.with(&["billing"]);

const LIMITS: (u64, i64) = (20, 40);

mod nested {
    pub fn examples() -> [u32; 0] {
        []
    }
}

#[loopover_tool(
    category = "billing",
    auth = "operator",
    locality = "remote",
    availability = "cloud",
    name = "pay",
    title = "Pay the bill",
    description = "Pay a bill that is due.",
    read_only = false,
    destructive = true,
    idempotent,
    open_world = false,
    deprecated = "use pay_all",
    rename_all = "snake_case",
    examples = nested::examples,
    categories = CATEGORIES,
    crate = ::contract_core
)]
fn pay_bill(
    /// Whose bill.
    #[arg(min_length = 1, max_length = LIMITS.0, pattern = "^[a-z]+$", default = "me", example = "you")]
    bill_owner: String,
    /// How much.
    #[arg(minimum = -1, maximum = LIMITS.1 * 2, example = 3)]
    how_much: i64,
    /// The share that is paid.
    #[arg(minimum = -0.5, maximum = 1.0, example = 0.5)]
    share: f64,
    /// The positions.
    #[arg(min_items = 1, max_items = 3, example = [1, 2], default = vec![1])]
    positions: Vec<u8>,
) -> Out {
    Out { x: (bill_owner.len() + positions.len()) as u32 + how_much as u32 + share as u32 }
}

fn main() {
    let _ = pay_bill;
    let registry = Registry::collect().unwrap();
    let tool = registry.get("pay").unwrap();
    assert_eq!(tool.title(), "Pay the bill");
    assert_eq!(tool.category(), "billing");
    assert_eq!(tool.deprecated(), Some("use pay_all"));
    let hints = tool.hints();
    assert!(!hints.read_only && hints.destructive);
    assert_eq!((hints.idempotent, hints.open_world), (Some(true), Some(false)));
    let schema = contract_core::serde_json::to_value(tool.input_schema()).unwrap();
    assert_eq!(schema["required"], contract_core::serde_json::json!(["how_much", "share"]));
    let properties = &schema["properties"];
    assert_eq!(properties["bill_owner"]["maxLength"], 20);
    assert_eq!(properties["bill_owner"]["default"], "me");
    assert_eq!(properties["how_much"]["maximum"], 80);
    assert_eq!(properties["share"]["minimum"], -0.5);
    assert_eq!(properties["positions"]["examples"][0][1], 2);
}
