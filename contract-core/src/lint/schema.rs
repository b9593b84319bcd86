//! The limits on a whole schema: its root, its dialect, and that a validator takes it.

use serde_json::{Map, Value};

use super::node::Walk;
use super::strict::Budget;
use super::{Findings, Place, Rule};
use crate::evolution::{cut, kind};

/// What an input without arguments is.
const NO_ARGUMENTS: &str = "an input without arguments is {\"type\":\"object\",\"additionalProperties\":false}";

/// The input: what providers are shown. What it would cost as that of a strict tool.
pub(super) fn input(schema: Option<&Value>, tool: &Place, findings: &mut Findings) -> Budget {
    let place = tool.member("inputSchema").called("input");
    let root = match schema {
        Some(Value::Object(root)) => root,
        Some(other) => {
            no_object(other, &place, NO_ARGUMENTS, findings);
            return Budget::default();
        }
        None => {
            let place = tool.clone().called("input");
            findings.add(Rule::InputRoot, &place, "there is no input schema, and MCP asks for one", NO_ARGUMENTS);
            return Budget::default();
        }
    };
    if root.get("type").is_none_or(|kind| kind != "object") {
        let at = if root.contains_key("type") { place.member("type") } else { place.clone() };
        let message = "the root of an input must be literally `type: object`";
        findings.add(Rule::InputRoot, &at, message, "state `\"type\":\"object\"` at the root");
    }
    for keyword in ["anyOf", "oneOf", "allOf"].iter().filter(|keyword| root.contains_key(**keyword)) {
        let message = format!("`{keyword}` at the root: Anthropic and OpenAI refuse the whole request");
        findings.add(Rule::InputRoot, &place.member(keyword), message, "give the union a property of its own");
    }
    let mut budget = Budget::default();
    whole(root, &place, findings, |document, findings| {
        let mut walk = Walk::of_input(document, is_current(root), findings);
        walk.visit(root, &place);
        let (size, spent) = walk.cost();
        size.check(&place, findings);
        budget = spent;
    });
    budget
}

/// The output: what clients read.
pub(super) fn output(schema: &Value, tool: &Place, findings: &mut Findings) {
    let place = tool.member("outputSchema").called("output");
    let Value::Object(root) = schema else {
        let fix = "answer an object with named members, or leave `outputSchema` out";
        return no_object(schema, &place, fix, findings);
    };
    if root.get("type").is_none_or(|kind| kind != "object") {
        let at = if root.contains_key("type") { place.member("type") } else { place.clone() };
        let message = "clients up to revision 2025-11-25 refuse an output whose root is not `type: object`";
        findings.add(Rule::OutputRoot, &at, message, "answer an object with named members");
    }
    whole(root, &place, findings, |document, findings| {
        Walk::of_output(document, is_current(root), findings).visit(root, &place);
    });
}

/// Clients refuse the whole list for it: MCP knows objects alone there.
fn no_object(schema: &Value, place: &Place, fix: &str, findings: &mut Findings) {
    let (rule, what) = match schema {
        Value::Bool(_) => (Rule::BooleanSchema, format!("the schema is {schema}")),
        other => (Rule::Invalid, format!("the schema is {}", kind(other))),
    };
    findings.add(rule, place, format!("{what}, and MCP has an object there: clients refuse the whole list"), fix);
}

/// Whether a schema is written in the dialect that MCP means.
fn is_current(root: &Map<String, Value>) -> bool {
    root.get("$schema").and_then(Value::as_str).is_none_or(|dialect| dialect.contains("draft/2020-12"))
}

/// What is about all of a schema, around what `walk` finds in it.
fn whole(root: &Map<String, Value>, place: &Place, findings: &mut Findings, walk: impl FnOnce(&Value, &mut Findings)) {
    let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
    if !is_current(root) {
        let message = format!("`$schema` names {}, and MCP's own dialect is 2020-12", cut(dialect));
        findings.add(Rule::Dialect, &place.member("$schema"), message, "leave `$schema` out and write 2020-12");
    }
    let document = Value::Object(root.clone());
    let before = findings.found.len();
    walk(&document, findings);
    let is_told = |rule: Rule| matches!(rule, Rule::Invalid | Rule::ExternalReference | Rule::SchemaDepth);
    if !findings.found[before..].iter().any(|finding| is_told(finding.rule)) {
        as_a_validator(document, dialect, place, findings);
    }
}

/// What only a validator notices; it says it in its own language, which is not repeated.
fn as_a_validator(mut document: Value, dialect: &str, place: &Place, findings: &mut Findings) {
    // A dialect that is not known says nothing about the schema itself.
    if !dialect.contains("json-schema.org") {
        document.as_object_mut().map(|members| members.shift_remove("$schema"));
    }
    if let Err(error) = jsonschema::options().offline().build(&document) {
        let at = place.below(error.instance_path().as_str());
        let found = document.pointer(error.instance_path().as_str()).unwrap_or(&Value::Null);
        let shown =
            if found.is_object() || found.is_array() { kind(found).to_owned() } else { cut(&found.to_string()) };
        let message = format!("{shown} stands here that no validator of JSON Schema takes");
        findings.add(Rule::Invalid, &at, message, "correct it, or leave it out");
    }
}
