//! A tool as written ([`Draft`]) and a tool without a fault ([`Tool`]): only the second can become an entry.

use proc_macro2::Span;
use quote::format_ident;
use syn::{Ident, LitStr, Path, ReturnType, Type};

use crate::args::ToolArgs;
use crate::case::{Case, pascal};
use crate::diagnostics::Errors;
use crate::doc_text::DocText;
use crate::handler::Handler;
use crate::parameter::{Parameter, Role, unnameable};
use crate::paths;

/// What could be understood of an annotated function.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) args: ToolArgs,
    pub(crate) docs: DocText,
    pub(crate) handler: Handler,
    pub(crate) parameters: Vec<Parameter>,
}

/// A function that is a tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) draft: Draft,
    pub(crate) words: Words,
    pub(crate) description: DocText,
    pub(crate) hints: Hints,
}

/// The four words that every tool states.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) category: LitStr,
    pub(crate) auth: LitStr,
    pub(crate) locality: LitStr,
    pub(crate) availability: LitStr,
}

/// What a client may assume, with the defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints {
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

/// What a call's arguments are made of.
pub(crate) enum Input<'draft> {
    /// One type is the whole object.
    Whole(&'draft Parameter),
    /// Each of these is one property; there may be none.
    Flat(Vec<&'draft Parameter>),
}

impl Draft {
    /// The tool, if nothing was reported about it.
    pub(crate) fn finish(self, errors: &Errors) -> Result<Tool, Box<Self>> {
        match self.validated() {
            Some((words, description)) if errors.is_empty() => {
                let hints = self.args.hints();
                Ok(Tool { words, description, hints, draft: self })
            }
            _ => Err(Box::new(self)),
        }
    }

    fn validated(&self) -> Option<(Words, DocText)> {
        let args = &self.args;
        let words = Words {
            category: args.category.clone()?,
            auth: args.auth.clone()?,
            locality: args.locality.clone()?,
            availability: args.availability.clone()?,
        };
        let description = match &args.description {
            Some(description) => DocText::Known(description.value()),
            None => self.docs.clone(),
        };
        Some((words, description))
    }

    /// The type that the function returns, when it can be asked.
    pub(crate) fn output(&self) -> Option<&Type> {
        match &self.handler.signature.output {
            ReturnType::Type(_, ty) if !matches!(**ty, Type::Never(_)) && unnameable(ty).is_none() => Some(ty),
            ReturnType::Type(..) | ReturnType::Default => None,
        }
    }

    /// Where the arguments come from; an `#[input]` beside bare parameters was reported and wins.
    pub(crate) fn input(&self) -> Input<'_> {
        match self.parameters.iter().find(|parameter| matches!(parameter.role, Role::Whole)) {
            Some(whole) => Input::Whole(whole),
            None => Input::Flat(self.parameters.iter().filter(|parameter| parameter.property().is_some()).collect()),
        }
    }

    /// The types of a generic function, or of a method, mean nothing outside it.
    pub(crate) fn types_stand_alone(&self) -> bool {
        let generics = &self.handler.signature.generics;
        generics.params.is_empty() && generics.where_clause.is_none() && self.handler.signature.receiver().is_none()
    }

    /// The tool's name, at the place where it is written.
    pub(crate) fn name(&self) -> LitStr {
        match &self.args.name {
            Some(name) => name.clone(),
            None => LitStr::new(&self.handler.plain_name(), self.handler.name().span()),
        }
    }

    /// The handle's name: the function's in `PascalCase`, or as it is where that is no name (`_2fa`, `self_`).
    pub(crate) fn handle(&self) -> Ident {
        let plain = self.handler.plain_name();
        let name =
            Some(pascal(&plain)).filter(|handle| is_type_name(handle)).unwrap_or_else(|| format!("Tool_{plain}"));
        Ident::new(&name, self.span())
    }

    /// The name of the type that bare parameters become.
    pub(crate) fn input_name(&self) -> Ident {
        format_ident!("{}Input", self.handle())
    }

    /// What generated items point at: the function's name. They are still known as generated, so that lints about style
    /// leave them alone.
    pub(crate) fn span(&self) -> Span {
        Span::call_site().located_at(self.handler.name().span())
    }

    /// How the parameters' names are spelled on the wire.
    pub(crate) fn case(&self) -> Case {
        self.args.rename_all
    }

    /// The crate that all generated paths begin with.
    pub(crate) fn krate(&self) -> Path {
        self.args.krate.clone().unwrap_or_else(paths::default_crate)
    }
}

impl ToolArgs {
    /// Reading is the default, until something is said about writing.
    pub(crate) fn hints(&self) -> Hints {
        let read_only = self.read_only.as_ref().map_or(self.destructive.is_none(), |truth| truth.value);
        Hints {
            read_only,
            destructive: self.destructive.as_ref().is_some_and(|truth| truth.value),
            idempotent: self.idempotent.as_ref().map(|truth| truth.value),
            open_world: self.open_world.as_ref().map(|truth| truth.value),
        }
    }
}

/// Whether a type may be called `name`.
fn is_type_name(name: &str) -> bool {
    syn::parse_str::<Ident>(name).is_ok()
}
