//! The macros of `contract-core`, which re-exports and documents them: entry points here, everything else on plain token
//! streams that a test can call.

mod expand;
mod args;
mod keys;
mod handler;
mod parameter;
mod doc_text;
mod model;
mod check;
mod emit;
mod contract_type;
mod case;
mod paths;
mod diagnostics;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a tool of a function; `contract-core` documents every key.
#[proc_macro_attribute]
pub fn loopover_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::loopover_tool(args.into(), item.into()).into()
}

/// Makes a type fit for a contract; `contract-core` documents every key.
#[proc_macro_attribute]
pub fn contract_type(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::contract_type(args.into(), item.into()).into()
}
