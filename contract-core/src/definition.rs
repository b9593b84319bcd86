//! A tool as everybody but the door sees it, and the filter that picks tools.

use std::fmt;

use serde_json::{Map, Value};

use crate::entry::{EntryParts, Hints, Source};
use crate::loopover;
use crate::vocabulary::{Auth, Availability, Locality};

/// One tool's contract, ready for any projection.
///
/// It is deliberately not `Serialize`: each projection owns its wire form.
#[derive(Debug)]
pub struct ToolDefinition {
    name: &'static str,
    title: String,
    description: String,
    category: &'static str,
    auth: Auth,
    locality: Locality,
    availability: Availability,
    hints: Hints,
    deprecated: Option<&'static str>,
    source: Source,
    input_schema: Map<String, Value>,
    output_schema: Map<String, Value>,
    examples: Vec<Value>,
}

impl ToolDefinition {
    pub(crate) fn new(parts: &EntryParts, input_schema: Map<String, Value>, output_schema: Map<String, Value>) -> Self {
        let description = match parts.deprecated {
            Some(advice) => format!("{}\n\nDeprecated: {advice}", parts.description),
            None => parts.description.to_owned(),
        };
        Self {
            name: parts.name,
            title: parts.title.map_or_else(|| default_title(parts.name), str::to_owned),
            description,
            category: parts.category,
            auth: parts.auth,
            locality: parts.locality,
            availability: parts.availability,
            hints: parts.hints,
            deprecated: parts.deprecated,
            source: parts.source,
            input_schema,
            output_schema,
            examples: parts.examples.map(|examples| examples()).unwrap_or_default(),
        }
    }

    /// The name on the wire.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the tool does, for a model: the handler's doc comment.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the tool is about.
    pub fn category(&self) -> &'static str {
        self.category
    }

    /// The least that a caller must be.
    pub fn auth(&self) -> Auth {
        self.auth
    }

    /// Where its data lives.
    pub fn locality(&self) -> Locality {
        self.locality
    }

    /// Which deployments offer it.
    pub fn availability(&self) -> Availability {
        self.availability
    }

    /// What a client may assume.
    pub fn hints(&self) -> Hints {
        self.hints
    }

    /// What to use instead, when the tool is on its way out.
    pub fn deprecated(&self) -> Option<&'static str> {
        self.deprecated
    }

    /// Where its handler stands.
    pub fn source(&self) -> Source {
        self.source
    }

    /// What a call may send: JSON Schema draft 2020-12, inlined, closed at every declared object.
    pub fn input_schema(&self) -> &Map<String, Value> {
        &self.input_schema
    }

    /// What a success answers: JSON Schema draft 2020-12, inlined, open at every level.
    pub fn output_schema(&self) -> &Map<String, Value> {
        &self.output_schema
    }

    /// The examples that the handler states for the whole input.
    pub fn stated_examples(&self) -> &[Value] {
        &self.examples
    }
}

/// `loopover_miner_get_plan` is called "Miner get plan" unless its attribute says otherwise.
fn default_title(name: &str) -> String {
    let words = name.strip_prefix(loopover::NAME_PREFIX).unwrap_or(name).replace('_', " ");
    let mut characters = words.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// Picks tools by what they are; what is not stated is not filtered, and all that is stated must hold.
///
/// A server's slice of the registry is such a filter: it states a rule and keeps no list.
///
/// ```
/// use contract_core::{Locality, ToolFilter};
///
/// let miner = ToolFilter::new().locality(Locality::Miner).read_only();
/// # let _ = miner;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ToolFilter {
    localities: Vec<Locality>,
    availability: Option<Availability>,
    category: Option<String>,
    without_category: Option<String>,
    read_only: bool,
}

impl ToolFilter {
    /// Every tool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only tools of this locality; said twice, of either.
    pub fn locality(mut self, locality: Locality) -> Self {
        self.localities.push(locality);
        self
    }

    /// Only tools that a deployment of this kind offers; [`Availability::Both`] matches any.
    pub fn availability(mut self, availability: Availability) -> Self {
        self.availability = Some(availability);
        self
    }

    /// Only tools of this category.
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// No tool of this category.
    pub fn without_category(mut self, category: impl Into<String>) -> Self {
        self.without_category = Some(category.into());
        self
    }

    /// Only tools that change nothing.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Whether `tool` passes.
    pub fn matches(&self, tool: &ToolDefinition) -> bool {
        (self.localities.is_empty() || self.localities.contains(&tool.locality))
            && self.availability.is_none_or(|deployment| tool.availability.covers(deployment))
            && self.category.as_deref().is_none_or(|category| category == tool.category)
            && self.without_category.as_deref().is_none_or(|category| category != tool.category)
            && (!self.read_only || tool.hints.read_only)
    }
}

impl fmt::Display for ToolFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.localities.iter().map(|locality| format!("locality {locality}")).collect();
        parts.extend(self.availability.map(|availability| format!("availability {availability}")));
        parts.extend(self.category.as_ref().map(|category| format!("category {category}")));
        parts.extend(self.without_category.as_ref().map(|category| format!("not category {category}")));
        parts.extend(self.read_only.then(|| "read-only".to_owned()));
        f.write_str(if parts.is_empty() { "every tool" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{ToolFilter, default_title};
    use crate::{Availability, Locality};

    #[test]
    fn a_filter_says_what_it_lets_through() {
        assert_eq!(ToolFilter::new().to_string(), "every tool");
        let narrow = ToolFilter::new()
            .locality(Locality::Miner)
            .locality(Locality::LocalGit)
            .availability(Availability::Selfhost)
            .category("agent")
            .without_category("admin")
            .read_only();
        assert_eq!(
            narrow.to_string(),
            "locality miner, locality local-git, availability selfhost, category agent, not category admin, read-only"
        );
    }

    #[test]
    fn a_title_is_made_of_the_name() {
        assert_eq!(default_title("loopover_miner_get_plan"), "Miner get plan");
        assert_eq!(default_title("ping"), "Ping");
    }
}
