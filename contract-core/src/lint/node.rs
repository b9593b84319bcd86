//! The limits on each schema inside a schema, from the root down.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::reference::References;
use super::shape::{self, Holds};
use super::strict::{self, Budget, Size};
use super::{Findings, Place, Rule, provider};
use crate::evolution::{cut, kind};
use crate::schema::STANDARD_FORMATS;

/// Deeper than this nothing is looked at; strict forms take ten levels.
const DEEPEST: usize = 64;

/// As many names as a message lists.
const MOST_LISTED: usize = 8;

/// Whether a schema says all of a value, or a part that hangs together with others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    All,
    Part,
}

/// Where a walk is.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    /// Objects around this schema.
    levels: usize,
    says: Says,
}

/// One look at a schema with all that lies in it.
pub(super) struct Walk<'walk> {
    findings: &'walk mut Findings,
    references: References<'walk>,
    is_input: bool,
    is_current: bool,
    size: Size,
    budget: Budget,
}

impl<'walk> Walk<'walk> {
    pub(super) fn of_input(document: &'walk Value, is_current: bool, findings: &'walk mut Findings) -> Self {
        let references = References::of(document);
        Self { findings, references, is_input: true, is_current, size: Size::default(), budget: Budget::default() }
    }

    pub(super) fn of_output(document: &'walk Value, is_current: bool, findings: &'walk mut Findings) -> Self {
        Self { is_input: false, ..Self::of_input(document, is_current, findings) }
    }

    /// What the input costs, once it was visited.
    pub(super) fn cost(self) -> (Size, Budget) {
        (self.size, self.budget)
    }

    /// Looks at the root and everything below it.
    pub(super) fn visit(&mut self, root: &Map<String, Value>, place: &Place) {
        self.node(root, place, At { depth: 0, levels: 0, says: Says::All });
    }

    fn node(&mut self, node: &Map<String, Value>, place: &Place, at: At) {
        if at.depth > DEEPEST {
            let message = format!("it lies {DEEPEST} schemas deep, and what lies below was not looked at");
            return self.findings.add(Rule::SchemaDepth, place, message, "say it with fewer levels, or as a flat list");
        }
        shape::check(node, self.is_current, place, self.findings);
        self.references.check(node, place, self.findings);
        self.types(node, place, at);
        if self.is_input && at.says == Says::All {
            self.items(node, place);
            self.required(node, place);
        }
        self.format(node, place);
        let has_properties = node.get("properties").is_some_and(Value::is_object);
        let levels = at.levels + usize::from(has_properties);
        if self.is_input {
            provider::check(node, place, self.findings);
            self.beside_a_reference(node, place);
            self.object(node, place, at);
            self.count(node, place, at, levels);
        }
        for (keyword, holds, value) in shape::with_schemas(node) {
            self.below(node, place, At { depth: at.depth + 1, levels, says: at.says }, (keyword, holds, value));
        }
    }

    /// What lies in one keyword of `node`.
    fn below(
        &mut self,
        node: &Map<String, Value>,
        place: &Place,
        at: At,
        (keyword, holds, value): (&str, Holds, &Value),
    ) {
        let here = place.member(keyword);
        let says = match keyword {
            "not" | "if" | "then" | "else" | "propertyNames" | "dependentSchemas" | "allOf" | "contains" => Says::Part,
            // Branches of a union that has a type are what is added to it.
            "anyOf" | "oneOf" if node.contains_key("type") || node.contains_key("properties") => Says::Part,
            _ => at.says,
        };
        let at = At { says, ..at };
        match (holds, value) {
            (Holds::Schema, Value::Array(listed)) if keyword == "items" => {
                listed.iter().enumerate().for_each(|(index, schema)| {
                    self.child(schema, &here.item(index).called(&format!("[{index}]")), at);
                });
            }
            (Holds::Schema, schema) => {
                let suffix = match keyword {
                    "items" | "contains" | "unevaluatedItems" | "additionalItems" => "[]",
                    "additionalProperties" | "unevaluatedProperties" => "{}",
                    _ => "",
                };
                let opens_or_closes =
                    ["additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems"];
                let is_idiom = opens_or_closes.contains(&keyword)
                    || (keyword == "items" && *schema == Value::Bool(false) && node.contains_key("prefixItems"));
                if schema.is_object() || (schema.is_boolean() && !is_idiom) {
                    self.child(schema, &here.called(suffix), at);
                }
            }
            (Holds::Schemas, Value::Array(branches)) => {
                for (index, branch) in branches.iter().enumerate() {
                    let suffix = if keyword == "prefixItems" { format!("[{index}]") } else { String::new() };
                    self.child(branch, &here.item(index).called(&suffix), at);
                }
            }
            (Holds::SchemasByName, Value::Object(members)) => {
                for (name, schema) in members {
                    let suffix = match keyword {
                        "$defs" | "definitions" => format!("#{name}"),
                        "patternProperties" => "{}".to_owned(),
                        "dependentSchemas" => String::new(),
                        _ => format!(".{name}"),
                    };
                    let here = here.member(name).called(&suffix);
                    match keyword {
                        "properties" if self.is_input => self.property(name, schema, &here, at),
                        "patternProperties" if !shape::is_pattern(name) => {
                            let message = format!("`{}` is no regular expression", cut(name));
                            self.findings.add(Rule::Invalid, &here, message, "correct the pattern");
                        }
                        _ => {}
                    }
                    self.child(schema, &here, at);
                }
            }
            _ => {}
        }
    }

    fn child(&mut self, schema: &Value, place: &Place, at: At) {
        match schema {
            Value::Object(members) => self.node(members, place, at),
            Value::Bool(_) => {
                let message = "a boolean stands where a schema does, which the Inspector and several clients refuse";
                self.findings.add(Rule::BooleanSchema, place, message, "write a schema with a type");
            }
            other => {
                let message = format!("{} stands where a schema should", kind(other));
                self.findings.add(Rule::Invalid, place, message, "write a schema: an object with a type");
            }
        }
    }

    fn types(&mut self, node: &Map<String, Value>, place: &Place, at: At) {
        match node.get("type") {
            Some(Value::Array(_)) => {
                let message = "a list of types: Gemini's proto form refuses it, Anthropic's strict converter fails on it, gateways \
                               drop the tool";
                let fix = "one type; an optional property instead of null, `anyOf` where null means something";
                self.findings.add(Rule::TypeList, &place.member("type"), message, fix);
            }
            None if self.is_input && at.says == Says::All && at.depth > 0 => {
                let has_shape = ["const", "anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "not", "if", "properties"];
                if node.contains_key("enum") {
                    let message = "an enum without a type, which Gemini refuses: it takes enums of strings alone";
                    self.findings.add(Rule::Untyped, place, message, "state the type of its words");
                } else if !has_shape.iter().any(|keyword| node.contains_key(*keyword)) {
                    let message = "it takes any JSON, so a model cannot know what is right";
                    self.findings.add(Rule::Untyped, place, message, "state a type");
                }
            }
            _ => {}
        }
    }

    fn items(&mut self, node: &Map<String, Value>, place: &Place) {
        if node.get("type").is_some_and(|kind| kind == "array") && !node.contains_key("items") {
            let message = "an array that does not say of what: OpenAI, Gemini and VS Code refuse it";
            self.findings.add(Rule::ArrayItems, place, message, "state `items`");
        }
    }

    fn required(&mut self, node: &Map<String, Value>, place: &Place) {
        let required = node.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let names = node.get("properties").and_then(Value::as_object);
        let is_declared = |name: &&str| names.is_some_and(|names| names.contains_key(*name));
        let unknown: Vec<&str> = required.iter().filter_map(Value::as_str).filter(|name| !is_declared(name)).collect();
        if !unknown.is_empty() {
            let message = format!("{} is required and not declared, which Gemini refuses", listed(&unknown));
            let fix = "declare it under `properties`, or do not require it";
            self.findings.add(Rule::RequiredUndeclared, &place.member("required"), message, fix);
        }
    }

    fn format(&mut self, node: &Map<String, Value>, place: &Place) {
        if let Some(format) = node.get("format").and_then(Value::as_str)
            && !STANDARD_FORMATS.contains(&format)
        {
            let message = format!(
                "the format `{}` is not in the standard: OpenAI's strict form refuses it, and Gemini most of them",
                cut(format)
            );
            self.findings.add(Rule::Format, &place.member("format"), message, "state bounds or a pattern instead");
        }
    }

    fn beside_a_reference(&mut self, node: &Map<String, Value>, place: &Place) {
        if !node.contains_key("$ref") {
            return;
        }
        let beside: Vec<&str> = node.keys().map(String::as_str).filter(|keyword| provider::asserts(keyword)).collect();
        if !beside.is_empty() {
            let message = format!("{} beside `$ref`, which OpenAI's strict form refuses", listed(&beside));
            self.findings.add(Rule::ReferenceSiblings, place, message, "write the schema out in place");
        }
    }

    /// What an object says of the properties that it does not name, and which it may lack.
    fn object(&mut self, node: &Map<String, Value>, place: &Place, at: At) {
        let is_object = node.get("type").is_some_and(|kind| kind == "object") || node.contains_key("properties");
        if !is_object || at.says == Says::Part {
            return;
        }
        let names = node.get("properties").and_then(Value::as_object);
        let others = node.get("additionalProperties");
        let is_map = others.is_some_and(Value::is_object)
            || node.contains_key("patternProperties")
            || (names.is_none_or(Map::is_empty) && at.depth > 0 && others != Some(&Value::Bool(false)));
        let is_open = others != Some(&Value::Bool(false));
        if is_map {
            let message = "a map, whose keys are the caller's own: OpenAI's strict form refuses it, Gemini's `parameters` have no \
                           word for it, Anthropic's strict form closes it";
            let fix = "take a list of objects with a name and a value, or do without the strict forms and send Gemini \
                       `parametersJsonSchema`";
            self.findings.add(Rule::Map, place, message, fix);
        } else if is_open && node.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
            let message = "only `unevaluatedProperties` closes it, which no provider's form knows: there it is open";
            self.findings.add(Rule::OpenObject, place, message, "state `\"additionalProperties\":false`");
        } else if is_open {
            let message = "a misspelt argument passes in silence, and strict forms refuse an open object";
            self.findings.add(Rule::OpenObject, place, message, "state `\"additionalProperties\":false`");
        }
        let optional: Vec<&str> = optional(node).collect();
        if !optional.is_empty() {
            let message =
                format!("{} may be left out, and OpenAI's strict form requires every property", listed(&optional));
            let fix = "require it and let it be null, where the strict form is sent as it stands";
            self.findings.add(Rule::StrictOptional, place, message, fix);
        }
    }

    fn count(&mut self, node: &Map<String, Value>, place: &Place, at: At, levels: usize) {
        let names = |keyword: &str| node.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let words = node.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        strict::check_enum(words, place, self.findings);
        self.size.levels = self.size.levels.max(levels);
        self.size.properties += names("properties").count();
        self.size.words += words.len();
        let all_names = names("properties").chain(names("$defs")).chain(names("definitions"));
        self.size.characters += all_names.map(|name| name.chars().count()).sum::<usize>()
            + words.iter().chain(node.get("const")).map(strict::length).sum::<usize>();
        self.budget.optional += optional(node).count();
        let is_union = ["anyOf", "oneOf"].iter().any(|keyword| node.contains_key(*keyword))
            || node.get("type").is_some_and(Value::is_array);
        self.budget.unions += usize::from(is_union && at.depth > 0);
    }

    fn property(&mut self, name: &str, property: &Value, place: &Place, at: At) {
        let for_all = |other: char| other.is_ascii_alphanumeric() || other == '_';
        let for_anthropic = |other: char| for_all(other) || other == '.' || other == '-';
        let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let is_taken_by_anthropic = (1..=64).contains(&name.chars().count()) && name.chars().all(for_anthropic);
        let message = if !is_taken_by_anthropic {
            "Anthropic takes 1 to 64 of A-Z a-z 0-9 _ . - in a property's name, Gemini fewer"
        } else if !starts_well || !name.chars().all(for_all) {
            "Gemini takes a letter or _ first in a property's name, then letters, digits and _"
        } else {
            ""
        };
        if !message.is_empty() {
            let fix = "rename it: a letter or _ first, then letters, digits and _, 64 at most";
            self.findings.add(Rule::PropertyName, place, message, fix);
        }
        let is_described =
            property.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        if !is_described && property.get("const").is_none() && at.says == Says::All {
            let message = "a model has to guess what it means";
            self.findings.add(Rule::PropertyDescription, place, message, "describe the property");
        }
    }
}

/// The properties that `node` declares and does not require.
fn optional(node: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let required = node.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names = node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let required: HashSet<&str> = required.iter().filter_map(Value::as_str).collect();
    names.map(String::as_str).filter(move |name| !required.contains(name))
}

/// Names in a sentence.
fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("`{}`", cut(name))).collect();
    let more = names.len() - shown.len();
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}
