//! The pipeline: parse, model, check, then emit all of a tool or only its stubs.

use proc_macro2::TokenStream;
use quote::quote;

use crate::args::ToolArgs;
use crate::diagnostics::{self, Errors};
use crate::doc_text::DocText;
use crate::handler::Handler;
use crate::model::Draft;
use crate::{check, emit, parameter};

/// `#[loopover_tool(args)] item`.
///
/// The item comes out first on every path; all that is wrong with it follows in one go.
pub(crate) fn loopover_tool(args: TokenStream, item: &TokenStream) -> TokenStream {
    let handler = match Handler::parse(item) {
        Ok(handler) => handler,
        Err(error) => return printed_untouched(item, &error),
    };
    // The inner attribute sees the whole function again, so it alone reports and emits.
    if let Some(again) = handler.same_attribute_again() {
        return printed_untouched(item, &diagnostics::attribute_twice(again));
    }
    let function = handler.without_markers();
    // Where a function may have no body, nothing else of ours may stand either.
    if let Some(instead) = handler.bodiless() {
        let error = diagnostics::no_body(handler.name(), instead).to_compile_error();
        return quote!(#function #error);
    }
    let mut errors = Errors::default();
    let args = ToolArgs::parse(args, &mut errors);
    let docs = DocText::of(&handler.attributes);
    let parameters = parameter::parse_all(&handler, &mut errors);
    let draft = Draft { args, docs, handler, parameters };
    check::metadata::check(&draft, &mut errors);
    check::signature::check(&draft, &mut errors);
    check::parameters::check(&draft, &mut errors);
    let companions = match draft.finish(&errors) {
        Ok(tool) => emit::tool(&tool),
        Err(draft) => emit::stubs(&draft),
    };
    quote!(#function #companions #errors)
}

/// `#[contract_type(args)] item`.
pub(crate) fn contract_type(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = crate::contract_type::attributes(args, item, &mut errors);
    quote!(#attributes #item #errors)
}

fn printed_untouched(item: &TokenStream, error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#item #error)
}
