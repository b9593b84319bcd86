//! Doc comments to descriptions: what a person reads over the function is, word for word, what a model reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, MetaNameValue};

use crate::diagnostics::{self, Errors};
use crate::keys::plain;

/// The doc comments of one item.
#[derive(Clone, Debug)]
pub(crate) enum DocText {
    /// There are none.
    Missing,
    /// There are some, without a word in them.
    Blank,
    /// Text that is known now. Only its ends are trimmed: blank lines, indentation and line ends mean something in Markdown.
    Known(String),
    /// Text that rustc puts together: some of it is `#[doc = include_str!(...)]` or another macro.
    Assembled(Vec<Piece>),
}

/// One doc attribute's part of a text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Line(String),
    Macro(Expr),
}

impl DocText {
    /// The docs of the function.
    pub(crate) fn of_item(attributes: &[Attribute], errors: &mut Errors) -> Self {
        for attribute in attributes {
            if is_conditional_doc(attribute) {
                errors.push(diagnostics::conditional_doc(attribute));
            }
        }
        Self::of(attributes)
    }

    /// The docs among `attributes`.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let pieces: Vec<Piece> = attributes.iter().filter_map(piece).collect();
        if pieces.is_empty() {
            return Self::Missing;
        }
        let lines: Option<Vec<&str>> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Line(line) => Some(line.as_str()),
                Piece::Macro(_) => None,
            })
            .collect();
        match lines.map(|lines| lines.join("\n").trim().to_owned()) {
            None => Self::Assembled(pieces),
            Some(text) if text.is_empty() => Self::Blank,
            Some(text) => Self::Known(text),
        }
    }
}

/// Output: an expression of type `&'static str`.
impl ToTokens for DocText {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Missing | Self::Blank => quote!(""),
            Self::Known(text) => quote!(#text),
            Self::Assembled(pieces) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Line(line) => quote!(#line),
                    Piece::Macro(expression) => quote_spanned!(expression.span()=> #expression),
                });
                quote!(::core::primitive::str::trim_ascii(::core::concat!(#(#pieces, "\n"),*)))
            }
        });
    }
}

fn piece(attribute: &Attribute) -> Option<Piece> {
    // `#[doc(hidden)]` and its like are no text.
    let Meta::NameValue(MetaNameValue { path, value, .. }) = &attribute.meta else { return None };
    if !path.is_ident("doc") {
        return None;
    }
    Some(match plain(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Piece::Line(dedent(&text.value())),
        other => Piece::Macro(other.clone()),
    })
}

/// `#[cfg_attr(condition, doc = "...")]` below the attribute: rustc has not looked at it yet, so nobody can tell whether the
/// text is there.
fn is_conditional_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg_attr")
        && attribute.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated).is_ok_and(
            |metas| metas.iter().skip(1).any(|meta| matches!(meta, Meta::NameValue(pair) if pair.path.is_ident("doc"))),
        )
}

/// Takes off what the comment's form put there: one space after `///`, or the margin of a block comment.
fn dedent(comment: &str) -> String {
    if !comment.contains('\n') {
        return comment.strip_prefix(' ').unwrap_or(comment).to_owned();
    }
    let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
    let mut lines: Vec<&str> = rest.split('\n').collect();
    // The line of the closing `*/` has no words of its own.
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let starred = lines.iter().all(|line| line.trim_start().starts_with('*') || line.trim().is_empty());
    if starred {
        lines = lines.iter().map(|line| line.trim_start().strip_prefix('*').unwrap_or_default()).collect();
    }
    let margin = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let margin = lines.iter().filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or_default();
    let first = std::iter::once(first.strip_prefix(' ').unwrap_or(first));
    first.chain(lines.iter().map(|line| line.get(margin..).unwrap_or_default())).collect::<Vec<_>>().join("\n")
}
