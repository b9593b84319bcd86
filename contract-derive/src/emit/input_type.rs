//! Bare parameters as one type, for typed clients: plain fields, and `Serialize` for whoever has to send them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use crate::doc_text::DocText;
use crate::model::{Draft, Input};
use crate::parameter::Parameter;

// Input: `pub fn get_plan(/** Its identifier. */ plan_id: String)`.
// Output: `pub struct GetPlanInput { /** Its identifier. */ pub plan_id: String }`, without derives: a type that lacks a
// trait is reported once, by its table.
pub(super) fn definition(draft: &Draft) -> TokenStream {
    let Input::Flat(_) = draft.input() else { return TokenStream::new() };
    let (name, visibility) = (draft.input_name(), &draft.handler.visibility);
    let leniencies = draft.handler.leniencies();
    let docs = format!(" What `{}` takes.", draft.handler.plain_name());
    let fields = fields(draft);
    let fields = fields.iter().map(|parameter| {
        let (name, ty) = (&parameter.name, &parameter.ty);
        let docs = parameter.property().map(|property| &property.docs).map(field_docs);
        quote!(#docs #visibility #name: #ty)
    });
    quote_spanned! {draft.span()=>
        #leniencies
        #[allow(dead_code)]
        #[doc = #docs]
        #visibility struct #name {
            #(#fields,)*
        }
    }
}

// Output: `impl Serialize for GetPlanInput` under the condition that the fields are. `for<'any>` keeps rustc from judging
// the condition here: it matters only to who sends the input.
pub(super) fn serialize(draft: &Draft) -> TokenStream {
    let Input::Flat(_) = draft.input() else { return TokenStream::new() };
    let name = draft.input_name();
    let fields = fields(draft);
    let types = fields.iter().map(|parameter| &parameter.ty);
    let entries = fields.iter().map(|parameter| {
        let (field, wire) = (&parameter.name, parameter.wire_name(draft.case()));
        quote_spanned! {draft.span()=>
            __contract::serde::ser::SerializeMap::serialize_entry(&mut __contract_map, #wire, &self.#field)?;
        }
    });
    let count = fields.len();
    let mutable = (count > 0).then(|| quote_spanned!(draft.span()=> mut));
    quote_spanned! {draft.span()=>
        #[automatically_derived]
        impl __contract::serde::Serialize for #name
        where
            #(for<'any> #types: __contract::serde::Serialize,)*
        {
            fn serialize<S: __contract::serde::Serializer>(
                &self,
                __contract_serializer: S,
            ) -> ::core::result::Result<
                <S as __contract::serde::Serializer>::Ok,
                <S as __contract::serde::Serializer>::Error,
            > {
                let #mutable __contract_map = __contract::serde::Serializer::serialize_map(
                    __contract_serializer,
                    ::core::option::Option::Some(#count),
                )?;
                #(#entries)*
                __contract::serde::ser::SerializeMap::end(__contract_map)
            }
        }
    }
}

/// The parameters that can be fields: their types have names, and so have they, each its own.
fn fields(draft: &Draft) -> Vec<&Parameter> {
    let Input::Flat(parameters) = draft.input() else { return Vec::new() };
    if !draft.types_stand_alone() {
        return Vec::new();
    }
    let mut taken: Vec<&Ident> = Vec::new();
    let mut fields = parameters;
    fields.retain(|parameter| {
        let is_new = !taken.contains(&&parameter.name);
        taken.push(&parameter.name);
        parameter.nameable && is_new
    });
    fields
}

/// The words of the parameter, as attributes of the field.
fn field_docs(docs: &DocText) -> TokenStream {
    match docs {
        DocText::Known(text) => {
            let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
            quote!(#(#[doc = #lines])*)
        }
        DocText::Assembled(pieces) => quote!(#(#[doc = #pieces])*),
        // Reported; the field only has to be as documented as the lints of the user's crate want it.
        DocText::Missing | DocText::Blank => quote!(#[doc = ""]),
    }
}
