//! Every message, as the author of a tool reads it; where it is underlined is shown by the UI tests.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them when it renews a text")]

mod keys;
mod parameters;
mod signatures;

use expect_test::{Expect, expect};
use proc_macro2::{TokenStream, TokenTree};

use crate::expand;

/// The four words that every tool states.
const WORDS: &str = r#"category = "review", auth = "public", locality = "remote", availability = "both""#;

#[track_caller]
fn check(args: &str, item: &str, expected: &Expect) {
    expected.assert_eq(&messages(expand::loopover_tool(tokens(args), &tokens(item))));
}

/// Further keys on a sound function.
#[track_caller]
fn check_keys(keys: &str, expected: &Expect) {
    check(&format!("{WORDS}, {keys}"), "/// Answers.\nfn ask() -> Out { Out }", expected);
}

/// A function under a sound attribute and a doc comment.
#[track_caller]
fn check_function(function: &str, expected: &Expect) {
    check(WORDS, &format!("/// Answers.\n{function}"), expected);
}

/// Parameters of a function that is sound otherwise.
#[track_caller]
fn check_parameters(parameters: &str, expected: &Expect) {
    check_function(&format!("fn ask({parameters}) -> Out {{ Out }}"), expected);
}

#[track_caller]
fn check_type(args: &str, item: &str, expected: &Expect) {
    expected.assert_eq(&messages(expand::contract_type(tokens(args), &tokens(item))));
}

#[track_caller]
fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the test is made of tokens")
}

/// The texts of all `compile_error!`s, notes indented.
fn messages(expanded: TokenStream) -> String {
    let tokens: Vec<TokenTree> = expanded.into_iter().collect();
    let text = |window: &[TokenTree]| match window {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(group)] if *name == "compile_error" => {
            let message: syn::LitStr = syn::parse2(group.stream()).expect("an error is a literal");
            Some(message.value().replace('\n', "\n  ") + "\n")
        }
        _ => None,
    };
    tokens.windows(3).filter_map(text).collect()
}

#[test]
fn a_sound_tool_has_none() {
    check_keys("", &expect![[""]]);
    check_function("async fn ask(#[input] mut input: In) -> Out { Out }", &expect![[""]]);
    check_function("const fn ask(#[inject] it: State<Box<dyn Fn(&str) -> u8>>) -> Out { Out }", &expect![[""]]);
    check_function("fn ask() -> Result<Cow<'static, str>, ToolError> { half_typed. }", &expect![[""]]);
}

#[test]
fn items() {
    check(
        WORDS,
        "struct Ask;",
        &expect![[r#"
        `#[loopover_tool]` goes on a free function
          note: put it right above a `fn` or an `async fn`
    "#]],
    );
    check_function(
        "#[contract_core::loopover_tool()] fn ask() -> Out { Out }",
        &expect![[r#"
        `#[loopover_tool]` is here twice
          note: one function is one tool; keep one of them
    "#]],
    );
    check_function(
        "fn ask(&self) -> Out { Out }",
        &expect![[r#"
        `#[loopover_tool]` goes on a free function, and `ask` is a method
          note: move it out of the `impl`, and take what it needs from `self` as `#[inject] state: State<…>`
    "#]],
    );
}

#[test]
fn everything_at_once() {
    check(
        r#"category = 1, locality = "miner", availability = "both", readonly"#,
        "fn ask<T>(&x: &T, y: u32) {}",
        &expect![[r#"
            `category` takes a string literal
              note: write `category = "…"`
            `readonly` is no key of `#[loopover_tool]`
              note: did you mean `read_only`?
            a tool's parameter cannot be borrowed
              note: take it owned: `String` for `&str`, `Vec<T>` for `&[T]`
            a tool's parameter needs a name, not a pattern
              note: name it, and take it apart in the body
            `ask` does not state its `auth`
              note: add `auth = "…"`
            `ask` has no description
              note: write a doc comment above it: what the tool does and when to use it, for a model to read
            `ask` is generic
              note: a tool is one function with concrete types; write the types out
            `ask` returns nothing
              note: return a struct, or `Result<Struct, ToolError>`
            the parameter `y` has no description
              note: write a doc comment above it, or `#[inject]` if the server supplies it, or `#[input]` if it is the whole input
        "#]],
    );
}

#[test]
fn types() {
    check_type("", "pub(crate) enum X { Y }", &expect![[""]]);
    check_type(
        "krate = ::toolbox",
        "#[derive(Debug, serde::Serialize)] struct X;",
        &expect![[r#"
        `krate` is no key of `#[contract_type]`
          note: did you mean `crate`?
        `#[contract_type]` derives `Serialize` itself
          note: take it out of the `derive`
    "#]],
    );
    check_type(
        "",
        "union X { y: u8 }",
        &expect![[r#"
        `#[contract_type]` goes on a struct or an enum
          note: put it right above the type's definition
    "#]],
    );
}
