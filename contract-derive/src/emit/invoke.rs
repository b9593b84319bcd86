//! The function behind the entry's pointer: values out of the call, into the handler, and its answer back.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

use super::tables::table_name;
use crate::keys::plain;
use crate::model::Draft;
use crate::parameter::{Parameter, Role};

/// The function that makes the default of the parameter at `index`.
pub(super) fn default_name(index: usize, draft: &Draft) -> Ident {
    format_ident!("__contract_default_{index}", span = draft.span())
}

// Input: a handler.
// Output: `fn __contract_invoke(call: __contract::Call) -> …`. All of it is at the handler's name, so that a future that is
// not `Send` is reported there, and not at the attribute.
pub(super) fn invoke(draft: &Draft) -> TokenStream {
    let defaults =
        draft.parameters.iter().enumerate().filter_map(|(index, parameter)| default(index, parameter, draft));
    let handler = draft.handler.name();
    let arguments = (0..draft.parameters.len()).map(|index| value_name(index, draft));
    let reads = reads(draft);
    let takes_arguments = draft.parameters.iter().any(|parameter| !matches!(parameter.role, Role::Injected));
    let mutable = takes_arguments.then(|| quote_spanned!(draft.span()=> mut));
    let awaited = draft.handler.signature.asyncness.map(|_| quote_spanned!(draft.span()=> .await));
    let body = quote_spanned! {draft.span()=>
        #reads
        match __contract::Returns::<__CONTRACT_IS_RESULT>::split(#handler(#(#arguments),*)#awaited) {
            ::core::result::Result::Ok(__contract_output) => (__CONTRACT_OUTPUT.write)(__contract_output),
            ::core::result::Result::Err(__contract_error) => {
                ::core::result::Result::Err((__CONTRACT_ERROR.into)(__contract_error))
            }
        }
    };
    let answer = quote_spanned! {draft.span()=>
        ::core::result::Result<__contract::Value, __contract::ToolError>
    };
    let function = if draft.handler.signature.asyncness.is_some() {
        quote_spanned! {draft.span()=>
            fn __contract_invoke(#mutable __contract_call: __contract::Call) -> __contract::BoxFuture<#answer> {
                ::std::boxed::Box::pin(async move { #body })
            }
        }
    } else {
        quote_spanned! {draft.span()=>
            fn __contract_invoke(#mutable __contract_call: __contract::Call) -> #answer { #body }
        }
    };
    quote!(#(#defaults)* #function)
}

fn value_name(index: usize, draft: &Draft) -> Ident {
    format_ident!("__contract_{index}", span = draft.span())
}

/// What is injected comes first: it may look at the arguments, which reading takes out of the call.
fn reads(draft: &Draft) -> TokenStream {
    let (injected, arguments): (Vec<_>, Vec<_>) =
        draft.parameters.iter().enumerate().partition(|(_, parameter)| matches!(parameter.role, Role::Injected));
    injected.into_iter().chain(arguments).map(|(index, parameter)| read(index, parameter, draft)).collect()
}

fn read(index: usize, parameter: &Parameter, draft: &Draft) -> TokenStream {
    let (value, table) = (value_name(index, draft), table_name(index, draft.span()));
    let read = match &parameter.role {
        Role::Injected => quote_spanned!(draft.span()=> (#table.read)(&__contract_call)),
        Role::Whole | Role::Bare(_) => {
            let arguments = quote_spanned!(draft.span()=> __contract_call.arguments_mut());
            read_argument(index, parameter, draft, &arguments)
        }
    };
    quote_spanned!(draft.span()=> let #value = #read?;)
}

/// Reads what the caller sent for the parameter at `index` out of `arguments`.
pub(super) fn read_argument(
    index: usize,
    parameter: &Parameter,
    draft: &Draft,
    arguments: &TokenStream,
) -> TokenStream {
    let table = table_name(index, draft.span());
    let Some(property) = parameter.property() else {
        return quote_spanned!(draft.span()=> (#table.read)(#arguments));
    };
    let wire = parameter.wire_name(draft.case());
    let default = if property.keys.default.is_some() {
        let default = default_name(index, draft);
        quote_spanned!(draft.span()=> ::core::option::Option::Some(#default))
    } else {
        quote_spanned!(draft.span()=> ::core::option::Option::None)
    };
    quote_spanned!(draft.span()=> (#table.read)(#arguments, #wire, #default))
}

// Input: `#[arg(default = "open")] status: String`.
// Output: `fn __contract_default_0() -> String { ::core::convert::Into::into("open") }`.
fn default(index: usize, parameter: &Parameter, draft: &Draft) -> Option<TokenStream> {
    let default = parameter.property()?.keys.default.as_ref()?;
    let (name, ty) = (default_name(index, draft), &parameter.ty);
    let value = if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = plain(default) {
        quote_spanned!(text.span()=> ::core::convert::Into::into(#text))
    } else {
        quote!(#default)
    };
    Some(quote_spanned!(default.span()=> fn #name() -> #ty { #value }))
}
