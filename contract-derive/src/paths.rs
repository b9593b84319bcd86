//! The only place that spells how generated code reaches `contract-core`: one door, and the two crates behind a type's
//! derives.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, parse_quote};

/// Where `contract-core` is, unless `crate = ...` says otherwise.
pub(crate) fn default_crate() -> Path {
    parse_quote!(::contract_core)
}

/// Output: what lets the rest of a block write `__contract::Thing`.
pub(crate) fn door(krate: &Path) -> TokenStream {
    quote!(use #krate::__private as __contract;)
}

/// serde and schemars, as an attribute inside a string literal has to spell them.
pub(crate) fn behind_derives(krate: &Path) -> [String; 2] {
    // Tokens print with blanks between them, and a path has none.
    let krate: String = krate.to_token_stream().to_string().split_whitespace().collect();
    ["serde", "schemars"].map(|name| format!("{krate}::{name}"))
}

/// `tokens`, so that an error in any of them is reported at `span`.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), respan(group.stream(), span));
                inner.set_span(span);
                TokenTree::Group(inner)
            }
            mut other => {
                other.set_span(span);
                other
            }
        })
        .collect()
}
