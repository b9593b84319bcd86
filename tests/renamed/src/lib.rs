//! A crate that knows the core crate as `toolbox` and depends on nothing else: every path in generated code has to come
//! from `crate = ::toolbox`. A library, so that what is generated is seen from outside and has to be documented.
#![deny(warnings, missing_docs, unreachable_pub)]
#![forbid(unsafe_code)]

use toolbox::{Caller, Categories, State, ToolError, contract_type, loopover_tool};

/// The default categories and one of our own.
pub const CATEGORIES: Categories = Categories::DEFAULT.with(&["billing"]);

/// The bills that the server keeps.
#[derive(Debug)]
pub struct Ledger {
    /// What each position costs, in cents.
    pub positions: Vec<u32>,
}

/// How a bill is paid.
#[contract_type(crate = ::toolbox)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By card.
    CreditCard,
    /// In cash.
    Cash,
}

/// A bill to pay.
#[contract_type(crate = ::toolbox)]
#[derive(Debug)]
pub struct PayInput {
    /// Which position is paid, counted from zero.
    #[schemars(example = 0)]
    pub position: u8,
    /// How it is paid.
    #[schemars(example = Method::Cash)]
    pub paid_by: Method,
}

/// A bill that was paid.
#[contract_type(crate = ::toolbox)]
#[derive(Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What was paid, in cents.
    pub paid_cents: u32,
    /// How it was paid.
    pub paid_by: Method,
}

/// Pay one position of the bill.
///
/// # Errors
/// When there is no such position.
#[loopover_tool(
    category = "billing",
    auth = "token",
    locality = "remote",
    availability = "both",
    read_only = false,
    categories = CATEGORIES,
    crate = ::toolbox
)]
pub async fn renamed_pay(
    #[inject] ledger: State<Ledger>,
    #[inject] _caller: Caller,
    #[input] input: PayInput,
) -> Result<Receipt, ToolError> {
    std::future::ready(()).await;
    let paid_cents = *ledger
        .positions
        .get(usize::from(input.position))
        .ok_or_else(|| ToolError::not_found("no such position; the first one is 0"))?;
    Ok(Receipt { paid_cents, paid_by: input.paid_by })
}

/// What a search found.
#[contract_type(crate = ::toolbox)]
#[derive(Debug, PartialEq, Eq)]
pub struct Positions {
    /// The positions, counted from zero.
    pub positions: Vec<usize>,
}

/// Find the positions of the bill that cost at least so much.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", crate = ::toolbox)]
pub fn renamed_find(
    #[inject] ledger: State<Ledger>,
    /// What a position has to cost, in cents.
    #[arg(minimum = 0, maximum = 1_000_000, default = 100, example = 250)]
    least_cents: u32,
) -> Positions {
    let positions = ledger.positions.iter().enumerate().filter(|(_, cents)| **cents >= least_cents);
    Positions { positions: positions.map(|(position, _)| position).collect() }
}
