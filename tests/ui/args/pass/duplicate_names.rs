//! Two tools of one name compile, since they may be in two crates; the registry refuses both and says where each stands.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

mod one {
    /// Answer the question that was asked.
    #[super::loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
    fn ask() -> super::Out {
        super::Out { x: 1 }
    }
}

mod other {
    /// Answer another question that was asked.
    #[super::loopover_tool(
        name = "ask",
        category = "review",
        auth = "public",
        locality = "remote",
        availability = "both"
    )]
    fn ask_again() -> super::Out {
        super::Out { x: 1 }
    }
}

fn main() {
    let error = Registry::collect().unwrap_err().to_string();
    for line in [13, 27] {
        assert!(error.contains(&format!("duplicate_names.rs:{line}")), "{error}");
    }
}
