//! The wording of every message: one function per rule. A message names the thing, is lower case and ends without a full
//! stop; what to write instead is on a `note:` line.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Error, Ident, LitStr, Pat, Path};

use crate::case::Case;
use crate::parameter::Unnameable;

/// All that is wrong with one item, in the order in which it was found.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Output: one `compile_error!` per error.
impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().map(Error::to_compile_error));
    }
}

fn at(tokens: impl ToTokens, problem: impl AsRef<str>, note: impl AsRef<str>) -> Error {
    Error::new_spanned(tokens, format!("{}\nnote: {}", problem.as_ref(), note.as_ref()))
}

// The item

/// A tool is a function that the registry can name: no type, module or block has a signature.
pub(crate) fn not_a_function(item: &TokenStream) -> Error {
    at(item, "`#[loopover_tool]` goes on a free function", "put it right above a `fn` or an `async fn`")
}

/// Two entries of one name would refuse each other when the program starts.
pub(crate) fn attribute_twice(again: &Attribute) -> Error {
    at(again, "`#[loopover_tool]` is here twice", "one function is one tool; keep one of them")
}

// Keys of an attribute

/// Without these a server can neither place nor guard the tool.
pub(crate) fn missing_keys(tool: &str, missing: &[&str]) -> Error {
    let keys = missing.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let example = missing.iter().map(|key| format!("{key} = \"…\"")).collect::<Vec<_>>().join(", ");
    Error::new(Span::call_site(), format!("`{tool}` does not state its {keys}\nnote: add `{example}`"))
}

/// A key that means nothing would be a wish that nobody hears.
pub(crate) fn unknown_key(attribute: &str, key: &Path, nearest: Option<&str>, known: &[&str]) -> Error {
    let note = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("its keys are {}", known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")),
    };
    at(key, format!("`{}` is no key of `#[{attribute}]`", spelled(key)), note)
}

/// The known key that an unknown one is most likely a slip of.
pub(crate) fn nearest_key(key: &Path, known: &[&'static str]) -> Option<&'static str> {
    let written = spelled(key);
    let distances = known.iter().map(|word| (edit_distance(&written, word), *word));
    distances.filter(|(distance, word)| *distance <= word.len().max(3) / 3).min().map(|(_, word)| word)
}

fn spelled(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// Which of the two was meant cannot be known.
pub(crate) fn key_twice(key: &str, again: &Path) -> Error {
    at(again, format!("`{key}` is stated twice"), "keep one of them")
}

/// The key is known and its value is of no use.
pub(crate) fn wrong_value(key: &str, value: TokenStream, wanted: &str, example: &str) -> Error {
    at(value, format!("`{key}` takes {wanted}"), format!("write `{key} = {example}`"))
}

/// The macro respells names itself, so it knows only the spellings that it implements.
pub(crate) fn unknown_case(written: &LitStr) -> Error {
    let words = Case::WORDS.map(|word| format!("`{word}`")).join(", ");
    at(written, format!("`{}` is no case that `rename_all` knows", written.value()), format!("it knows {words}"))
}

/// A client may call a read-only tool freely; one that destroys must never pass for that.
pub(crate) fn destructive_reader(tool: &str, destructive: &Path) -> Error {
    at(
        destructive,
        format!("`{tool}` is read-only and destructive at once"),
        "a tool that only reads destroys nothing; take one of the two away",
    )
}

/// Rust compiles an empty text and nobody learns anything from it.
pub(crate) fn empty_text(key: &str, written: &LitStr) -> Error {
    at(written, format!("`{key}` is empty"), "say something, or leave the key out")
}

// Descriptions

/// The doc comment is what a model reads before it chooses the tool.
pub(crate) fn undocumented_tool(name: &Ident) -> Error {
    at(
        name,
        format!("`{name}` has no description"),
        "write a doc comment above it: what the tool does and when to use it, for a model to read",
    )
}

/// As no description at all.
pub(crate) fn blank_docs(name: &Ident) -> Error {
    at(name, format!("the doc comment of `{name}` is empty"), "say what the tool does and when to use it")
}

/// Two descriptions would differ sooner or later.
pub(crate) fn described_twice(tool: &str, description: &LitStr) -> Error {
    at(
        description,
        format!("`{tool}` has both a doc comment and a `description`"),
        "keep the doc comment; `description` is for a function that has none",
    )
}

/// A model that has to guess what an argument is guesses wrong.
pub(crate) fn undocumented_parameter(name: &Ident) -> Error {
    at(
        name,
        format!("the parameter `{name}` has no description"),
        "write a doc comment above it, or `#[inject]` if the server supplies it, or `#[input]` if it is the whole input",
    )
}

// The signature

/// A registry holds one function, not a family of them.
pub(crate) fn generic(tool: &str, generics: TokenStream) -> Error {
    at(generics, format!("`{tool}` is generic"), "a tool is one function with concrete types; write the types out")
}

/// As generic parameters.
pub(crate) fn conditional_signature(tool: &str, clause: &syn::WhereClause) -> Error {
    at(
        clause,
        format!("`{tool}` has a `where` clause"),
        "a tool is one function with concrete types; take the clause away",
    )
}

/// There is no value to call a method on.
pub(crate) fn method(tool: &str, receiver: &syn::Receiver) -> Error {
    at(
        receiver,
        format!("`#[loopover_tool]` goes on a free function, and `{tool}` is a method"),
        "move it out of the `impl`, and take what it needs from `self` as `#[inject] state: State<…>`",
    )
}

/// A trait's method that is only declared is no function yet.
pub(crate) fn no_body(name: &Ident, instead: &TokenStream) -> Error {
    let problem = format!("`#[loopover_tool]` goes on a free function with a body, and `{name}` has none");
    let note = "what a trait only declares cannot be called; write the function outside of it, with a body";
    if instead.is_empty() { at(name, problem, note) } else { at(instead, problem, note) }
}

/// The door calls with arguments from outside; no caller could keep such a promise.
pub(crate) fn unsafe_function(tool: &str, token: syn::token::Unsafe) -> Error {
    at(token, format!("`{tool}` is unsafe"), "a tool must be safe to call with any arguments that its schema allows")
}

/// The call comes from Rust.
pub(crate) fn foreign_abi(tool: &str, abi: &syn::Abi) -> Error {
    at(
        abi,
        format!("`{tool}` has a foreign calling convention"),
        "take `extern` away; put the tool into a function of its own",
    )
}

/// A schema has no such thing.
pub(crate) fn variadic(tool: &str, variadic: &syn::Variadic) -> Error {
    at(variadic, format!("`{tool}` takes any number of arguments"), "take a `Vec` instead")
}

/// A success has to say something.
pub(crate) fn returns_nothing(name: &Ident) -> Error {
    at(name, format!("`{name}` returns nothing"), "return a struct, or `Result<Struct, ToolError>`")
}

/// A call has to end.
pub(crate) fn never_returns(tool: &str, never: &syn::Type) -> Error {
    at(never, format!("`{tool}` never returns"), "return a struct, or `Result<Struct, ToolError>`")
}

/// The registry has to name the answer's type.
pub(crate) fn unnameable_output(tool: &str, part: &Unnameable) -> Error {
    match part {
        Unnameable::Borrow(part) => at(part, format!("`{tool}` returns something borrowed"), "return an owned type"),
        Unnameable::Opaque(part) if is_future(part) => at(
            part,
            format!("`{tool}` returns a future that has no name"),
            format!("write `async fn {tool}(…) -> Output`"),
        ),
        Unnameable::Opaque(part) => at(
            part,
            format!("`{tool}` returns a type that has no name"),
            "write the type itself: its schema is the tool's contract",
        ),
        Unnameable::Inferred(part) => at(part, format!("`{tool}` leaves its return type open"), "write the type out"),
    }
}

fn is_future(part: &TokenStream) -> bool {
    part.to_string().contains("Future")
}

// Parameters

/// The values of a call belong to the handler; there is nobody to borrow them from.
pub(crate) fn unnameable_parameter(part: &Unnameable) -> Error {
    match part {
        Unnameable::Borrow(part) => {
            at(part, "a tool's parameter cannot be borrowed", "take it owned: `String` for `&str`, `Vec<T>` for `&[T]`")
        }
        Unnameable::Opaque(part) => at(
            part,
            "a tool's parameter needs a type that has a name",
            "write the type itself: its schema is the tool's contract",
        ),
        Unnameable::Inferred(part) => at(part, "a tool's parameter needs its type written out", "replace `_`"),
    }
}

/// A property needs one name.
pub(crate) fn pattern(pattern: &Pat) -> Error {
    at(pattern, "a tool's parameter needs a name, not a pattern", "name it, and take it apart in the body")
}

/// rustc resolves it only after the attribute has read the signature.
pub(crate) fn conditional_parameter(attribute: &Attribute) -> Error {
    at(
        attribute,
        "`cfg` on a tool's parameter is not supported",
        "write two functions, each under its own `#[cfg]`; a contract should not depend on the platform anyway",
    )
}

/// A repeated marker is a slip.
pub(crate) fn marker_twice(marker: &str, again: &Attribute) -> Error {
    at(again, format!("`#[{marker}]` is on this parameter twice"), "keep one of them")
}

/// They say where the value comes from, and nothing else can be said about that.
pub(crate) fn marker_with_keys(marker: &Attribute) -> Error {
    at(
        marker,
        "`#[inject]` and `#[input]` stand alone",
        "bounds of a property go into `#[arg(...)]`, those of an input into its type",
    )
}

/// A value comes from one side.
pub(crate) fn injected_input(input: &Attribute) -> Error {
    at(
        input,
        "a parameter cannot be both `#[inject]` and `#[input]`",
        "`#[inject]` comes from the server, `#[input]` from the caller",
    )
}

/// `#[arg]` describes a property.
pub(crate) fn arg_on_no_property(arg: &Attribute) -> Error {
    at(
        arg,
        "`#[arg]` is for a bare parameter",
        "what is injected has no schema, and an `#[input]` states its bounds in its type",
    )
}

/// It would say nothing.
pub(crate) fn arg_without_keys(arg: &Attribute) -> Error {
    at(arg, "`#[arg]` says nothing here", "write `#[arg(max_length = 100, example = \"…\")]`, or leave it out")
}

/// The arguments are one object, so one type can be all of it.
pub(crate) fn second_input(name: &Ident) -> Error {
    at(name, format!("`{name}` is a second `#[input]`"), "one type is the whole input; put both into one struct")
}

/// As a second input.
pub(crate) fn bare_beside_input(name: &Ident) -> Error {
    at(
        name,
        format!("`{name}` stands beside an `#[input]`, which is the whole input"),
        "move it into that type, or write `#[inject]` if the server supplies it",
    )
}

/// Only one of them could be sent.
pub(crate) fn same_wire_name(name: &Ident, wire: &str) -> Error {
    at(name, format!("`{name}` is `{wire}` on the wire, and so is another parameter"), "rename one of them")
}

/// `_` and `__` leave nothing to call the property by.
pub(crate) fn no_wire_name(name: &Ident) -> Error {
    at(name, format!("`{name}` leaves no name for the wire"), "give the parameter a name with a letter in it")
}

// Types

/// serde's derives, and so ours, know two kinds of type.
pub(crate) fn not_a_type(item: &TokenStream) -> Error {
    at(item, "`#[contract_type]` goes on a struct or an enum", "put it right above the type's definition")
}

/// The same derive twice is two implementations.
pub(crate) fn derived_already(path: &Path) -> Error {
    let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    at(path, format!("`#[contract_type]` derives `{name}` itself"), "take it out of the `derive`")
}

fn edit_distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, from) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, to) in other.bytes().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}
