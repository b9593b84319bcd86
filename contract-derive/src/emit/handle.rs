//! The tool as a type that a compiler can follow.

use proc_macro2::TokenStream;
use quote::quote_spanned;

use crate::model::{Draft, Input};

// Input: `pub fn loopover_miner_get_plan`.
// Output: `pub enum LoopoverMinerGetPlan {}`. Hidden, since the function's page is the tool's page;
// naming it is up to typed clients, so nobody has to.
pub(super) fn definition(draft: &Draft) -> TokenStream {
    let (handle, visibility) = (draft.handle(), &draft.handler.visibility);
    let deprecation = draft.handler.deprecation();
    quote_spanned! {draft.span()=>
        #[doc(hidden)]
        #[allow(dead_code)]
        #deprecation
        #visibility enum #handle {}
    }
}

// Output: `impl __contract::ContractTool for LoopoverMinerGetPlan { … }`, whose `entry` answers `entry`.
pub(super) fn implementation(draft: &Draft, entry: &TokenStream) -> TokenStream {
    let (handle, name) = (draft.handle(), draft.name());
    let input = match draft.input() {
        Input::Whole(parameter) if parameter.nameable && draft.types_stand_alone() => {
            let ty = &parameter.ty;
            quote_spanned!(draft.span()=> #ty)
        }
        Input::Whole(_) => quote_spanned!(draft.span()=> ()),
        Input::Flat(_) => {
            let input = draft.input_name();
            quote_spanned!(draft.span()=> #input)
        }
    };
    let output = match draft.output() {
        Some(_) if draft.types_stand_alone() => quote_spanned!(draft.span()=> __ContractOutput),
        Some(_) | None => quote_spanned!(draft.span()=> ()),
    };
    quote_spanned! {draft.span()=>
        #[automatically_derived]
        impl __contract::ContractTool for #handle {
            type Input = #input;
            type Output = #output;
            const NAME: &'static ::core::primitive::str = #name;

            fn entry() -> &'static __contract::ToolEntry {
                #entry
            }
        }
    }
}
