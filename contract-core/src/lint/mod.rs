//! What in a list of MCP tools a provider refuses, a client drops or a model cannot use: each finding with its fix.
//!
//! Any `tools/list` document will do, also one that breaks MCP itself: a fault is a finding, and what stands beside it is looked
//! at all the same. The limits are those that providers' SDKs, documents and errors state; a list without an error is taken
//! whole by each of them.
//!
//! ```
//! use contract_core::lint::{Rule, Surface, findings};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let input = json!({ "type": "object", "anyOf": [{ "type": "object" }], "additionalProperties": false });
//! let list = json!({ "tools": [{ "name": "a.b", "description": "Adds.", "inputSchema": input }] });
//! let findings = findings(&list, &Surface::default())?;
//! let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
//! assert_eq!(rules, [Rule::ToolName, Rule::InputRoot]);
//! assert_eq!(findings[1].pointer, "/tools/0/inputSchema/anyOf");
//! # Ok(())
//! # }
//! ```

mod rule;
mod place;
mod tool;
mod schema;
mod node;
mod shape;
mod provider;
mod reference;
mod strict;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::Value;

use self::place::Place;
pub use self::rule::{Rule, Severity};
use self::strict::Budget;
use crate::evolution::{NotAToolList, cut, listed};

/// As many tools as one request takes.
const MOST_TOOLS: usize = 128;

/// As many tools as older versions of one client take.
const MOST_TOOLS_OF_CURSOR: usize = 40;

/// How a list is shown to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// What the client puts before each name.
    pub prefix: String,
}

/// Something to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The tool; empty for what the list as a whole is, and where a tool has no name.
    pub tool: String,
    /// Where in the tool, as property names after `input` or `output`; the tool itself is empty.
    pub place: String,
    /// Where in the document, as a JSON pointer.
    pub pointer: String,
    /// The limit.
    pub rule: Rule,
    /// What is wrong, and for whom.
    pub message: String,
    /// What to do.
    pub fix: String,
}

/// Everything to mend in the list that `document` holds: `{"tools":[…]}`, a bare array, or a JSON-RPC reply with the first.
/// What is about the whole list comes first, then each tool in its order.
///
/// # Errors
/// When the document holds no list, or one page of a longer one.
///
/// ```
/// use contract_core::lint::{Surface, findings};
/// use serde_json::json;
///
/// let error = findings(&json!({ "tools": [], "nextCursor": "2" }), &Surface::default()).unwrap_err();
/// assert!(error.to_string().contains("one page"), "{error}");
/// ```
pub fn findings(document: &Value, surface: &Surface) -> Result<Vec<Finding>, NotAToolList> {
    let listed = listed(document)?;
    let mut of_tools = Findings::default();
    let mut spent = Budget::default();
    let mut names = HashMap::new();
    for (index, tool) in listed.tools.iter().enumerate() {
        let place = Place::root(listed.pointer).item(index);
        tool.get("name").and_then(Value::as_str).unwrap_or_default().clone_into(&mut of_tools.tool);
        if let Some(name) = tool.get("name").and_then(Value::as_str) {
            if let Some(first) = names.get(name) {
                let message = format!(
                    "`{}` is the name of {first} as well; clients keep one of the two, or refuse the list",
                    cut(name)
                );
                let fix = "rename one of them: each tool of a server has a name of its own";
                of_tools.add(Rule::DuplicateName, &place.member("name"), message, fix);
            } else {
                names.insert(name, place.pointer().to_owned());
            }
        }
        spent.add(tool::check(tool, &place, surface, &mut of_tools));
    }
    let mut findings = Findings::default();
    let whole = Place::root(listed.pointer);
    count(listed.tools.len(), &whole, &mut findings);
    tool::prefix(surface, &whole, &mut findings);
    if listed.tools.len() > 1 {
        spent.check("the tools together have", &whole, &mut findings);
    }
    findings.found.append(&mut of_tools.found);
    Ok(findings.found)
}

fn count(count: usize, place: &Place, findings: &mut Findings) {
    let fix = "offer fewer on one surface: by category, by role, or on several servers";
    if count > MOST_TOOLS {
        let message = format!("{count} tools, and OpenAI, VS Code and Copilot take {MOST_TOOLS} in a request");
        findings.add(Rule::ToolCount, place, message, fix);
    }
    if count > MOST_TOOLS_OF_CURSOR {
        let message = format!("{count} tools, and older versions of Cursor show a model {MOST_TOOLS_OF_CURSOR}");
        findings.add(Rule::ToolCountCursor, place, message, fix);
    }
}

/// What was found so far, and the tool that is looked at.
#[derive(Default)]
struct Findings {
    tool: String,
    found: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, rule: Rule, place: &Place, message: impl Into<String>, fix: impl Into<String>) {
        self.found.push(Finding {
            tool: self.tool.clone(),
            place: place.names().to_owned(),
            pointer: place.pointer().to_owned(),
            rule,
            message: message.into(),
            fix: fix.into(),
        });
    }
}
