//! What stays of a tool that has a fault: names that other code uses, and the questions whose answers are rustc's to give.
//! Nothing is submitted.

use proc_macro2::TokenStream;
use quote::quote_spanned;

use super::{block, handle, input_type, tables, words};
use crate::model::Draft;

// Input: a draft that something was reported about.
// Output: as for a tool, but without invoke function and entry.
pub(crate) fn stubs(draft: &Draft) -> TokenStream {
    // Inside an `impl` no other item may stand, so a method keeps only its errors.
    if draft.handler.signature.receiver().is_some() {
        return TokenStream::new();
    }
    let definition = handle::definition(draft);
    let input_type = input_type::definition(draft);
    let words = words::checks(draft);
    let tables = tables::tables(draft);
    let entry = quote_spanned!(draft.span()=> ::core::unreachable!());
    let implementation = handle::implementation(draft, &entry);
    let serialize = input_type::serialize(draft);
    let block = block(draft, &[words, tables, implementation, serialize]);
    [definition, input_type, block].into_iter().collect()
}
