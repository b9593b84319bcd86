//! Messages about what the attribute and the doc comment say.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them when it renews a text")]

use expect_test::expect;

use super::{WORDS, check, check_keys};

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
