//! The keys inside an attribute's parentheses: read one by one by whoever knows them, and what nobody read is unknown.
//!
//! Reading a key is also what makes it known, so there is no second list that could disagree.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path, Token};

use crate::diagnostics::{self, Errors};

/// The keys of one attribute that are still to be read.
pub(crate) struct Keys<'errors> {
    attribute: &'static str,
    left: Vec<Meta>,
    known: Vec<&'static str>,
    broken: bool,
    errors: &'errors mut Errors,
}

/// `key`, `key = true` or `key = false`.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub(crate) value: bool,
    /// The key as it was written, for messages about it.
    pub(crate) key: Path,
}

impl<'errors> Keys<'errors> {
    /// The keys of `#[attribute(tokens)]`; after a syntax error, those before it.
    pub(crate) fn parse(attribute: &'static str, tokens: TokenStream, errors: &'errors mut Errors) -> Self {
        let mut left = Vec::new();
        let metas = |input: ParseStream<'_>| -> syn::Result<()> {
            while !input.is_empty() {
                left.push(input.parse()?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        let parsed = metas.parse2(tokens);
        let broken = parsed.is_err();
        if let Err(error) = parsed {
            errors.push(error);
        }
        Self { attribute, left, known: Vec::new(), broken, errors }
    }

    /// Whether the syntax is so wrong that a key that seems to be missing may be there.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether `key` is written, in whatever form.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.left.iter().any(|meta| meta.path().is_ident(key))
    }

    /// `key = "…"`.
    pub(crate) fn string(&mut self, key: &'static str) -> Option<LitStr> {
        let meta = self.take(key)?;
        match value(&meta).map(plain) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.clone()),
            _ => self.refuse(key, &meta, "a string literal", "\"…\""),
        }
    }

    /// `key`, `key = true` or `key = false`.
    pub(crate) fn truth(&mut self, key: &'static str) -> Option<Truth> {
        let meta = self.take(key)?;
        let written = match (&meta, value(&meta).map(plain)) {
            (Meta::Path(_), _) => Some(true),
            (_, Some(Expr::Lit(ExprLit { lit: Lit::Bool(literal), .. }))) => Some(literal.value),
            _ => None,
        };
        match written {
            Some(value) => Some(Truth { value, key: meta.path().clone() }),
            None => self.refuse(key, &meta, "`true`, `false` or nothing", "true"),
        }
    }

    /// `key = some::path`.
    pub(crate) fn path(&mut self, key: &'static str) -> Option<Path> {
        let meta = self.take(key)?;
        match value(&meta).map(plain) {
            Some(Expr::Path(path)) if path.qself.is_none() && path.attrs.is_empty() => Some(path.path.clone()),
            _ => self.refuse(key, &meta, "a path without quotes", "some::path"),
        }
    }

    /// `key = any + expression()`.
    pub(crate) fn expression(&mut self, key: &'static str) -> Option<Expr> {
        let meta = self.take(key)?;
        match value(&meta) {
            Some(expression) => Some(expression.clone()),
            None => self.refuse(key, &meta, "a value", "…"),
        }
    }

    /// Reports every key that was not asked for; answers those that were probably meant.
    pub(crate) fn finish(self) -> Vec<&'static str> {
        let mut meant = Vec::new();
        for meta in &self.left {
            let nearest = diagnostics::nearest_key(meta.path(), &self.known);
            self.errors.push(diagnostics::unknown_key(self.attribute, meta.path(), nearest, &self.known));
            meant.extend(nearest);
        }
        meant
    }

    /// The first of this name; any other is a mistake, and which of them was meant cannot be known.
    fn take(&mut self, key: &'static str) -> Option<Meta> {
        self.known.push(key);
        let at = self.left.iter().position(|meta| meta.path().is_ident(key))?;
        let first = self.left.remove(at);
        for again in self.left.extract_if(.., |meta| meta.path().is_ident(key)) {
            self.errors.push(diagnostics::key_twice(key, again.path()));
        }
        Some(first)
    }

    fn refuse<T>(&mut self, key: &'static str, meta: &Meta, wanted: &str, example: &str) -> Option<T> {
        let at = value(meta).map_or_else(|| meta.to_token_stream(), ToTokens::to_token_stream);
        self.errors.push(diagnostics::wrong_value(key, at, wanted, example));
        None
    }
}

fn value(meta: &Meta) -> Option<&Expr> {
    match meta {
        Meta::NameValue(pair) => Some(&pair.value),
        Meta::Path(_) | Meta::List(_) => None,
    }
}

/// The expression itself, without the invisible parentheses that `macro_rules!` puts around what it was given.
pub(crate) fn plain(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => plain(&group.expr),
        other => other,
    }
}
