//! The words of a report: what changed, on which side of a call, and what it means for those who call.

use std::fmt;

use serde_json::Value;

/// What a change means for those who use the old contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Every call and every reader keeps working.
    Compatible,
    /// Neither proved nor refuted.
    Undecided,
    /// Nothing fails by the schemas, and somebody may rely on what changed.
    Dangerous,
    /// Something that worked fails.
    Breaking,
}

impl Verdict {
    /// Every verdict, mildest first.
    pub const ALL: [Self; 4] = [Self::Compatible, Self::Undecided, Self::Dangerous, Self::Breaking];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Undecided => "undecided",
            Self::Dangerous => "dangerous",
            Self::Breaking => "breaking",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which side of a call a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// What a caller sends: the new schema must take all that the old one took.
    Input,
    /// What a tool answers: the new schema may emit nothing that the old one did not.
    Output,
}

impl Direction {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Input, Self::Output];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

macro_rules! rules {
    ($($(#[doc = $doc:expr])* $name:ident = $word:literal;)*) => {
        /// The kind of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule { $($(#[doc = $doc])* $name,)* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

rules! {
    /// A tool is gone.
    ToolRemoved = "tool_removed";
    /// A tool is gone and another with the same schemas is new.
    ToolRenamed = "tool_renamed";
    /// A tool is new.
    ToolAdded = "tool_added";
    /// An object no longer declares a property.
    PropertyRemoved = "property_removed";
    /// An object declares a property more.
    PropertyAdded = "property_added";
    /// A property must be there now.
    MadeRequired = "made_required";
    /// A property may be missing now.
    MadeOptional = "made_optional";
    /// The type, or the shape that stands for one.
    Type = "type";
    /// The words that are allowed.
    Enum = "enum";
    /// A bound of a number, a length or a count.
    Bound = "bound";
    /// A pattern.
    Pattern = "pattern";
    /// A format.
    Format = "format";
    /// An object takes undeclared properties no longer, or of fewer kinds.
    Closed = "closed";
    /// An object takes undeclared properties, or more kinds of them.
    Opened = "opened";
    /// A union lost a branch.
    BranchRemoved = "branch_removed";
    /// A union got a branch.
    BranchAdded = "branch_added";
    /// The places of a tuple.
    Tuple = "tuple";
    /// Another keyword, or several that hang together.
    Keyword = "keyword";
    /// A tool no longer says what it answers.
    OutputSchemaRemoved = "output_schema_removed";
    /// A tool says what it answers, and did not.
    OutputSchemaAdded = "output_schema_added";
    /// A default that calls rely on by leaving something out.
    Default = "default";
    /// A title, a description, an example: what only people read.
    Words = "words";
    /// What a client may assume about a tool's effects.
    Hint = "hint";
    /// Anything else that is told about a tool.
    Metadata = "metadata";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that is different, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The tool, by its old name where it has one.
    pub tool: String,
    /// The side of a call; none for what is told about the tool itself.
    pub direction: Option<Direction>,
    /// The kind of change.
    pub rule: Rule,
    /// Where in the schema, as property names (`plan.steps[].id`); the whole of it is empty.
    pub place: String,
    /// Where it stands as well, being in a definition that several places use: up to 31 of them. What a definition holds of
    /// itself again is not told again.
    pub also_at: Vec<String>,
    /// At how many more places it stands; none when they are too many to be counted.
    pub more_places: Option<u64>,
    /// What it was and what it is, in a sentence.
    pub message: String,
    /// What it means.
    pub verdict: Verdict,
    /// A value that the old contract promised to take (or not to send) and the new one does not. Each breaking change of a
    /// schema has one.
    pub witness: Option<Value>,
    /// The keywords that an undecided change hangs on.
    pub keywords: Vec<String>,
}

/// How a version number should move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bump {
    /// Nothing changed.
    None,
    /// Only words changed.
    Patch,
    /// Something is new, and nothing that worked fails.
    Minor,
    /// Something that worked fails, or may fail.
    Major,
}

impl Bump {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Change {
    /// The places that it is told at, the first one first.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.place.as_str()).chain(self.also_at.iter().map(String::as_str))
    }

    /// Whether it stands at more places than are told.
    pub fn stands_elsewhere(&self) -> bool {
        self.more_places != Some(0)
    }

    /// How the version should move for this change alone. What is not decided moves it as what breaks.
    pub fn bump(&self) -> Bump {
        match (self.verdict, self.rule) {
            (Verdict::Breaking | Verdict::Undecided, _) => Bump::Major,
            (Verdict::Compatible, Rule::Words) => Bump::Patch,
            (Verdict::Dangerous | Verdict::Compatible, _) => Bump::Minor,
        }
    }
}
