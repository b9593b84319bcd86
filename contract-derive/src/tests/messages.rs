//! Every message, as the author of a tool reads it; where it is underlined is shown by the UI tests.

use expect_test::{Expect, expect};
use proc_macro2::{TokenStream, TokenTree};

use crate::expand;

/// The four words that every tool states.
const WORDS: &str = r#"category = "review", auth = "public", locality = "remote", availability = "both""#;

#[track_caller]
fn check(args: &str, item: &str, expected: &Expect) {
    expected.assert_eq(&messages(expand::loopover_tool(tokens(args), tokens(item))));
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
    expected.assert_eq(&messages(expand::contract_type(tokens(args), tokens(item))));
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
fn keys() {
    check_keys(
        "readonly, colour = 1",
        &expect![[r#"
        `readonly` is no key of `#[loopover_tool]`
          note: did you mean `read_only`?
        `colour` is no key of `#[loopover_tool]`
          note: its keys are `category`, `auth`, `locality`, `availability`, `name`, `title`, `description`, `read_only`, `destructive`, `idempotent`, `open_world`, `deprecated`, `rename_all`, `examples`, `categories`, `crate`
    "#]],
    );
    check_keys(
        r#"auth = "token", name = ask, read_only = 1, examples = "ask", categories"#,
        &expect![[r#"
        `auth` is stated twice
          note: keep one of them
        `name` takes a string literal
          note: write `name = "…"`
        `read_only` takes `true`, `false` or nothing
          note: write `read_only = true`
        `examples` takes a path without quotes
          note: write `examples = some::path`
        `categories` takes a path without quotes
          note: write `categories = some::path`
    "#]],
    );
    check_keys(
        "read_only, destructive",
        &expect![[r#"
        `ask` is read-only and destructive at once
          note: a tool that only reads destroys nothing; take one of the two away
    "#]],
    );
    check_keys(
        r#"rename_all = "kebab-case", title = " ", deprecated = """#,
        &expect![[r#"
        `kebab-case` is no case that `rename_all` knows
          note: it knows `camelCase`, `snake_case`, `PascalCase`
        `title` is empty
          note: say something, or leave the key out
        `deprecated` is empty
          note: say something, or leave the key out
    "#]],
    );
    check_keys(
        "name =",
        &expect![[r#"
        unexpected end of input, expected an expression
    "#]],
    );
    check(
        r#"auth = "public""#,
        "/// Answers.\nfn ask() -> Out { Out }",
        &expect![[r#"
        `ask` does not state its `category`, `locality`, `availability`
          note: add `category = "…", locality = "…", availability = "…"`
    "#]],
    );
    check(
        "",
        "/// Answers.\nfn ask() -> Out { Out }",
        &expect![[r#"
        `ask` does not state its `category`, `auth`, `locality`, `availability`
          note: add `category = "…", auth = "…", locality = "…", availability = "…"`
    "#]],
    );
}

#[test]
fn descriptions() {
    check(
        WORDS,
        "fn ask() -> Out { Out }",
        &expect![[r#"
        `ask` has no description
          note: write a doc comment above it: what the tool does and when to use it, for a model to read
    "#]],
    );
    check(
        WORDS,
        "#[doc(hidden)]\n///\nfn ask() -> Out { Out }",
        &expect![[r#"
        the doc comment of `ask` is empty
          note: say what the tool does and when to use it
    "#]],
    );
    check_keys(
        r#"description = "Answers.""#,
        &expect![[r#"
        `ask` has both a doc comment and a `description`
          note: keep the doc comment; `description` is for a function that has none
    "#]],
    );
    check(
        &format!(r#"{WORDS}, description = """#),
        "fn ask() -> Out { Out }",
        &expect![[r#"
        `description` is empty
          note: say something, or leave the key out
    "#]],
    );
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

#[test]
fn parameters() {
    check_parameters(
        "#[input] x: &In",
        &expect![[r#"
        a tool's parameter cannot be borrowed
          note: take it owned: `String` for `&str`, `Vec<T>` for `&[T]`
    "#]],
    );
    check_parameters(
        "#[inject] y: Y<'_>",
        &expect![[r#"
        a tool's parameter cannot be borrowed
          note: take it owned: `String` for `&str`, `Vec<T>` for `&[T]`
    "#]],
    );
    check_parameters(
        "#[inject] fine: State<&'static str>, #[input] x: Vec<&'static str>",
        &expect![[r#"
        a tool's parameter cannot be borrowed
          note: take it owned: `String` for `&str`, `Vec<T>` for `&[T]`
    "#]],
    );
    check_parameters(
        "#[input] In { x }: In, #[inject] _: Caller, #[inject] ref y: Y",
        &expect![[r#"
        a tool's parameter needs a name, not a pattern
          note: name it, and take it apart in the body
        a tool's parameter needs a name, not a pattern
          note: name it, and take it apart in the body
        a tool's parameter needs a name, not a pattern
          note: name it, and take it apart in the body
    "#]],
    );
    check_parameters(
        "#[input] x: impl Copy, #[inject] y: State<_>",
        &expect![[r#"
        a tool's parameter needs a type that has a name
          note: write the type itself: its schema is the tool's contract
        a tool's parameter needs its type written out
          note: replace `_`
    "#]],
    );
    check_parameters(
        "#[inject] #[cfg(unix)] x: Caller",
        &expect![[r#"
        `cfg` on a tool's parameter is not supported
          note: write two functions, each under its own `#[cfg]`; a contract should not depend on the platform anyway
    "#]],
    );
    check_parameters(
        "x: String, #[doc = \"\"] y: String",
        &expect![[r#"
        the parameter `x` has no description
          note: write a doc comment above it, or `#[inject]` if the server supplies it, or `#[input]` if it is the whole input
        the parameter `y` has no description
          note: write a doc comment above it, or `#[inject]` if the server supplies it, or `#[input]` if it is the whole input
    "#]],
    );
    check_parameters(
        "#[input] x: In, #[input] y: In, z: String",
        &expect![[r#"
        `y` is a second `#[input]`
          note: one type is the whole input; put both into one struct
        `z` stands beside an `#[input]`, which is the whole input
          note: move it into that type, or write `#[inject]` if the server supplies it
    "#]],
    );
}

#[test]
fn markers() {
    check_parameters(
        "#[input] #[inject] x: In",
        &expect![[r#"
        a parameter cannot be both `#[inject]` and `#[input]`
          note: `#[inject]` comes from the server, `#[input]` from the caller
    "#]],
    );
    check_parameters(
        "#[inject(1)] #[arg(example = 1)] y: Y",
        &expect![[r#"
        `#[inject]` and `#[input]` stand alone
          note: bounds of a property go into `#[arg(...)]`, those of an input into its type
        `#[arg]` is for a bare parameter
          note: what is injected has no schema, and an `#[input]` states its bounds in its type
    "#]],
    );
    check_parameters(
        "#[doc = \"X\"] #[arg] x: X, #[doc = \"Y\"] #[arg()] #[arg()] y: Y",
        &expect![[r#"
        `#[arg]` says nothing here
          note: write `#[arg(max_length = 100, example = "…")]`, or leave it out
        `#[arg]` is on this parameter twice
          note: keep one of them
    "#]],
    );
    check_parameters(
        "#[doc = \"X\"] #[arg(max_lenght = 1, example)] x: X",
        &expect![[r#"
        `example` takes a value
          note: write `example = …`
        `max_lenght` is no key of `#[arg]`
          note: did you mean `max_length`?
    "#]],
    );
    check_parameters(
        "#[doc = \"X\"] x_y: X, #[doc = \"Y\"] _x_y: X, #[doc = \"Z\"] __: X",
        &expect![[r#"
        `_x_y` is `xY` on the wire, and so is another parameter
          note: rename one of them
        `__` leaves no name for the wire
          note: give the parameter a name with a letter in it
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
