//! The words of the attribute, as constants that do not compile when a word is wrong. The lists are in the core crate.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::LitStr;
use syn::spanned::Spanned;

use crate::model::Draft;
use crate::paths::respan;

// Input: `auth = "maintainer"`.
// Output: `const _: () = __contract::Auth::check("maintainer");`, every token at the literal.
pub(super) fn checks(draft: &Draft) -> TokenStream {
    let args = &draft.args;
    let category = args.category.as_ref().map(|word| match &args.categories {
        Some(list) => {
            // The path keeps its own place: a wrong one is reported there.
            let list = quote_spanned!(list.span()=> const __CONTRACT_CATEGORIES: __contract::Categories = #list;);
            let check = spanned(word, quote!(const _: () = __CONTRACT_CATEGORIES.check(#word);));
            quote!(#list #check)
        }
        None => spanned(word, quote!(const _: () = __contract::Categories::DEFAULT.check(#word);)),
    });
    let closed =
        [(&args.auth, quote!(Auth)), (&args.locality, quote!(Locality)), (&args.availability, quote!(Availability))];
    let closed = closed.iter().filter_map(|(word, vocabulary)| {
        let word = word.as_ref()?;
        Some(spanned(word, quote!(const _: () = __contract::#vocabulary::check(#word);)))
    });
    let name = draft.name();
    let name = spanned(&name, quote!(const _: () = __contract::check_tool_name(#name);));
    quote!(#category #(#closed)* #name)
}

fn spanned(word: &LitStr, tokens: TokenStream) -> TokenStream {
    respan(tokens, word.span())
}
