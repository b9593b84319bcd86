//! The conventions that a registry holds its tools to; `docs/conventions.md` has a heading for each.

crate::vocabulary! {
    /// A rule about contracts, in the spelling of its heading in `docs/conventions.md`.
    pub enum Convention: "convention" {
        /// A name that every client takes.
        ToolName = "tool-name",
        /// One name, one tool.
        UniqueNames = "unique-names",
        /// Words enough for a model, few enough for a provider.
        Description = "description",
        /// Hints that do not contradict each other.
        Hints = "hints",
        /// The input is one plain object.
        InputObject = "input-object",
        /// The output is one plain object.
        OutputObject = "output-object",
        /// The output says at least one thing.
        OutputProperty = "output-property",
        /// Property names that every provider takes.
        PropertyName = "property-name",
        /// Every property says what it is.
        PropertyDescription = "property-description",
        /// Input types of which "what validates deserialises" is true.
        InputTypes = "input-types",
        /// No type contains itself.
        NoRecursion = "no-recursion",
        /// Bounds, patterns and defaults that can be met.
        SoundBounds = "sound-bounds",
        /// Every sub-schema is an object.
        SchemaShape = "schema-shape",
    }
}
