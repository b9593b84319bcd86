//! A name that some client would refuse does not compile; the rule is in the message.

use contract_core::{contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", name = "get plan!")]
fn a() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", name = "")]
fn b() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", name = "loopover.get_plan")]
fn c() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
fn d() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both", name = "обзор")]
fn e() -> Out {
    Out { x: 1 }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[allow(non_snake_case)]
fn askAgain() -> Out {
    Out { x: 1 }
}

fn main() {
    (a(), b(), c(), d(), e(), askAgain());
}
