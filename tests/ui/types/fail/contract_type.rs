//! The attribute goes on a type, and does not derive what is derived already.

use contract_core::contract_type;

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

#[contract_type]
fn ask() -> Out {
    Out { x: 1 }
}

#[contract_type(crat = contract_core)]
#[derive(Debug, contract_core::serde::Serialize)]
struct Twice {
    x: u32,
}

fn main() {
    ask();
    println!("{}", Twice { x: 1 }.x);
}
