//! A function whose name is no type's in Pascal case still has a handle, and keeps its own name.

use contract_core::{ContractTool, contract_type, loopover_tool};

#[contract_type]
struct Code {
    /// The code.
    code: u32,
}

/// Make a code for the second factor of a sign-in.
#[loopover_tool(name = "two_factor", category = "utility", auth = "public", locality = "remote", availability = "both")]
fn _2fa(
    /// How long it is good, in seconds.
    #[arg(example = 60 * 60)]
    seconds: u32,
) -> Code {
    Code { code: seconds }
}

/// Make a code for oneself and nobody else.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn self_() -> Code {
    _2fa(5)
}

fn main() {
    assert_eq!(self_().code, 5);
    assert_eq!((<Tool__2fa as ContractTool>::NAME, <Tool_self_ as ContractTool>::NAME), ("two_factor", "self_"));
}
