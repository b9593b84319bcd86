//! The annotated function: its signature parsed, its body left as tokens, so that half-typed code still expands.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, FnArg, Ident, Meta, Signature, Token, Visibility};

use crate::diagnostics;

/// A function under `#[loopover_tool]`, as written. rustc has resolved every `#[cfg]` and `#[cfg_attr]` on it already, also
/// those below the attribute.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// The block with its braces, or whatever stands there instead.
    body: TokenStream,
}

impl Handler {
    pub(crate) fn parse(item: &TokenStream) -> syn::Result<Self> {
        let parse = |input: ParseStream<'_>| {
            let attributes = input.call(Attribute::parse_outer)?;
            let visibility = input.parse()?;
            if !starts_a_function(input) {
                // The rest is taken, so that syn does not complain about it as well.
                input.parse::<TokenStream>()?;
                return Err(diagnostics::not_a_function(item));
            }
            Ok(Self { attributes, visibility, signature: input.parse()?, body: input.parse()? })
        };
        parse.parse2(item.clone())
    }

    /// The function's name.
    pub(crate) fn name(&self) -> &Ident {
        &self.signature.ident
    }

    /// What stands where a body should, when none does: a method that a trait only declares has nothing to call.
    pub(crate) fn bodiless(&self) -> Option<&TokenStream> {
        let is_block =
            |token: TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        (!self.body.clone().into_iter().next().is_some_and(is_block)).then_some(&self.body)
    }

    /// The function's name without `r#`.
    pub(crate) fn plain_name(&self) -> String {
        self.name().unraw().to_string()
    }

    /// A `#[loopover_tool]` under this one.
    pub(crate) fn same_attribute_again(&self) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "loopover_tool"))
    }

    /// The function as it was, without what rustc does not take on a parameter.
    pub(crate) fn without_markers(&self) -> TokenStream {
        let Self { attributes, visibility, signature, body } = self;
        let mut signature = signature.clone();
        for input in &mut signature.inputs {
            let attributes = match input {
                FnArg::Receiver(receiver) => &mut receiver.attrs,
                FnArg::Typed(typed) => &mut typed.attrs,
            };
            attributes.retain(|attribute| !MARKERS.iter().any(|marker| attribute.path().is_ident(marker)));
        }
        // A handler owns its arguments whether it consumes them or not; clippy cannot know that somebody else decides so.
        let owned = signature.asyncness.is_none().then(|| quote!(#[allow(clippy::needless_pass_by_value)]));
        quote!(#(#attributes)* #owned #visibility #signature #body)
    }

    /// The user's `#[allow]`s: what they allow in the signature, they allow in what is generated from it. An `#[expect]`
    /// becomes an `#[allow]`, since it is met once only.
    pub(crate) fn leniencies(&self) -> TokenStream {
        let of = |attribute: &Attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
                let lints = &list.tokens;
                Some(quote!(#[allow(#lints)]))
            }
            _ => None,
        };
        self.attributes.iter().filter_map(of).collect()
    }

    /// `#[deprecated]`, for the handle: whoever names the tool should hear of it.
    pub(crate) fn deprecation(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.path().is_ident("deprecated"))
    }
}

/// What this crate gives a meaning on parameters, and doc comments, which become descriptions.
const MARKERS: [&str; 4] = ["inject", "input", "arg", "doc"];

/// Whether qualifiers and then `fn` come next.
fn starts_a_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let qualifiers = |input: ParseStream<'_>| -> syn::Result<()> {
        input.parse::<Option<Token![const]>>()?;
        input.parse::<Option<Token![async]>>()?;
        input.parse::<Option<Token![unsafe]>>()?;
        input.parse::<Option<syn::Abi>>()?;
        <Token![fn]>::parse(input).map(drop)
    };
    qualifiers(&ahead).is_ok()
}
