//! `#[contract_type]`: a user's own type gets the derives of a contract, the crate paths behind them, and camelCase names.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token, Visibility};

use crate::diagnostics::{self, Errors};
use crate::keys::Keys;
use crate::paths;

const DERIVES: [&str; 3] = ["Serialize", "Deserialize", "JsonSchema"];

// Input: `struct Plan { … }`.
// Output: `#[derive(…)] #[serde(crate = "…", rename_all = "camelCase")] #[schemars(crate = "…")]`, to stand above it.
pub(crate) fn attributes(args: TokenStream, item: &TokenStream, errors: &mut Errors) -> TokenStream {
    let mut keys = Keys::parse("contract_type", args, errors);
    let krate = keys.path("crate").unwrap_or_else(paths::default_crate);
    keys.finish();
    let Some((attributes, is_enum)) = head(item) else {
        errors.push(diagnostics::not_a_type(item));
        return TokenStream::new();
    };
    for path in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).flat_map(derived) {
        if path.segments.last().is_some_and(|last| DERIVES.iter().any(|derive| last.ident == derive)) {
            errors.push(diagnostics::derived_already(&path));
        }
    }
    if !errors.is_empty() {
        // With two implementations of one trait rustc would report each of them; with none, whoever needs them.
        return TokenStream::new();
    }
    let rename = (!renames(&attributes, "rename_all")).then(|| quote!(, rename_all = "camelCase"));
    let rename_fields =
        (is_enum && !renames(&attributes, "rename_all_fields")).then(|| quote!(, rename_all_fields = "camelCase"));
    let [serde, schemars] = paths::behind_derives(&krate);
    quote! {
        #[derive(
            #krate::serde::Serialize,
            #krate::serde::Deserialize,
            #krate::schemars::JsonSchema,
        )]
        #[serde(crate = #serde #rename #rename_fields)]
        #[schemars(crate = #schemars)]
    }
}

/// The attributes of a struct or an enum, and which of the two it is. The rest stays unread.
fn head(item: &TokenStream) -> Option<(Vec<Attribute>, bool)> {
    let parse = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let is_enum = input.peek(Token![enum]);
        if !is_enum {
            input.parse::<Token![struct]>()?;
        }
        input.parse::<TokenStream>()?;
        Ok((attributes, is_enum))
    };
    parse.parse2(item.clone()).ok()
}

fn derived(attribute: &Attribute) -> Punctuated<Path, Token![,]> {
    attribute.parse_args_with(Punctuated::parse_terminated).unwrap_or_default()
}

/// Whether the user chose the spelling.
fn renames(attributes: &[Attribute], key: &str) -> bool {
    let serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    serde
        .filter_map(|attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok())
        .flatten()
        .any(|meta| meta.path().is_ident(key))
}
