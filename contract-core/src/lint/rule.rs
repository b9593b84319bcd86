//! The limits by name, and how bad it is to break one.

use std::fmt;

/// What happens when a limit is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A provider's strict form cannot say it.
    Note,
    /// Some client drops it, or a model cannot use it.
    Warning,
    /// A provider refuses the request, often with every other tool in it.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! rules {
    ($($(#[doc = $doc:expr])* $name:ident = $word:literal, $severity:ident;)*) => {
        /// A limit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule { $($(#[doc = $doc])* $name,)* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word for it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// How bad it is to break it.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

rules! {
    /// More tools than one request takes.
    ToolCount = "tool_count", Error;
    /// More tools than an older client takes.
    ToolCountCursor = "tool_count_cursor", Warning;
    /// A name that another tool of the list has.
    DuplicateName = "duplicate_name", Error;
    /// A name with characters that a provider refuses.
    ToolName = "tool_name", Error;
    /// A name that is too long, with its prefix.
    ToolNameLength = "tool_name_length", Error;
    /// No description.
    Description = "description", Warning;
    /// A description that is too long.
    DescriptionLength = "description_length", Error;
    /// An input whose root is not a plain object.
    InputRoot = "input_root", Error;
    /// An output whose root is not an object.
    OutputRoot = "output_root", Warning;
    /// A property name that a provider refuses.
    PropertyName = "property_name", Error;
    /// A property without a description.
    PropertyDescription = "property_description", Note;
    /// A reference inside the document.
    Reference = "reference", Warning;
    /// A reference out of the document.
    ExternalReference = "external_reference", Error;
    /// A constraint beside a reference.
    ReferenceSiblings = "reference_siblings", Note;
    /// A schema that contains itself.
    Recursion = "recursion", Error;
    /// A list of types.
    TypeList = "type_list", Warning;
    /// `true` or `false` where a schema stands.
    BooleanSchema = "boolean_schema", Error;
    /// A schema that takes anything.
    Untyped = "untyped", Warning;
    /// An input array that does not say what it is made of.
    ArrayItems = "array_items", Error;
    /// A property that is required and not declared.
    RequiredUndeclared = "required_undeclared", Error;
    /// A format outside the standard.
    Format = "format", Warning;
    /// A keyword that a provider's form cannot say.
    Keyword = "keyword", Note;
    /// Another dialect than JSON Schema 2020-12.
    Dialect = "dialect", Warning;
    /// Something that MCP or JSON Schema does not allow where it stands.
    Invalid = "invalid", Error;
    /// A schema nested deeper than anybody follows.
    SchemaDepth = "schema_depth", Warning;
    /// An input object that is not closed, which strict forms require.
    OpenObject = "open_object", Note;
    /// An input object whose keys are the caller's own, which strict forms cannot say.
    Map = "map", Note;
    /// Properties that may be left out, which a strict form has as null.
    StrictOptional = "strict_optional", Note;
    /// An input that is larger than strict forms take.
    StrictSize = "strict_size", Note;
    /// More optional properties, unions or tools than strict tools of one request may have.
    StrictBudget = "strict_budget", Note;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
