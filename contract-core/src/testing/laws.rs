//! The laws by name, and the list of what is asked of every tool.

use super::{Breach, calls, schemas};
use crate::registry::Tool;

crate::vocabulary! {
    /// A promise that is tested by calling the door, in the spelling of its heading in `docs/conventions.md`.
    pub enum Law: "law" {
        /// The schemas are valid draft 2020-12 and compile.
        SchemasCompile = "schemas-compile",
        /// Inputs are closed at every declared object.
        InputsClosed = "inputs-closed",
        /// Outputs are open at every level.
        OutputsOpen = "outputs-open",
        /// No reference, no boolean sub-schema, no list of types, no format outside the standard.
        PortableSchemas = "portable-schemas",
        /// There is a valid example, and the handler's types read it.
        ValidExample = "valid-example",
        /// A call with a required member left out is refused and says which, at any depth.
        RequiredRefused = "required-refused",
        /// A call with an unknown key is refused and names it, at any depth.
        UnknownRefused = "unknown-refused",
        /// A call with a value of a wrong type is refused where it stands, at any depth.
        WrongTypeRefused = "wrong-type-refused",
        /// A call out of a stated bound is refused where it stands, at any depth.
        OutOfBoundsRefused = "out-of-bounds-refused",
        /// Null of an optional member is the same as leaving it out, at any depth.
        NullMeansAbsent = "null-means-absent",
        /// What validates deserialises.
        WhatValidatesDeserialises = "what-validates-deserialises",
        /// What a strict OpenAI client sends is taken by the door.
        StrictRoundTrip = "strict-round-trip",
    }
}

impl Law {
    /// What is wrong with `tool` under this law.
    fn broken_by(self, tool: &Tool) -> Vec<String> {
        match self {
            Self::SchemasCompile => schemas::compile(tool),
            Self::InputsClosed => schemas::inputs_closed(tool),
            Self::OutputsOpen => schemas::outputs_open(tool),
            Self::PortableSchemas => schemas::portable(tool),
            Self::ValidExample => calls::valid_example(tool),
            Self::RequiredRefused => calls::required_refused(tool),
            Self::UnknownRefused => calls::unknown_refused(tool),
            Self::WrongTypeRefused => calls::wrong_type_refused(tool),
            Self::OutOfBoundsRefused => calls::out_of_bounds_refused(tool),
            Self::NullMeansAbsent => calls::null_means_absent(tool),
            Self::WhatValidatesDeserialises => calls::what_validates_deserialises(tool),
            Self::StrictRoundTrip => calls::strict_round_trip(tool),
        }
    }
}

/// Every breach of every law by `tool`.
pub(super) fn breaches(tool: &Tool) -> Vec<Breach> {
    let (name, source) = (tool.definition().name(), tool.definition().source());
    let breach = |law| move |message| Breach { law, tool: name, source, message };
    Law::ALL.iter().flat_map(|law| law.broken_by(tool).into_iter().map(breach(*law))).collect()
}
