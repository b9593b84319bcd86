//! Every Rust block in the documents at the root and in `docs/` compiles and runs, as a test of this crate. Those of the
//! tutorial do in `tests/tutorial.rs`.

macro_rules! documents {
    ($($name:ident in $path:literal;)*) => {$(
        #[doc = include_str!($path)]
        pub mod $name {}
    )*};
}

documents! {
    readme in "../../README.md";
    architecture in "../../ARCHITECTURE.md";
    contributing in "../../CONTRIBUTING.md";
    concepts in "../../docs/concepts.md";
    conventions in "../../docs/conventions.md";
    errors in "../../docs/errors.md";
    evolution in "../../docs/evolution.md";
    security in "../../docs/security.md";
    operations in "../../docs/operations.md";
    chat in "../../docs/chat.md";
}
