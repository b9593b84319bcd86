//! Messages about the function as a whole.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them when it renews a text")]

use expect_test::expect;

use super::{check_function, check_parameters};

#[test]
fn signatures() {
    check_function(
        "fn ask<T>() -> Out where T: Copy { Out }",
        &expect![[r#"
        `ask` is generic
          note: a tool is one function with concrete types; write the types out
        `ask` has a `where` clause
          note: a tool is one function with concrete types; take the clause away
    "#]],
    );
    check_function(
        r#"unsafe extern "C" fn ask() -> Out { Out }"#,
        &expect![[r#"
        `ask` is unsafe
          note: a tool must be safe to call with any arguments that its schema allows
        `ask` has a foreign calling convention
          note: take `extern` away; put the tool into a function of its own
    "#]],
    );
    check_parameters(
        "#[inject] x: Caller, y: ...",
        &expect![[r#"
        `ask` takes any number of arguments
          note: take a `Vec` instead
    "#]],
    );
    check_function(
        "fn ask() {}",
        &expect![[r#"
        `ask` returns nothing
          note: return a struct, or `Result<Struct, ToolError>`
    "#]],
    );
    check_function(
        "fn ask() -> ! { loop {} }",
        &expect![[r#"
        `ask` never returns
          note: return a struct, or `Result<Struct, ToolError>`
    "#]],
    );
    check_function(
        "fn ask() -> Result<&str, ToolError> { Ok(\"\") }",
        &expect![[r#"
        `ask` returns something borrowed
          note: return an owned type
    "#]],
    );
    check_function(
        "fn ask() -> impl Future<Output = Out> { async { Out } }",
        &expect![[r#"
        `ask` returns a future that has no name
          note: write `async fn ask(…) -> Output`
    "#]],
    );
    check_function(
        "fn ask() -> Option<impl Copy> { None }",
        &expect![[r#"
        `ask` returns a type that has no name
          note: write the type itself: its schema is the tool's contract
    "#]],
    );
    check_function(
        "fn ask() -> _ { Out }",
        &expect![[r#"
        `ask` leaves its return type open
          note: write the type out
    "#]],
    );
}
