//! The limits on what a tool says of itself: its name, its description, and that it is a tool at all.

use serde_json::{Map, Value};

use super::strict::Budget;
use super::{Findings, Place, Rule, Surface, schema};
use crate::evolution::{cut, kind};

/// Names with their client's prefix may be this long at every provider.
const LONGEST_NAME: usize = 64;

/// Descriptions may be this long at every provider, in characters.
const LONGEST_DESCRIPTION: usize = 1_024;

/// Everything about one tool; what it would spend of a request's strict budget.
pub(super) fn check(tool: &Value, place: &Place, surface: &Surface, findings: &mut Findings) -> Budget {
    let Value::Object(tool) = tool else {
        let message = format!("{} stands where a tool should", kind(tool));
        findings.add(Rule::Invalid, place, message, "write an object with a `name` and an `inputSchema`");
        return Budget::default();
    };
    name(tool, place, surface, findings);
    description(tool, place, findings);
    members(tool, place, findings);
    let spent = schema::input(tool.get("inputSchema"), place, findings);
    if let Some(output) = tool.get("outputSchema") {
        schema::output(output, place, findings);
    }
    spent.check("the input has", &place.member("inputSchema").called("input"), findings);
    Budget { tools: 1, ..spent }
}

/// The names that every provider takes.
const TAKEN: &str = "Anthropic and OpenAI take only A-Z a-z 0-9 _ - in a name, Gemini only a letter or _ first";

fn is_taken(name: &str) -> bool {
    let allowed = |other: char| other.is_ascii_alphanumeric() || other == '_' || other == '-';
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts_well && name.chars().all(allowed)
}

/// What the client puts before each name is part of it.
pub(super) fn prefix(surface: &Surface, place: &Place, findings: &mut Findings) {
    if !surface.prefix.is_empty() && !is_taken(&surface.prefix) {
        let message = format!("the prefix `{}` stands before each name: {TAKEN}", cut(&surface.prefix));
        let fix = "give the server another name in the client: a letter or _ first, then letters, digits, _ and -";
        findings.add(Rule::ToolName, place, message, fix);
    }
}

fn name(tool: &Map<String, Value>, place: &Place, surface: &Surface, findings: &mut Findings) {
    let name = match tool.get("name") {
        Some(Value::String(name)) => name,
        other => {
            let message = match other {
                Some(other) => format!("the `name` is {}, and nobody can call that", kind(other)),
                None => "the tool has no `name`, so nobody can call it".to_owned(),
            };
            let place = if other.is_some() { place.member("name") } else { place.clone() };
            return findings.add(Rule::Invalid, &place, message, "give it a text that no other tool is called by");
        }
    };
    let place = place.member("name");
    if !is_taken(name) {
        findings.add(Rule::ToolName, &place, TAKEN, "rename it: a letter or _ first, then letters, digits, _ and -");
    }
    let length = surface.prefix.chars().count() + name.chars().count();
    if length > LONGEST_NAME {
        let prefixed =
            if surface.prefix.is_empty() { String::new() } else { format!(" with `{}` before it", surface.prefix) };
        let message = format!("the name is {length} characters long{prefixed}, and OpenAI takes {LONGEST_NAME}");
        let fix = "shorten the name, or the server's name that a client puts before it";
        findings.add(Rule::ToolNameLength, &place, message, fix);
    }
}

fn description(tool: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    let text = tool.get("description").and_then(Value::as_str).unwrap_or_default();
    let length = text.chars().count();
    if text.trim().is_empty() {
        let fix = "say what the tool does and when to use it";
        findings.add(Rule::Description, place, "a model has nothing to choose it by", fix);
    } else if length > LONGEST_DESCRIPTION {
        let message = format!(
            "the description is {length} characters long; OpenAI takes {LONGEST_DESCRIPTION}, Claude Code cuts at 2,048"
        );
        let fix = "keep what helps to choose the tool; the rest belongs to its properties";
        findings.add(Rule::DescriptionLength, &place.member("description"), message, fix);
    }
}

/// What is there and is not what MCP says it is: clients refuse the whole list for it.
fn members(tool: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    let is_wrong = |name: &str, value: &Value| match name {
        "title" | "description" => !value.is_string(),
        "annotations" | "_meta" => !value.is_object(),
        _ => false,
    };
    for (name, value) in tool.iter().filter(|(name, value)| is_wrong(name, value)) {
        let right = if name == "title" || name == "description" { "a text" } else { "an object" };
        let message = format!("`{name}` is {}, and MCP has {right} there", kind(value));
        let fix = format!("write {right}, or leave `{name}` out");
        findings.add(Rule::Invalid, &place.member(name), message, fix);
    }
    let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    for hint in hints {
        let Some(value) = tool.get("annotations").and_then(|all| all.get(hint)) else { continue };
        if !value.is_boolean() {
            let message = format!("`{hint}` is {}, and MCP has true or false there", kind(value));
            let fix = format!("write true or false, or leave `{hint}` out");
            findings.add(Rule::Invalid, &place.member("annotations").member(hint), message, fix);
        }
    }
}
