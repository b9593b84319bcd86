//! What in a list of MCP tools a provider refuses, a client drops or a model cannot use: each finding with its fix.
//!
//! Any `tools/list` document will do. The limits are those that providers' SDKs, documents and errors state; a list without
//! an error is taken whole by each of them.
//!
//! ```
//! use contract_core::evolution::ToolList;
//! use contract_core::lint::{Rule, Surface, findings};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let input = json!({ "type": "object", "anyOf": [{ "type": "object" }] });
//! let list = ToolList::read(&json!([{ "name": "a.b", "description": "Adds.", "inputSchema": input }]))?;
//! let rules: Vec<Rule> = findings(&list, &Surface::default()).iter().map(|finding| finding.rule).collect();
//! assert_eq!(rules, [Rule::ToolName, Rule::InputRoot]);
//! # Ok(())
//! # }
//! ```

mod rule;
mod schema;

use serde_json::{Map, Value};

pub use self::rule::{Rule, Severity};
use crate::evolution::ToolList;

/// Names with their client's prefix may be this long at every provider.
const LONGEST_NAME: usize = 64;

/// Descriptions may be this long at every provider, in characters.
const LONGEST_DESCRIPTION: usize = 1_024;

/// As many tools as one request takes.
const MOST_TOOLS: usize = 128;

/// How a list is shown to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// What the client puts before each name.
    pub prefix: String,
}

/// Something to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The tool; empty for what the list as a whole is.
    pub tool: String,
    /// Where in the tool, as property names after `input` or `output`; the tool itself is empty.
    pub place: String,
    /// The limit.
    pub rule: Rule,
    /// What is wrong, and for whom.
    pub message: String,
    /// What to do.
    pub fix: String,
}

/// Everything to mend in `list`, in its order.
pub fn findings(list: &ToolList, surface: &Surface) -> Vec<Finding> {
    let mut findings = Vec::new();
    let count = list.tools().len();
    if count > MOST_TOOLS {
        findings.push(Finding {
            tool: String::new(),
            place: String::new(),
            rule: Rule::ToolCount,
            message: format!("{count} tools, and OpenAI, VS Code and Copilot take {MOST_TOOLS} in a request"),
            fix: "offer fewer on one surface: by category, by role, or on several servers".to_owned(),
        });
    }
    for tool in list.tools() {
        let mut tool_findings = Findings { tool, findings: &mut findings };
        name(&mut tool_findings, surface);
        description(&mut tool_findings);
        schema::input(&mut tool_findings);
        schema::output(&mut tool_findings);
    }
    findings
}

/// The findings about one tool.
struct Findings<'list> {
    tool: &'list Map<String, Value>,
    findings: &'list mut Vec<Finding>,
}

impl Findings<'_> {
    fn name(&self) -> String {
        self.tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn add(&mut self, rule: Rule, place: &str, message: impl Into<String>, fix: impl Into<String>) {
        let (tool, place) = (self.name(), place.to_owned());
        self.findings.push(Finding { tool, place, rule, message: message.into(), fix: fix.into() });
    }
}

fn name(findings: &mut Findings<'_>, surface: &Surface) {
    let name = findings.name();
    let allowed = |other: char| other.is_ascii_alphanumeric() || other == '_' || other == '-';
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if name.is_empty() || !name.chars().all(allowed) || !starts_well {
        let message = "Anthropic and OpenAI take only A-Z a-z 0-9 _ - in a name, Gemini only a letter or _ first";
        findings.add(Rule::ToolName, "", message, "rename it: a letter or _ first, then letters, digits, _ and -");
    }
    let length = surface.prefix.chars().count() + name.chars().count();
    if length > LONGEST_NAME {
        let prefixed =
            if surface.prefix.is_empty() { String::new() } else { format!(" with `{}` before it", surface.prefix) };
        let message = format!("the name is {length} characters long{prefixed}, and OpenAI takes {LONGEST_NAME}");
        findings.add(
            Rule::ToolNameLength,
            "",
            message,
            "shorten the name, or the server's name that a client puts before it",
        );
    }
}

fn description(findings: &mut Findings<'_>) {
    let text = findings.tool.get("description").and_then(Value::as_str).unwrap_or_default();
    let length = text.chars().count();
    if text.trim().is_empty() {
        findings.add(
            Rule::Description,
            "",
            "a model has nothing to choose it by",
            "say what the tool does and when to use it",
        );
    } else if length > LONGEST_DESCRIPTION {
        let message = format!(
            "the description is {length} characters long; OpenAI takes {LONGEST_DESCRIPTION}, Claude Code cuts at 2,048"
        );
        findings.add(
            Rule::DescriptionLength,
            "",
            message,
            "keep what helps to choose the tool; the rest belongs to its properties",
        );
    }
}
