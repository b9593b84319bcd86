//! What a function gets beside it, in the order in which it is printed: handle, input type, and one unnamed block with
//! everything that needs no name.

mod entry;
mod handle;
mod input_type;
mod invoke;
mod stubs;
mod tables;
mod words;

use proc_macro2::TokenStream;
use quote::quote_spanned;

pub(crate) use self::stubs::stubs;
use crate::model::{Draft, Tool};
use crate::paths;

// Input: a tool without a fault.
// Output: `enum Handle {}`, `struct HandleInput { … }` and `const _: () = { … }`.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let draft = &tool.draft;
    let handle = handle::definition(draft);
    let input_type = input_type::definition(draft);
    let words = words::checks(draft);
    let tables = tables::tables(draft);
    let invoke = invoke::invoke(draft);
    let entry = entry::entry(tool);
    let contract_tool = handle::implementation(draft, &quote_spanned!(draft.span()=> &__CONTRACT_ENTRY));
    let serialize = input_type::serialize(draft);
    let block = block(draft, &[words, tables, invoke, entry, contract_tool, serialize]);
    [handle, input_type, block].into_iter().collect()
}

// Output: `const _: () = { use ::contract_core::__private as __contract; … };`
fn block(draft: &Draft, parts: &[TokenStream]) -> TokenStream {
    let leniencies = draft.handler.leniencies();
    let door = paths::door(&draft.krate());
    // The handler and its handle may be deprecated, and this is where they are named. The checks of words stand, for rustc,
    // in the user's own text, where another path may be shorter.
    quote_spanned! {draft.span()=>
        #leniencies
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #door
            #(#parts)*
        };
    }
}
