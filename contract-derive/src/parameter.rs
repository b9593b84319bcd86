//! One parameter of a handler: `#[inject]`ed, the whole `#[input]`, or a bare one, which is one property.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, Ident, Lifetime, Meta, Pat, PatType, Type};

use crate::args::ArgKeys;
use crate::case::Case;
use crate::diagnostics::{self, Errors};
use crate::doc_text::DocText;
use crate::handler::Handler;

/// A parameter whose shape is understood; one that is not was reported and left out.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) role: Role,
    /// Whether the type can stand outside the signature; if not, that was reported.
    pub(crate) nameable: bool,
}

/// Where a parameter's value comes from.
#[derive(Debug)]
pub(crate) enum Role {
    /// The server supplies it.
    Injected,
    /// It is all that the caller sends.
    Whole,
    /// It is one member of what the caller sends.
    Bare(Box<Property>),
}

/// The contract of one bare parameter.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) docs: DocText,
    pub(crate) keys: ArgKeys,
}

impl Parameter {
    /// The contract of a bare parameter.
    pub(crate) fn property(&self) -> Option<&Property> {
        match &self.role {
            Role::Bare(property) => Some(property),
            Role::Injected | Role::Whole => None,
        }
    }

    /// Whether it says what it is; only a property has to.
    pub(crate) fn is_described(&self) -> bool {
        self.property().is_none_or(|property| !matches!(property.docs, DocText::Missing | DocText::Blank))
    }

    /// Whether the type can be asked for what its role needs. A bare parameter without words may have been meant as
    /// something else, so its type is not asked: one mistake, one message.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.nameable && self.is_described()
    }

    /// The name on the wire.
    pub(crate) fn wire_name(&self, case: Case) -> String {
        case.apply(&self.name.unraw().to_string())
    }
}

/// The parameters that can be understood, in their order.
pub(crate) fn parse_all(handler: &Handler, errors: &mut Errors) -> Vec<Parameter> {
    let typed = handler.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        // A receiver is a matter of the whole signature.
        FnArg::Receiver(_) => None,
    });
    typed.filter_map(|typed| parse(typed, errors)).collect()
}

fn parse(typed: &PatType, errors: &mut Errors) -> Option<Parameter> {
    for attribute in &typed.attrs {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            errors.push(diagnostics::conditional_parameter(attribute));
        }
    }
    let role = role(typed, errors);
    let part = match role {
        Some(Role::Injected) => unnameable(&typed.ty),
        Some(Role::Whole | Role::Bare(_)) | None => unnameable(&typed.ty).or_else(|| unreadable(&typed.ty)),
    };
    let nameable = match part {
        Some(part) => {
            errors.push(diagnostics::unnameable_parameter(&part));
            false
        }
        None => true,
    };
    match &*typed.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            Some(Parameter { name: pattern.ident.clone(), ty: (*typed.ty).clone(), role: role?, nameable })
        }
        pattern => {
            errors.push(diagnostics::pattern(pattern));
            None
        }
    }
}

/// The role, unless two were asked for at once.
fn role(typed: &PatType, errors: &mut Errors) -> Option<Role> {
    let named = |name: &str| typed.attrs.iter().filter(|attribute| attribute.path().is_ident(name)).collect::<Vec<_>>();
    let (inject, input, arg) = (named("inject"), named("input"), named("arg"));
    for (name, several) in [("inject", &inject), ("input", &input), ("arg", &arg)] {
        for again in several.iter().skip(1) {
            errors.push(diagnostics::marker_twice(name, again));
        }
    }
    for marker in inject.iter().chain(&input) {
        if !matches!(marker.meta, Meta::Path(_)) {
            errors.push(diagnostics::marker_with_keys(marker));
        }
    }
    match (inject.first(), input.first()) {
        (Some(_), Some(input)) => {
            errors.push(diagnostics::injected_input(input));
            None
        }
        (None, None) => {
            let keys = arg.first().map(|arg| arg_keys(arg, errors)).unwrap_or_default();
            Some(Role::Bare(Box::new(Property { docs: DocText::of(&typed.attrs), keys })))
        }
        (injected, _) => {
            for arg in arg {
                errors.push(diagnostics::arg_on_no_property(arg));
            }
            Some(if injected.is_some() { Role::Injected } else { Role::Whole })
        }
    }
}

fn arg_keys(arg: &Attribute, errors: &mut Errors) -> ArgKeys {
    match &arg.meta {
        Meta::List(list) => ArgKeys::parse(list.tokens.clone(), errors),
        Meta::Path(_) | Meta::NameValue(_) => {
            errors.push(diagnostics::arg_without_keys(arg));
            ArgKeys::default()
        }
    }
}

/// A part of a type that means nothing outside the signature it stands in.
pub(crate) enum Unnameable {
    /// `&T` or a lifetime other than `'static`.
    Borrow(TokenStream),
    /// `impl Trait`.
    Opaque(TokenStream),
    /// `_`.
    Inferred(TokenStream),
}

/// The first part of `ty` that keeps it from standing in a static.
pub(crate) fn unnameable(ty: &Type) -> Option<Unnameable> {
    struct Search(Option<Unnameable>);
    impl Search {
        fn found(&mut self, part: Unnameable) {
            self.0.get_or_insert(part);
        }
    }
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_reference(&mut self, node: &'ast syn::TypeReference) {
            if node.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
                visit::visit_type_reference(self, node);
            } else {
                self.found(Unnameable::Borrow(quote!(#node)));
            }
        }
        fn visit_lifetime(&mut self, node: &'ast Lifetime) {
            if node.ident != "static" {
                self.found(Unnameable::Borrow(quote!(#node)));
            }
        }
        fn visit_type_impl_trait(&mut self, node: &'ast syn::TypeImplTrait) {
            self.found(Unnameable::Opaque(quote!(#node)));
        }
        fn visit_type_infer(&mut self, node: &'ast syn::TypeInfer) {
            self.found(Unnameable::Inferred(quote!(#node)));
        }
        // The lifetimes of `fn(&T)` and `dyn Fn(&T)` are their own.
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
        fn visit_parenthesized_generic_arguments(&mut self, _: &'ast syn::ParenthesizedGenericArguments) {}
        fn visit_bound_lifetimes(&mut self, _: &'ast syn::BoundLifetimes) {}
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut search = Search(None);
    search.visit_type(ty);
    search.0
}

/// The first part of `ty` that can be held, but not read from a call: `&'static T`.
fn unreadable(ty: &Type) -> Option<Unnameable> {
    struct Search(Option<Unnameable>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_reference(&mut self, node: &'ast syn::TypeReference) {
            self.0.get_or_insert(Unnameable::Borrow(quote!(#node)));
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut search = Search(None);
    search.visit_type(ty);
    search.0
}

/// The spans of a type's first and last token.
pub(crate) fn ends(ty: &Type) -> (Span, Span) {
    let mut spans = quote!(#ty).into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(|| ty.span());
    (first, spans.last().unwrap_or(first))
}
