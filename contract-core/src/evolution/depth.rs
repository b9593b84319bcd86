//! Where a proof is: induction over a value holds only where a step into the value lies between.

/// How deep in the schema, and how many steps into the value.
#[derive(Clone, Copy, Default)]
pub(super) struct Depth {
    pub(super) schema: usize,
    pub(super) value: usize,
}

impl Depth {
    /// Whether nothing can be proved here that could not be proved there.
    pub(super) fn is_no_better(self, there: Self) -> bool {
        self.schema >= there.schema && self.value <= there.value
    }

    pub(super) fn in_place(self) -> Self {
        Self { schema: self.schema + 1, ..self }
    }

    pub(super) fn inside(self) -> Self {
        Self { schema: self.schema + 1, value: self.value + 1 }
    }
}
