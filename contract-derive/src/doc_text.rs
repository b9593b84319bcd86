//! Doc comments to descriptions: what a person reads over the function is, word for word, what a model reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta, MetaNameValue};

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
                quote!(::core::primitive::str::trim_ascii(::core::concat!(#(#pieces, "\n"),*)))
            }
        });
    }
}

/// Output: what stood behind `doc =`.
impl ToTokens for Piece {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Line(line) => line.to_tokens(tokens),
            Self::Macro(expression) => expression.to_tokens(tokens),
        }
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
    let has_words = |line: &&str| !line.trim().is_empty();
    let starred = lines.iter().copied().filter(has_words).all(|line| line.trim_start().starts_with('*'));
    if starred {
        lines = lines.iter().map(|line| line.trim_start().strip_prefix('*').unwrap_or_default()).collect();
    }
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = lines.iter().copied().filter(has_words).map(indentation).min().unwrap_or_default();
    // After a star one space is form and the rest is meant; without stars the lines stand under each other.
    let margin = if starred { least.min(1) } else { least };
    let first = std::iter::once(first.strip_prefix(' ').unwrap_or(first));
    first.chain(lines.iter().map(|line| line.get(margin..).unwrap_or_default())).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::DocText;

    #[track_caller]
    fn check(attributes: &[Attribute], expected: &str) {
        match DocText::of(attributes) {
            DocText::Known(text) => assert_eq!(text, expected),
            other => panic!("{other:?} is not known"),
        }
    }

    #[test]
    fn lines_lose_one_space_and_nothing_else() {
        let lines = [" One.", "", " - two,", "   still two", "", "     code"];
        let attributes: Vec<Attribute> = lines.iter().map(|line| parse_quote!(#[doc = #line])).collect();
        check(&attributes, "One.\n\n- two,\n  still two\n\n    code");
    }

    #[test]
    fn a_block_comment_loses_its_margin() {
        check(&[parse_quote!(#[doc = " One.\n *\n *  - two\n "])], "One.\n\n - two");
        check(&[parse_quote!(#[doc = "\n    One.\n\n      two\n    "])], "One.\n\n  two");
        check(&[parse_quote!(#[doc = "\n * item\n * item\n"])], "item\nitem");
    }

    #[test]
    fn what_is_not_text_is_not_read() {
        assert!(matches!(DocText::of(&[parse_quote!(#[doc(hidden)]), parse_quote!(#[inline])]), DocText::Missing));
        assert!(matches!(DocText::of(&[parse_quote!(#[doc = " \n "])]), DocText::Blank));
        assert!(matches!(DocText::of(&[parse_quote!(#[doc = include_str!("x.md")])]), DocText::Assembled(_)));
    }
}
