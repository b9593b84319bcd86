//! A tool may come out of a `macro_rules!`, words and all.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

macro_rules! tools {
    ($($name:ident: $category:literal, $auth:expr;)*) => {$(
        /// Answer the question that was asked.
        #[loopover_tool(category = $category, auth = $auth, locality = "remote", availability = "both")]
        fn $name(
            /// How much is asked.
            #[arg(example = 1)]
            much: u32,
        ) -> Out {
            Out { x: much }
        }
    )*};
}

tools! {
    ask: "review", "public";
    ask_again: "ops", "operator";
}

fn main() {
    let registry = Registry::collect().unwrap();
    assert_eq!(registry.len(), 2);
    assert_eq!(registry.get("ask_again").unwrap().category(), "ops");
    assert_eq!(registry.get("ask_again").unwrap().source().line, 26);
}
