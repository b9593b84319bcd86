//! What is asked of the written types: each once, so that one wrong type is one error, under that type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;

use crate::model::Draft;
use crate::parameter::{Parameter, Role, ends};

/// The table of the parameter at `index`.
pub(super) fn table_name(index: usize, span: Span) -> Ident {
    format_ident!("__CONTRACT_{index}", span = span)
}

// Input: `plan_id: String`, `-> Result<Plan, ToolError>`.
// Output: `const __CONTRACT_0: __contract::ArgOps<String> = …;`, the types `__ContractOutput` and `__ContractError` and a
// table for each.
pub(super) fn tables(draft: &Draft) -> TokenStream {
    if !draft.types_stand_alone() {
        return TokenStream::new();
    }
    let parameters = draft.parameters.iter().enumerate().filter(|(_, parameter)| parameter.can_be_asked());
    let parameters = parameters.map(|(index, parameter)| of_parameter(&table_name(index, draft.span()), parameter));
    let output = draft.output().map(of_output);
    quote!(#(#parameters)* #output)
}

fn of_parameter(name: &Ident, parameter: &Parameter) -> TokenStream {
    let ops = match parameter.role {
        Role::Injected => "InjectOps",
        Role::Whole => "InputOps",
        Role::Bare(_) => "ArgOps",
    };
    table(name, ops, &parameter.ty, &parameter.ty)
}

fn of_output(written: &Type) -> TokenStream {
    let (first, _) = ends(written);
    let output =
        table(&Ident::new("__CONTRACT_OUTPUT", first), "OutputOps", written, &asked("__ContractOutput", first));
    let error = table(&Ident::new("__CONTRACT_ERROR", first), "ErrorOps", written, &asked("__ContractError", first));
    // Whether it is a `Result` is asked of the type: an alias spells nothing.
    quote_spanned! {first=>
        const __CONTRACT_IS_RESULT: bool = {
            #[allow(unused_imports)]
            use __contract::NotResult as _;
            __contract::Probe::<#written>::IS_RESULT
        };
        type __ContractOutput = <#written as __contract::Returns<__CONTRACT_IS_RESULT>>::Output;
        type __ContractError = <#written as __contract::Returns<__CONTRACT_IS_RESULT>>::Error;
        #output
        #error
    }
}

fn asked(alias: &str, span: Span) -> Type {
    let alias = Ident::new(alias, span);
    syn::parse_quote!(#alias)
}

/// `const NAME: Ops<T> = Ops::<T>::of();`, with the call's tokens spread from the first to the last of `written`, so that
/// rustc underlines all of it.
fn table(name: &Ident, ops: &str, written: &Type, asked: &Type) -> TokenStream {
    let (first, last) = ends(written);
    let ops = Ident::new(ops, first);
    let head = quote_spanned!(first=> const #name: __contract::#ops<#asked> = __contract::#ops::<#asked>);
    let tail = quote_spanned!(last=> ::of(););
    quote!(#head #tail)
}
