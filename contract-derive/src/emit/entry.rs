//! The constant record that the registry collects.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, UnOp};

use super::invoke::{default_name, read_argument};
use super::tables::table_name;
use crate::args::ArgKeys;
use crate::keys::plain;
use crate::model::{Hints, Input, Tool, Words};
use crate::parameter::{Parameter, Role};

// Input: a tool without a fault.
// Output: `static __CONTRACT_ENTRY: __contract::ToolEntry = …;` and its submission.
pub(super) fn entry(tool: &Tool) -> TokenStream {
    let Tool { draft, words, description, hints } = tool;
    let span = draft.span();
    let Words { category, auth, locality, availability } = words;
    let name = draft.name();
    let title = option(draft.args.title.as_ref());
    let deprecated = option(draft.args.deprecated.as_ref());
    let hints = self::hints(*hints);
    let input = input(tool);
    let needs = draft.parameters.iter().enumerate().filter(|(_, parameter)| matches!(parameter.role, Role::Injected));
    let needs = needs.map(|(index, _)| {
        let table = table_name(index, span);
        quote_spanned!(span=> #table.needs)
    });
    let examples = option(
        draft.args.examples.as_ref().map(|path| quote_spanned!(path.span()=> || __contract::examples_of(#path()))),
    );
    let invoke = if draft.handler.signature.asyncness.is_some() {
        quote_spanned!(span=> __contract::Invoke::Async(__contract_invoke))
    } else {
        quote_spanned!(span=> __contract::Invoke::Blocking(__contract_invoke))
    };
    // As written by the user, the macro call stands in the handler's line; as generated, it would stand in the attribute's.
    let line = quote_spanned!(draft.handler.name().span()=> ::core::line!());
    // The words were checked by constants of their own; here a wrong one must not be a second error.
    quote_spanned! {span=>
        static __CONTRACT_ENTRY: __contract::ToolEntry = __contract::ToolEntry::new(__contract::EntryParts {
            name: #name,
            title: #title,
            description: #description,
            category: #category,
            auth: __contract::Auth::or_first(#auth),
            locality: __contract::Locality::or_first(#locality),
            availability: __contract::Availability::or_first(#availability),
            hints: #hints,
            deprecated: #deprecated,
            source: __contract::Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
            },
            input: #input,
            output: __CONTRACT_OUTPUT.schema,
            needs: &[#(#needs),*],
            examples: #examples,
            invoke: #invoke,
        });
        __contract::inventory::submit! { __contract::Submitted(&__CONTRACT_ENTRY) }
    }
}

fn hints(hints: Hints) -> TokenStream {
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    let (idempotent, open_world) = (option(idempotent), option(open_world));
    quote! {
        __contract::Hints {
            read_only: #read_only,
            destructive: #destructive,
            idempotent: #idempotent,
            open_world: #open_world,
        }
    }
}

fn input(tool: &Tool) -> TokenStream {
    let (draft, span) = (&tool.draft, tool.draft.span());
    match draft.input() {
        Input::Whole(_) => {
            let whole = draft.parameters.iter().position(|parameter| matches!(parameter.role, Role::Whole));
            let table = whole.map(|index| table_name(index, span));
            let accepts = whole.map(|index| accepts(index, &draft.parameters[index], tool));
            quote_spanned!(span=> __contract::InputSource::Whole { schema: #table.schema, accepts: #accepts })
        }
        Input::Flat(_) => {
            let properties = draft.parameters.iter().enumerate();
            let properties = properties.filter_map(|(index, parameter)| property(index, parameter, tool));
            quote_spanned!(span=> __contract::InputSource::Flat(&[#(#properties),*]))
        }
    }
}

// Input: `#[arg(max_length = 100)] plan_id: String` with its doc comment.
// Output: `__contract::Property { name: "planId", … }`.
fn property(index: usize, parameter: &Parameter, tool: &Tool) -> Option<TokenStream> {
    let property = parameter.property()?;
    let (draft, span) = (&tool.draft, tool.draft.span());
    let (table, description) = (table_name(index, span), &property.docs);
    let name = LitStr::new(&parameter.wire_name(draft.case()), parameter.name.span());
    let accepts = accepts(index, parameter, tool);
    let keywords = keywords(&property.keys);
    let default = option(property.keys.default.as_ref().map(|_| {
        let (make, ty) = (default_name(index, draft), &parameter.ty);
        quote!(|| (__contract::DefaultOps::<#ty>::of().json)(#make))
    }));
    // A binding, since `&1 + 1` is not `&(1 + 1)`, and parentheses around a literal are a lint.
    let example = option(property.keys.example.as_ref().map(|example| {
        quote!(|| {
            let __contract_example = #example;
            __contract::to_json(&__contract_example)
        })
    }));
    Some(quote! {
        __contract::Property {
            name: #name,
            description: #description,
            schema: #table.schema,
            optional: #table.optional,
            accepts: #accepts,
            keywords: &[#(#keywords),*],
            default: #default,
            example: #example,
        }
    })
}

/// Reads the parameter at `index` as the handler would, and drops it.
fn accepts(index: usize, parameter: &Parameter, tool: &Tool) -> TokenStream {
    let arguments = quote!(__contract_arguments);
    let read = read_argument(index, parameter, &tool.draft, &arguments);
    quote!(|#arguments| ::core::result::Result::map(#read, ::core::mem::drop))
}

fn keywords(keys: &ArgKeys) -> Vec<TokenStream> {
    let ArgKeys { min_length, max_length, minimum, maximum, min_items, max_items, pattern, example: _, default: _ } =
        keys;
    let number = |bound: &Option<Expr>, integer, float| {
        let is_float = bound.as_ref().is_some_and(is_float);
        (bound.clone(), if is_float { float } else { integer })
    };
    let bounds = [
        (min_length.clone(), quote!(MinLength)),
        (max_length.clone(), quote!(MaxLength)),
        number(minimum, quote!(Minimum), quote!(MinimumFloat)),
        number(maximum, quote!(Maximum), quote!(MaximumFloat)),
        (min_items.clone(), quote!(MinItems)),
        (max_items.clone(), quote!(MaxItems)),
        (pattern.clone(), quote!(Pattern)),
    ];
    let stated = bounds.into_iter().filter_map(|(bound, keyword)| Some((bound?, keyword)));
    stated.map(|(bound, keyword)| quote!(__contract::Keyword::#keyword(#bound))).collect()
}

/// `0.5` or `-0.5`. Whatever else computes a bound is an integer.
fn is_float(bound: &Expr) -> bool {
    match plain(bound) {
        Expr::Lit(ExprLit { lit: Lit::Float(_), .. }) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_float(expr),
        _ => false,
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(::core::option::Option::None), |value| quote!(::core::option::Option::Some(#value)))
}
