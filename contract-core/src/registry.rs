//! All tools that a program links: collected, sorted, held to the conventions, looked up by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::caller::{Authorize, Caller, Decision};
use crate::context::Provided;
use crate::convention::Convention;
use crate::definition::{ToolDefinition, ToolFilter};
use crate::entry::{Source, Submitted, ToolEntry};
use crate::error::ToolError;
use crate::upstream::Upstream;
use crate::{caller, name, schema, validator};

/// Every tool of a program, in order of their names whatever the link order was. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    tools: Arc<[Tool]>,
}

/// One tool, with what the door compiles for it on first use.
pub(crate) struct Tool {
    entry: &'static ToolEntry,
    definition: ToolDefinition,
    input: OnceLock<Result<Validator, String>>,
    output: OnceLock<Result<Validator, String>>,
}

impl Registry {
    /// Collects what every linked crate submitted.
    ///
    /// A crate that is a dependency but that no code names is not linked, and its tools are silently absent: name one of its
    /// items (`use my_tools as _;`) and state the roster with [`Registry::require`].
    ///
    /// # Errors
    /// When any tool breaks a [`Convention`]; every violation of every tool is in the error.
    pub fn collect() -> Result<Self, RegistryError> {
        Self::from_entries(inventory::iter::<Submitted>().map(|submitted| submitted.0))
    }

    /// A registry of just these entries.
    ///
    /// # Errors
    /// As [`Registry::collect`].
    pub fn from_entries(entries: impl IntoIterator<Item = &'static ToolEntry>) -> Result<Self, RegistryError> {
        let mut entries: Vec<&'static ToolEntry> = entries.into_iter().collect();
        // Names first, then places: also the report about duplicates comes out the same whatever the link order was.
        entries.sort_by_key(|entry| (entry.name(), entry.source().file, entry.source().line));
        let mut violations = duplicates(&entries);
        let tools: Vec<Tool> = entries.into_iter().map(|entry| Tool::build(entry, &mut violations)).collect();
        if violations.is_empty() {
            return Ok(Self { tools: tools.into() });
        }
        Err(RegistryError { violations })
    }

    /// The tools that pass `filter`, in order of their names: the one point that every projection starts from.
    pub fn list_tool_definitions(&self, filter: &ToolFilter) -> Vec<&ToolDefinition> {
        self.tools.iter().map(|tool| &tool.definition).filter(|tool| filter.matches(tool)).collect()
    }

    /// The tools of `slice` that `caller` may call: the same rule lists them and lets them through the door.
    pub fn list_for(&self, slice: &ToolFilter, caller: &Caller, policy: &dyn Authorize) -> Vec<&ToolDefinition> {
        let mut tools = self.list_tool_definitions(slice);
        tools.retain(|tool| caller::level(policy, caller, tool) == Decision::Allow);
        tools
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&ToolDefinition> {
        self.find(name).map(|tool| &tool.definition)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Refuses a program that lost tools at link time.
    ///
    /// # Errors
    /// When a name of the roster is not in the registry; all such names are in the error.
    pub fn require<'names>(&self, roster: impl IntoIterator<Item = &'names str>) -> Result<(), MissingTools> {
        let missing: Vec<String> =
            roster.into_iter().filter(|name| self.find(name).is_none()).map(str::to_owned).collect();
        if missing.is_empty() { Ok(()) } else { Err(MissingTools { missing }) }
    }

    /// Refuses a server that forgot to provide what a handler of its slice injects; asked when it starts.
    ///
    /// # Errors
    /// When a need is not met; every tool and type is in the error.
    pub fn require_provided(&self, slice: &ToolFilter, provided: &Provided) -> Result<(), MissingStates> {
        self.require_of(provided, |tool| slice.matches(tool))
    }

    /// As [`Registry::require_provided`], of the tools that `upstream` does not answer.
    ///
    /// # Errors
    /// As [`Registry::require_provided`].
    pub fn require_provided_beside(
        &self,
        upstream: &dyn Upstream,
        slice: &ToolFilter,
        provided: &Provided,
    ) -> Result<(), MissingStates> {
        self.require_of(provided, |tool| slice.matches(tool) && !upstream.answers(tool))
    }

    fn require_of(
        &self,
        provided: &Provided,
        is_entered: impl Fn(&ToolDefinition) -> bool,
    ) -> Result<(), MissingStates> {
        let mut missing = Vec::new();
        for tool in self.tools.iter().filter(|tool| is_entered(&tool.definition)) {
            for need in tool.entry.0.needs.iter().copied().flatten().filter(|need| !provided.meets(need)) {
                missing.push((tool.definition.name(), (need.name)()));
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(MissingStates { missing }) }
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Tool> {
        self.tools.binary_search_by(|tool| tool.definition.name().cmp(name)).ok().map(|at| &self.tools[at])
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|tool| tool.definition.name())).finish()
    }
}

impl Tool {
    fn build(entry: &'static ToolEntry, violations: &mut Vec<Violation>) -> Self {
        let parts = &entry.0;
        let mut report = |convention, message: String| {
            violations.push(Violation { convention, tool: parts.name, sources: vec![parts.source], message });
        };
        let (input_schema, input_problems) = schema::of_input(&parts.input);
        let (output_schema, output_problems) = schema::of_output(parts.output);
        for (side, problems) in [("input", input_problems), ("output", output_problems)] {
            for problem in problems {
                let place =
                    if problem.place.is_empty() { side.to_owned() } else { format!("{side} `{}`", problem.place) };
                report(problem.rule, format!("{place}: {}", problem.message));
            }
        }
        let definition = ToolDefinition::new(parts, input_schema, output_schema);
        own_words(&definition, &mut report);
        Self { entry, definition, input: OnceLock::new(), output: OnceLock::new() }
    }

    /// A tool with these schemas, whatever they are: how the laws are shown something broken.
    #[cfg(test)]
    pub(crate) fn with_schemas(
        entry: &'static ToolEntry,
        input: Map<String, Value>,
        output: Map<String, Value>,
    ) -> Self {
        let definition = ToolDefinition::new(&entry.0, input, output);
        Self { entry, definition, input: OnceLock::new(), output: OnceLock::new() }
    }

    pub(crate) fn entry(&self) -> &'static ToolEntry {
        self.entry
    }

    pub(crate) fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    pub(crate) fn input_validator(&self) -> Result<&Validator, ToolError> {
        compiled(&self.input, self.definition.input_schema())
    }

    pub(crate) fn output_validator(&self) -> Result<&Validator, ToolError> {
        compiled(&self.output, self.definition.output_schema())
    }
}

/// Compiles once; a schema that does not compile is the tool's own fault, so its caller learns only that.
fn compiled<'tool>(
    slot: &'tool OnceLock<Result<Validator, String>>,
    schema: &Map<String, Value>,
) -> Result<&'tool Validator, ToolError> {
    slot.get_or_init(|| validator::compile(&Value::Object(schema.clone())).map_err(|error| error.to_string()))
        .as_ref()
        .map_err(|error| {
            ToolError::unknown("this tool's schema cannot be used; tell its author").caused_by(error.as_str())
        })
}

/// One violation for each name that several entries claim, with every place.
fn duplicates(sorted: &[&'static ToolEntry]) -> Vec<Violation> {
    let mut places: BTreeMap<&'static str, Vec<Source>> = BTreeMap::new();
    for entry in sorted {
        places.entry(entry.name()).or_default().push(*entry.source());
    }
    let several = places.into_iter().filter(|(_, sources)| sources.len() > 1);
    several
        .map(|(tool, sources)| {
            let list: Vec<String> = sources.iter().map(Source::to_string).collect();
            let message = format!("is the name of {} tools: {}", sources.len(), list.join(" and "));
            Violation { convention: Convention::UniqueNames, tool, sources, message }
        })
        .collect()
}

/// What a tool says about itself, beside its types.
fn own_words(tool: &ToolDefinition, report: &mut impl FnMut(Convention, String)) {
    const DESCRIPTION: std::ops::RangeInclusive<usize> = 20..=1024;
    if !name::is_tool_name(tool.name()) {
        report(Convention::ToolName, format!("does not match {}", name::RULE));
    }
    let length = tool.description().chars().count();
    if !DESCRIPTION.contains(&length) {
        let message = format!(
            "the description has {length} characters, and providers take {} to {}: say what the tool does and when to use it",
            DESCRIPTION.start(),
            DESCRIPTION.end()
        );
        report(Convention::Description, message);
    }
    if tool.title().trim().is_empty() {
        report(Convention::Description, "the title is blank; leave it out to have one made of the name".to_owned());
    }
    let hints = tool.hints();
    if hints.read_only && hints.destructive {
        report(
            Convention::Hints,
            "is read-only and destructive at once; a tool that only reads destroys nothing".to_owned(),
        );
    }
}

/// One thing that is wrong with one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The convention that is broken.
    pub convention: Convention,
    /// The tool that breaks it.
    pub tool: &'static str,
    /// Where its handlers stand: one place, or all that claim one name.
    pub sources: Vec<Source>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.tool)?;
        if let [source] = self.sources.as_slice() {
            write!(f, "({source}) ")?;
        }
        write!(f, "{} [{}]", self.message, self.convention)
    }
}

/// Why a registry cannot be used: every violation of every tool.
#[derive(Clone, Debug)]
pub struct RegistryError {
    violations: Vec<Violation>,
}

impl RegistryError {
    /// Everything that is wrong, in order of the tools' names.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.violations.len();
        write!(f, "{count} contract violation{}", if count == 1 { "" } else { "s" })?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n  {violation}"))
    }
}

impl std::error::Error for RegistryError {}

/// Tools that a program should have and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTools {
    missing: Vec<String>,
}

impl fmt::Display for MissingTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this program lost tools at link time: {}; name an item of the crate that defines them (`use the_crate as _;`)",
            self.missing.join(", ")
        )
    }
}

impl std::error::Error for MissingTools {}

/// States that handlers inject and a server does not provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingStates {
    missing: Vec<(&'static str, &'static str)>,
}

impl fmt::Display for MissingStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this server does not provide what its tools inject:")?;
        self.missing.iter().try_for_each(|(tool, state)| write!(f, "\n  {tool} needs a `{state}`"))
    }
}

impl std::error::Error for MissingStates {}
