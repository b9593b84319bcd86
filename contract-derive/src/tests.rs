//! The macros on plain token streams: whole expansions as files that a reviewer reads, and every message.
//!
//! `UPDATE_EXPECT=1 cargo test -p contract-derive` renews the files. Those of them that are Rust are also compiled and
//! called, by `tests/it/expansion.rs`.

mod messages;

use std::path::Path;

use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Item};

use crate::expand;

#[test]
fn expansions() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut inputs = 0;
    for entry in std::fs::read_dir(&directory).expect("the goldens are in the package") {
        let path = entry.expect("the directory can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".expanded.rs") || name.ends_with(".expanded.txt") {
            continue;
        }
        inputs += 1;
        let input = std::fs::read_to_string(&path).expect("a golden can be read");
        if name == "faulty.rs" {
            // Half-typed code is no Rust, so it is compared as tokens.
            expect_file![path.with_extension("expanded.txt")].assert_eq(&expand_half_typed(&input));
        } else {
            expect_file![path.with_extension("expanded.rs")].assert_eq(&expand_file(&input));
        }
    }
    assert!(inputs > 4, "the goldens were not found in {}", directory.display());
}

/// The file, with each of our attributes replaced by what it prints.
fn expand_file(input: &str) -> String {
    let mut file = syn::parse_file(input).expect("a golden is Rust");
    file.items = file.items.into_iter().flat_map(expand_item).collect();
    prettyplease::unparse(&file)
}

fn expand_item(mut item: Item) -> Vec<Item> {
    let attributes = match &mut item {
        Item::Fn(function) => &mut function.attrs,
        Item::Struct(definition) => &mut definition.attrs,
        _ => return vec![item],
    };
    let ours = |attribute: &Attribute| {
        attribute.path().is_ident("loopover_tool") || attribute.path().is_ident("contract_type")
    };
    let Some(at) = attributes.iter().position(ours) else { return vec![item] };
    let attribute = attributes.remove(at);
    let args = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let expanded = if attribute.path().is_ident("loopover_tool") {
        expand::loopover_tool(args, &item.into_token_stream())
    } else {
        expand::contract_type(args, &item.into_token_stream())
    };
    let parsed: syn::File = syn::parse2(expanded).expect("an expansion is Rust");
    parsed.items
}

/// As much of the expansion as can be printed prettily: the function's body is not Rust.
fn expand_half_typed(input: &str) -> String {
    let (_, input) = input.split_once("#[loopover_tool(").expect("the file has one tool");
    let (args, function) = input.split_once(")]").expect("the attribute ends");
    let args = args.parse().expect("the arguments are tokens");
    let docs = quote!(#[doc = " Fetch one plan by its identifier."]);
    let function: TokenStream = function.parse().expect("the function is tokens");
    let expanded = expand::loopover_tool(args, &quote!(#docs #function)).to_string();
    let body = "{ half_typed . }";
    assert!(expanded.contains(body), "the body is printed as it was: {expanded}");
    let whole = syn::parse_file(&expanded.replace(body, "{ half_typed }")).expect("all but the body is Rust");
    prettyplease::unparse(&whole)
}
