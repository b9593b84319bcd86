//! Valid calls of a tool, put together from what its contract gives as examples.

use serde_json::{Map, Value, json};

use crate::believable;
use crate::definition::ToolDefinition;
use crate::schema::nullable_inner;

/// Properties that a valid call needs and that give no example of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingExamples {
    /// The properties, as names: `plan.steps[].id`.
    pub places: Vec<String>,
}

impl std::fmt::Display for MissingExamples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let places: Vec<String> = self.places.iter().map(|place| format!("`{place}`")).collect();
        write!(
            f,
            "{} without an example; write `#[arg(example = \"x\")]` on a parameter, `#[schemars(example = &\"x\")]` on a field, or \
             `examples = path` on the tool",
            places.join(", ")
        )
    }
}

impl std::error::Error for MissingExamples {}

impl ToolDefinition {
    /// Valid arguments: those the handler states, else one call with what is required, one with everything that has an example,
    /// and one more for each further branch of a union.
    ///
    /// # Errors
    /// When required properties give no example; see [`MissingExamples`] for how to give one.
    pub fn examples(&self) -> Result<Vec<Value>, MissingExamples> {
        if !self.stated_examples().is_empty() {
            return Ok(self.stated_examples().to_vec());
        }
        let mut examples = Vec::new();
        let mut missing = Vec::new();
        let mut branches = 1;
        for (members, branch) in [(Members::Required, 0), (Members::All, 0)] {
            let mut assembly = Assembly { members, branch, branches: 1, missing: Vec::new(), gaps: Gaps::Told };
            examples.extend(assembly.object(self.input_schema(), ""));
            branches = branches.max(assembly.branches);
            missing = assembly.missing;
        }
        for branch in 1..branches {
            let mut assembly =
                Assembly { members: Members::All, branch, branches: 1, missing: Vec::new(), gaps: Gaps::Told };
            examples.extend(assembly.object(self.input_schema(), ""));
        }
        examples.dedup();
        missing.dedup();
        if missing.is_empty() { Ok(examples) } else { Err(MissingExamples { places: missing }) }
    }
}

impl ToolDefinition {
    /// An answer that fits the output schema: put together from the examples of its properties, with values by their names and
    /// descriptions where there are none. None when no such value was found.
    pub fn example_answer(&self) -> Option<Value> {
        let schema = Value::Object(self.output_schema().clone());
        let judge = crate::validator::compile(&schema).ok()?;
        let mut assembly =
            Assembly { members: Members::All, branch: 0, branches: 1, missing: Vec::new(), gaps: Gaps::Filled };
        let assembled = assembly.object(self.output_schema(), "").filter(|answer| judge.is_valid(answer));
        assembled.or_else(|| crate::evolution::smallest(&schema).filter(|answer| judge.is_valid(answer)))
    }
}

/// What becomes of a property that gives no example of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// It is told as missing.
    Told,
    /// It gets a value that reads like one.
    Filled,
}

/// Which members an assembled object has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    Required,
    All,
}

/// One example under construction.
struct Assembly {
    members: Members,
    /// Which branch of each union is taken; a union with fewer takes its last.
    branch: usize,
    /// The most branches that any union on the way has.
    branches: usize,
    /// Required properties that give no example.
    missing: Vec<String>,
    gaps: Gaps,
}

impl Assembly {
    fn object(&mut self, schema: &Map<String, Value>, place: &str) -> Option<Value> {
        let none = Map::new();
        let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut object = Map::new();
        let mut is_whole = true;
        for (name, property) in schema.get("properties").and_then(Value::as_object).unwrap_or(&none) {
            let Value::Object(property) = property else { continue };
            let is_required = required.iter().any(|required| required == name);
            if !is_required && self.members == Members::Required {
                continue;
            }
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            let before = self.missing.len();
            match self.value(property, &place) {
                Some(example) => {
                    object.insert(name.clone(), example);
                }
                None if is_required => is_whole = false,
                // What may be left out is left out.
                None => self.missing.truncate(before),
            }
        }
        is_whole.then_some(Value::Object(object))
    }

    fn value(&mut self, schema: &Map<String, Value>, place: &str) -> Option<Value> {
        if let Some(Value::Array(branches)) = schema.get("oneOf") {
            self.branches = self.branches.max(branches.len());
            let stated = schema.get("examples").and_then(|examples| examples.get(self.branch));
            let taken = branches.get(self.branch).or_else(|| branches.last())?.as_object()?;
            // The first example that the union states stands for its first branch only.
            return stated.cloned().or_else(|| self.value(taken, place));
        }
        let stated = schema.get("examples").and_then(|examples| examples.get(0));
        if let Some(example) = stated.or_else(|| schema.get("const")).or_else(|| schema.get("default")) {
            return Some(example.clone());
        }
        if let Some(first) = schema.get("enum").and_then(|words| words.get(0)) {
            return Some(first.clone());
        }
        if let Some(inner) = nullable_inner(schema) {
            return self.value(&described(inner, schema), place);
        }
        if let (Some(Value::Array(branches)), Gaps::Filled) = (schema.get("anyOf"), self.gaps) {
            return self.value(branches.first()?.as_object()?, place);
        }
        let is_map = schema.get("additionalProperties").is_some_and(|open| open != &Value::Bool(false));
        match (schema.get("type").and_then(Value::as_str), schema.get("items")) {
            (Some("boolean"), _) => Some(true.into()),
            (Some("object"), _) if !is_map => self.object(schema, place),
            (Some("array"), Some(Value::Object(item))) => {
                self.value(&described(item, schema), &format!("{place}[]")).map(|item| json!([item]))
            }
            (Some("string" | "integer" | "number"), _) if self.gaps == Gaps::Filled => {
                let name = place.trim_end_matches("[]");
                believable::value(name.rsplit('.').next().unwrap_or(name), schema)
            }
            // A further branch is worth a call even where its author gave no example of it.
            (Some(kind), _) if self.branch > 0 || self.gaps == Gaps::Filled => plainest(kind, schema),
            _ => {
                self.missing.push(place.to_owned());
                None
            }
        }
    }
}

/// `inner` with the description of `outer`, which speaks of it, where it has none of its own.
fn described(inner: &Map<String, Value>, outer: &Map<String, Value>) -> Map<String, Value> {
    let mut inner = inner.clone();
    if let (None, Some(description)) = (inner.get("description"), outer.get("description")) {
        inner.insert("description".to_owned(), description.clone());
    }
    inner
}

/// The plainest value of a scalar type within its bounds; none where a pattern or a format makes that a guess.
fn plainest(kind: &str, schema: &Map<String, Value>) -> Option<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
    match kind {
        "integer" | "number" => {
            Some(1_i64.max(bound("minimum").unwrap_or(1)).min(bound("maximum").unwrap_or(i64::MAX)).into())
        }
        "object" => Some(json!({})),
        "array" if bound("minItems").unwrap_or(0) == 0 => Some(json!([])),
        "string" if !schema.contains_key("pattern") && !schema.contains_key("format") => {
            let length = usize::try_from(bound("minLength").unwrap_or(1).max(1)).ok()?;
            Some("x".repeat(length).into())
        }
        _ => None,
    }
}
