//! Two tools of one name compile, since they may be in two crates; the registry refuses both and says where each stands, and
//! a server of them does not start.
use std::process::ExitCode;
use std::time::SystemTime;

use contract_core::{Clock, Registry, contract_type, loopover_tool};

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
    for line in [17, 31] {
        assert!(error.contains(&format!("duplicate_names.rs:{line}")), "{error}");
    }
    for server in [&["loopover", "stdio"][..], &["loopover", "miner", "mcp"], &["loopover", "serve", "--demo"]] {
        let code = contract_tools::run(server.iter().map(Into::into), Clock::new(SystemTime::now));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(1)), "{server:?}");
    }
}
