//! The limits on schemas, one function each.

use serde_json::{Map, Value};

use super::{Findings, Rule};
use crate::schema::STANDARD_FORMATS;

/// Deeper than this nothing is looked at; strict forms take ten levels.
const DEEPEST: usize = 64;

/// Keywords that assert something and that Gemini's `parameters` do not know. `additionalProperties` is one more, which
/// every client takes off.
const NOT_IN_GEMINI: [&str; 14] = [
    "const",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "oneOf",
    "allOf",
    "not",
    "if",
    "prefixItems",
    "contains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
];

/// What OpenAI's strict form takes of one input.
const STRICT: Size = Size { properties: 5_000, depth: 10, characters: 120_000, words: 1_000 };

/// The input: what providers are shown.
pub(super) fn input(findings: &mut Findings<'_>) {
    let Some(schema) = findings.tool.get("inputSchema") else {
        let fix = "an input without arguments is {\"type\":\"object\",\"additionalProperties\":false}";
        return findings.add(Rule::InputRoot, "input", "there is no input schema, and MCP asks for one", fix);
    };
    if !is_valid(findings, schema, "input") {
        return;
    }
    let Value::Object(root) = schema else {
        return findings.add(Rule::BooleanSchema, "input", "the schema is a boolean", "write an object schema");
    };
    if root.get("type").is_none_or(|kind| kind != "object") {
        let message = "the root of an input must be literally `type: object`";
        findings.add(Rule::InputRoot, "input", message, "state `\"type\":\"object\"` at the root");
    }
    for keyword in ["anyOf", "oneOf", "allOf"].iter().filter(|keyword| root.contains_key(**keyword)) {
        let message = format!("`{keyword}` at the root: Anthropic and OpenAI refuse the whole request");
        findings.add(Rule::InputRoot, "input", message, "give the union a property of its own");
    }
    let mut walk = Walk { findings, is_input: true, size: Size::default() };
    walk.visit(root, "input", 0);
    let size = walk.size;
    size.over(&STRICT).into_iter().for_each(|(what, most)| {
        let message = format!("OpenAI's strict form takes {most} {what}");
        findings.add(Rule::StrictSize, "input", message, "divide the tool, or do without the strict form");
    });
}

/// The output: what clients read.
pub(super) fn output(findings: &mut Findings<'_>) {
    let Some(schema) = findings.tool.get("outputSchema") else { return };
    if !is_valid(findings, schema, "output") {
        return;
    }
    let is_object = schema.get("type").is_some_and(|kind| kind == "object");
    if !is_object {
        let message = "clients up to revision 2025-11-25 refuse an output whose root is not `type: object`";
        findings.add(Rule::OutputRoot, "output", message, "answer an object with named members");
    }
    if let Value::Object(root) = schema {
        Walk { findings, is_input: false, size: Size::default() }.visit(root, "output", 0);
    }
}

fn is_valid(findings: &mut Findings<'_>, schema: &Value, place: &str) -> bool {
    let dialect = schema.get("$schema").and_then(Value::as_str);
    if let Some(dialect) = dialect.filter(|dialect| !dialect.contains("draft/2020-12")) {
        let message = format!("`$schema` names {dialect}, and MCP's own dialect is 2020-12");
        findings.add(Rule::Dialect, place, message, "leave `$schema` out and write 2020-12");
    }
    let known = match schema {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .filter(|(name, _)| *name != "$schema")
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        ),
        other => other.clone(),
    };
    let options = jsonschema::options().offline();
    // A dialect that is not known says nothing about the schema itself.
    let built =
        options.build(if dialect.is_some_and(|dialect| dialect.contains("json-schema.org")) { schema } else { &known });
    match built {
        Ok(_) => true,
        Err(error) => {
            let what = error.masked().to_string();
            let fix = "write a schema that JSON Schema allows";
            findings.add(Rule::Invalid, place, format!("it is no valid schema: {what}"), fix);
            // References are told about below; anything else hides what follows.
            what.contains("reference") || what.contains("ref")
        }
    }
}

/// How large an input is.
#[derive(Clone, Copy, Default)]
struct Size {
    properties: usize,
    depth: usize,
    characters: usize,
    words: usize,
}

impl Size {
    fn over(&self, most: &Self) -> Vec<(&'static str, usize)> {
        let all = [
            (self.properties, most.properties, "properties"),
            (self.depth, most.depth, "levels"),
            (self.characters, most.characters, "characters in names and words"),
            (self.words, most.words, "words in enums"),
        ];
        all.into_iter().filter(|(size, most, _)| size > most).map(|(_, most, what)| (what, most)).collect()
    }
}

struct Walk<'walk, 'list> {
    findings: &'walk mut Findings<'list>,
    is_input: bool,
    size: Size,
}

impl Walk<'_, '_> {
    fn visit(&mut self, node: &Map<String, Value>, place: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        self.reference(node, place);
        self.types(node, place);
        self.keywords(node, place);
        self.words(node);
        for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let at = format!("{place}.{name}");
            self.size.properties += 1;
            self.size.characters += name.chars().count();
            self.size.depth = self.size.depth.max(depth + 1);
            self.property(name, property, &at);
            self.child(property, &at, depth + 1);
        }
        for (keyword, suffix) in [("items", "[]"), ("additionalProperties", "{}"), ("not", ""), ("contains", "[]")] {
            if let Some(child) = node.get(keyword).filter(|child| child.is_object()) {
                self.child(child, &format!("{place}{suffix}"), depth + 1);
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for branch in node.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.child(branch, place, depth);
            }
        }
        for keyword in ["$defs", "definitions"] {
            for (name, schema) in node.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                self.child(schema, &format!("{place}#{name}"), depth);
            }
        }
    }

    fn child(&mut self, schema: &Value, place: &str, depth: usize) {
        match schema {
            Value::Object(members) => self.visit(members, place, depth),
            Value::Bool(_) => {
                let message = "a boolean stands where a schema does, which the Inspector and several clients refuse";
                self.findings.add(Rule::BooleanSchema, place, message, "write a schema with a type");
            }
            _ => {}
        }
    }

    fn reference(&mut self, node: &Map<String, Value>, place: &str) {
        let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
        if !reference.starts_with('#') {
            let message = format!("`{reference}` lies outside the document, and MCP forbids to fetch it");
            return self.findings.add(Rule::ExternalReference, place, message, "write the schema out in place");
        }
        let root = if self.is_input { "inputSchema" } else { "outputSchema" };
        let document = self.findings.tool.get(root).cloned().unwrap_or_default();
        if leads_back(&document, reference) {
            let message =
                "the schema contains itself; Anthropic refuses that, and one such output fails a whole tools/list";
            self.findings.add(
                Rule::Recursion,
                place,
                message,
                "bound the depth and write the levels out, or take a flat list with parent ids",
            );
        } else {
            let message = "several clients do not resolve references and see no type here";
            self.findings.add(Rule::Reference, place, message, "write the schema out in place");
        }
    }

    fn types(&mut self, node: &Map<String, Value>, place: &str) {
        match node.get("type") {
            Some(Value::Array(_)) => {
                let message = "a list of types: Gemini's proto form refuses it, gateways drop the tool";
                self.findings.add(
                    Rule::TypeList,
                    place,
                    message,
                    "one type; an optional property instead of null, `anyOf` where null means something",
                );
            }
            None if self.is_input => {
                let has_shape = ["enum", "const", "anyOf", "oneOf", "allOf", "$ref", "not", "if"];
                if !has_shape.iter().any(|keyword| node.contains_key(*keyword)) && place != "input" {
                    let message = "it takes any JSON, so a model cannot know what is right";
                    self.findings.add(Rule::Untyped, place, message, "state a type");
                }
            }
            _ => {}
        }
    }

    fn keywords(&mut self, node: &Map<String, Value>, place: &str) {
        if let Some(format) = node.get("format").and_then(Value::as_str)
            && !STANDARD_FORMATS.contains(&format)
        {
            let message =
                format!("the format `{format}` is not in the standard, and Gemini and OpenAI's strict form refuse it");
            self.findings.add(Rule::Format, place, message, "state bounds or a pattern instead");
        }
        if !self.is_input {
            return;
        }
        let missing: Vec<String> = NOT_IN_GEMINI
            .iter()
            .filter(|keyword| node.contains_key(**keyword))
            .map(|keyword| format!("`{keyword}`"))
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "{}: Gemini's `parameters` refuse the whole request for an unknown keyword",
                missing.join(", ")
            );
            self.findings.add(
                Rule::Keyword,
                place,
                message,
                "say it in the description for that provider, or send `parametersJsonSchema`",
            );
        }
        let is_object = node.get("type").is_some_and(|kind| kind == "object");
        if is_object && node.contains_key("properties") && node.get("additionalProperties") != Some(&Value::Bool(false))
        {
            let message = "a misspelt argument passes in silence, and strict forms refuse an open object";
            self.findings.add(Rule::OpenObject, place, message, "state `\"additionalProperties\":false`");
        }
    }

    fn words(&mut self, node: &Map<String, Value>) {
        for word in node.get("enum").and_then(Value::as_array).into_iter().flatten() {
            self.size.words += 1;
            self.size.characters += word.as_str().map_or(0, |word| word.chars().count());
        }
    }

    fn property(&mut self, name: &str, property: &Value, place: &str) {
        let allowed = |other: char| other.is_ascii_alphanumeric() || other == '_';
        let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if self.is_input && (!name.chars().all(allowed) || !starts_well || name.chars().count() > 64) {
            let message = "Gemini takes a letter or _ first, then letters, digits and _, 64 at most; Anthropic refuses more than 64";
            self.findings.add(Rule::PropertyName, place, message, "rename the property");
        }
        let is_described =
            property.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        if self.is_input && !is_described && property.get("const").is_none() {
            let message = "a model has to guess what it means";
            self.findings.add(Rule::PropertyDescription, place, message, "describe the property");
        }
    }
}

/// Whether what `reference` names leads back to it.
fn leads_back(document: &Value, reference: &str) -> bool {
    let mut seen = vec![reference.to_owned()];
    let mut next = 0;
    while next < seen.len() {
        let target = seen[next].strip_prefix('#').and_then(|pointer| document.pointer(pointer));
        let mut found = Vec::new();
        if let Some(target) = target {
            references(target, &mut found, 0);
        }
        if found.iter().any(|other| other == reference) {
            return true;
        }
        for other in found {
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
        next += 1;
    }
    false
}

fn references(value: &Value, found: &mut Vec<String>, depth: usize) {
    match value {
        _ if depth > DEEPEST * 2 => {}
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| references(member, found, depth + 1));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found, depth + 1)),
        _ => {}
    }
}
