//! Reading is the default until something is said about writing.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

macro_rules! tools {
    ($($name:ident($($key:tt)*);)*) => {$(
        /// Answer the question that was asked.
        #[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both" $($key)*)]
        fn $name() -> Out {
            Out { x: 1 }
        }
    )*};
}

tools! {
    silent();
    reads(, read_only);
    writes(, read_only = false);
    destroys(, destructive);
    spares(, destructive = false);
    reads_and_spares(, read_only = true, destructive = false);
}

fn main() {
    let registry = Registry::collect().unwrap();
    let hints = |name| {
        let hints = registry.get(name).unwrap().hints();
        (hints.read_only, hints.destructive)
    };
    assert_eq!(hints("silent"), (true, false));
    assert_eq!(hints("reads"), (true, false));
    assert_eq!(hints("writes"), (false, false));
    assert_eq!(hints("destroys"), (false, true));
    assert_eq!(hints("spares"), (false, false));
    assert_eq!(hints("reads_and_spares"), (true, false));
}
