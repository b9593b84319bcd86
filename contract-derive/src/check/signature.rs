//! Rules about the function as a whole: it must be one that a static can point at.

use quote::ToTokens;
use syn::{ReturnType, Safety, Type};

use crate::diagnostics::{self, Errors};
use crate::model::Draft;
use crate::parameter::unnameable;

pub(crate) fn check(draft: &Draft, errors: &mut Errors) {
    free(draft, errors);
    callable_from_rust(draft, errors);
    concrete(draft, errors);
    answers(draft, errors);
}

fn free(draft: &Draft, errors: &mut Errors) {
    if let Some(receiver) = draft.handler.signature.receiver() {
        errors.push(diagnostics::method(&draft.handler.plain_name(), receiver));
    }
}

/// A `const fn` stays allowed: it is called like any other.
fn callable_from_rust(draft: &Draft, errors: &mut Errors) {
    let (tool, signature) = (draft.handler.plain_name(), &draft.handler.signature);
    if let Safety::Unsafe(token) = &signature.safety {
        errors.push(diagnostics::unsafe_function(&tool, *token));
    }
    if let Some(abi) = &signature.abi {
        errors.push(diagnostics::foreign_abi(&tool, abi));
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(diagnostics::variadic(&tool, variadic));
    }
}

fn concrete(draft: &Draft, errors: &mut Errors) {
    let (tool, generics) = (draft.handler.plain_name(), &draft.handler.signature.generics);
    if !generics.params.is_empty() {
        errors.push(diagnostics::generic(&tool, generics.params.to_token_stream()));
    }
    if let Some(clause) = &generics.where_clause {
        errors.push(diagnostics::conditional_signature(&tool, clause));
    }
}

fn answers(draft: &Draft, errors: &mut Errors) {
    let tool = draft.handler.plain_name();
    match &draft.handler.signature.output {
        ReturnType::Default => errors.push(diagnostics::returns_nothing(draft.handler.name())),
        ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => errors.push(diagnostics::never_returns(&tool, ty)),
        ReturnType::Type(_, ty) => {
            if let Some(part) = unnameable(ty) {
                errors.push(diagnostics::unnameable_output(&tool, &part));
            }
        }
    }
}
