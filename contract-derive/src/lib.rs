//! The macros of `contract-core`, which re-exports and documents them: entry points here, everything else on plain token
//! streams that a test can call.

mod args;
mod case;
mod check;
mod contract_type;
mod diagnostics;
mod doc_text;
mod emit;
mod expand;
mod handler;
mod keys;
mod model;
mod parameter;
mod paths;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a tool of a function; `contract-core` documents every key.
#[proc_macro_attribute]
pub fn loopover_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::loopover_tool(args.into(), &item.into()).into()
}

/// Makes a type fit for a contract; `contract-core` documents every key.
#[proc_macro_attribute]
pub fn contract_type(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::contract_type(args.into(), &item.into()).into()
}
