//! Rules about the parameters together; what one of them alone can be wrong about is found where it is parsed.

use std::collections::BTreeSet;

use crate::diagnostics::{self, Errors};
use crate::model::Draft;
use crate::parameter::Role;

pub(crate) fn check(draft: &Draft, errors: &mut Errors) {
    one_input(draft, errors);
    described(draft, errors);
    told_apart(draft, errors);
}

fn one_input(draft: &Draft, errors: &mut Errors) {
    let has_input = draft.parameters.iter().any(|parameter| matches!(parameter.role, Role::Whole));
    let mut inputs = 0;
    for parameter in &draft.parameters {
        match parameter.role {
            Role::Whole => {
                inputs += 1;
                if inputs > 1 {
                    errors.push(diagnostics::second_input(&parameter.name));
                }
            }
            Role::Bare(_) if has_input => errors.push(diagnostics::bare_beside_input(&parameter.name)),
            Role::Bare(_) | Role::Injected => {}
        }
    }
}

fn described(draft: &Draft, errors: &mut Errors) {
    // Beside an `#[input]` it is in the wrong place already; one message is enough.
    if draft.parameters.iter().any(|parameter| matches!(parameter.role, Role::Whole)) {
        return;
    }
    for parameter in draft.parameters.iter().filter(|parameter| parameter.nameable && !parameter.is_described()) {
        errors.push(diagnostics::undocumented_parameter(&parameter.name));
    }
}

fn told_apart(draft: &Draft, errors: &mut Errors) {
    let mut taken = BTreeSet::new();
    for parameter in draft.parameters.iter().filter(|parameter| parameter.property().is_some()) {
        let wire = parameter.wire_name(draft.case());
        if wire.is_empty() {
            errors.push(diagnostics::no_wire_name(&parameter.name));
        } else if !taken.insert(wire.clone()) {
            errors.push(diagnostics::same_wire_name(&parameter.name, &wire));
        }
    }
}
