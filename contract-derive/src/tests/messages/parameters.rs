//! Messages about parameters and their markers.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them when it renews a text")]

use expect_test::expect;

use super::check_parameters;

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
