//! A schema as a TypeScript type.

use serde_json::{Map, Value};

use super::comment::{about, comment, indent, key, literal};

/// A list of at most this many items, always as many, is written as a tuple.
const LONGEST_TUPLE: u64 = 8;

/// The type of what `schema` accepts; its further lines stand at `depth`.
pub(super) fn of(schema: &Map<String, Value>, depth: usize) -> String {
    node(schema, depth).text(depth)
}

/// A type: one of its branches holds, each with the words that stand over it.
struct Type(Vec<(Vec<String>, String)>);

impl Type {
    fn plain(text: impl Into<String>) -> Self {
        Self(vec![(Vec::new(), text.into())])
    }

    fn union(branches: impl IntoIterator<Item = Self>) -> Self {
        let mut distinct: Vec<(Vec<String>, String)> = Vec::new();
        for (words, text) in branches.into_iter().flat_map(|branch| branch.0) {
            if distinct.iter().all(|(_, known)| *known != text) {
                distinct.push((words, text));
            }
        }
        if distinct.is_empty() { Self::plain("never") } else { Self(distinct) }
    }

    /// Whether each branch stands on lines of its own, one level in.
    fn is_tall(&self) -> bool {
        let long = self.0.iter().filter(|(_, text)| text.contains('\n')).count();
        self.0.len() > 1 && (long > 1 || self.0.iter().any(|(words, _)| !words.is_empty()))
    }

    fn text(self, depth: usize) -> String {
        if !self.is_tall() {
            return self.0.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" | ");
        }
        let margin = indent(depth + 1);
        let lines = self.0.into_iter().map(|(words, text)| format!("\n{}{margin}| {text}", comment(&words, depth + 1)));
        lines.collect()
    }

    /// The text where something binds to it.
    fn bound(self, depth: usize) -> String {
        if self.0.len() > 1 { format!("({})", self.text(depth)) } else { self.text(depth) }
    }
}

fn schema(value: &Value, depth: usize) -> Type {
    match value {
        Value::Object(schema) => node(schema, depth),
        Value::Bool(false) => Type::plain("never"),
        _ => Type::plain("unknown"),
    }
}

/// Everything that a node says holds at once.
fn node(schema: &Map<String, Value>, depth: usize) -> Type {
    let mut parts = Vec::new();
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        parts.push(Type::union(words.iter().map(|word| Type::plain(literal(word)))));
    } else if let Some(word) = schema.get("const") {
        parts.push(Type::plain(literal(word)));
    }
    for branches in ["oneOf", "anyOf"].iter().filter_map(|keyword| schema.get(*keyword)?.as_array()) {
        parts.push(of_branches(branches, depth));
    }
    let all = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    parts.extend(all.iter().map(|part| self::schema(part, depth)));
    // A bare kind says nothing more than the branches beside it.
    if parts.is_empty() || schema.contains_key("properties") || schema.contains_key("additionalProperties") {
        parts.insert(0, of_kind(schema, depth));
    }
    match <[Type; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => Type::plain(parts.into_iter().map(|part| part.bound(depth)).collect::<Vec<_>>().join(" & ")),
    }
}

fn of_branches(branches: &[Value], depth: usize) -> Type {
    let at = |depth| {
        Type::union(branches.iter().map(|branch| {
            let mut branch_type = schema(branch, depth);
            if let ([(words, _)], Some(said)) = (branch_type.0.as_mut_slice(), branch.get("description")) {
                *words = said.as_str().unwrap_or_default().lines().map(str::to_owned).collect();
            }
            branch_type
        }))
    };
    let flat = at(depth);
    if flat.is_tall() { at(depth + 1) } else { flat }
}

fn of_kind(schema: &Map<String, Value>, depth: usize) -> Type {
    match schema.get("type") {
        Some(Value::String(kind)) => Type::plain(of_named_kind(kind, schema, depth)),
        Some(Value::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            Type::union(kinds.map(|kind| Type::plain(of_named_kind(kind, schema, depth))))
        }
        _ => Type::plain("unknown"),
    }
}

fn of_named_kind(kind: &str, schema: &Map<String, Value>, depth: usize) -> String {
    match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => of_array(schema, depth),
        "object" => of_object(schema, depth),
        _ => "unknown".to_owned(),
    }
}

fn of_array(schema: &Map<String, Value>, depth: usize) -> String {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let item =
        || schema.get("items").map_or_else(|| "unknown".to_owned(), |items| self::schema(items, depth).text(depth));
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        let least = bound("minItems").and_then(|least| usize::try_from(least).ok()).unwrap_or(0);
        let mut places: Vec<String> = places
            .iter()
            .enumerate()
            .map(|(at, place)| {
                let place = self::schema(place, depth);
                if at < least { place.text(depth) } else { format!("{}?", place.bound(depth)) }
            })
            .collect();
        let is_full = bound("maxItems").is_some_and(|most| most <= places.len() as u64);
        if !is_full && schema.get("items") != Some(&Value::Bool(false)) {
            places.push(format!("...Array<{}>", item()));
        }
        return format!("[{}]", places.join(", "));
    }
    let item = item();
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most && most <= LONGEST_TUPLE => {
            let places: Vec<&str> = (0..most).map(|_| item.as_str()).collect();
            format!("[{}]", places.join(", "))
        }
        _ if item.chars().all(|character| character.is_ascii_alphabetic()) => format!("{item}[]"),
        _ => format!("Array<{item}>"),
    }
}

fn of_object(schema: &Map<String, Value>, depth: usize) -> String {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let rest = match schema.get("additionalProperties") {
        Some(Value::Bool(false)) if properties.is_empty() => Some("never".to_owned()),
        Some(Value::Object(_)) if !properties.is_empty() => Some("unknown".to_owned()),
        Some(values @ Value::Object(_)) => Some(self::schema(values, depth).text(depth)),
        _ if properties.is_empty() => Some("unknown".to_owned()),
        _ => None,
    };
    if properties.is_empty() {
        return format!("{{ [key: string]: {} }}", rest.unwrap_or_default());
    }
    let margin = indent(depth + 1);
    let mut text = String::from("{\n");
    for (name, property) in properties {
        let mark = if required.iter().any(|required| required == name) { "" } else { "?" };
        let lines = property.as_object().map(about).unwrap_or_default();
        let written = self::schema(property, depth + 1).text(depth + 1);
        // A union on lines of its own starts with its first one.
        let space = if written.starts_with('\n') { "" } else { " " };
        let name = key(name);
        text.extend([&comment(&lines, depth + 1), &margin, &name, mark, ":", space, &written, ";\n"]);
    }
    if let Some(rest) = rest {
        text.extend([&margin, "[key: string]: ", &rest, ";\n"]);
    }
    text + &indent(depth) + "}"
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::of;

    #[track_caller]
    fn check(schema: &Value, expected: &str) {
        assert_eq!(of(schema.as_object().unwrap(), 0), expected);
    }

    #[test]
    fn values_lists_and_maps() {
        check(&json!({}), "unknown");
        check(&json!({ "type": ["string", "null"] }), "string | null");
        check(&json!({ "type": "string", "enum": ["a", "b\"c"] }), r#""a" | "b\"c""#);
        check(&json!({ "enum": [1, null, true] }), "1 | null | true");
        check(&json!({ "type": "array", "items": { "type": "integer" } }), "number[]");
        check(
            &json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "null" }] } }),
            "Array<string | null>",
        );
        check(
            &json!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2 }),
            "[number, number]",
        );
        check(
            &json!({ "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }], "minItems": 1 }),
            "[number, string?, ...Array<unknown>]",
        );
        check(
            &json!({ "type": "array", "prefixItems": [{ "type": "integer" }], "minItems": 1, "maxItems": 1 }),
            "[number]",
        );
        check(&json!({ "type": "object", "additionalProperties": { "type": "number" } }), "{ [key: string]: number }");
        check(&json!({ "type": "object" }), "{ [key: string]: unknown }");
        check(
            &json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            "{ [key: string]: never }",
        );
    }

    #[test]
    fn objects_and_unions() {
        check(
            &json!({
                "type": "object",
                "properties": {
                    "a-b": { "type": "string", "description": "Not */ the end.\n\nMore.", "maxLength": 3 },
                    "which": { "description": "One of two.", "oneOf": [
                        { "type": "string", "const": "all" },
                        { "type": "object", "description": "One.", "properties": { "pr": { "type": "integer" } }, "required": ["pr"] },
                    ] },
                },
                "required": ["a-b"],
            }),
            &[
                "{",
                "  /**",
                r"   * Not *\/ the end.",
                "   *",
                "   * More.",
                "   * @maxLength 3",
                "   */",
                r#"  "a-b": string;"#,
                "  /** One of two. */",
                "  which?:",
                r#"    | "all""#,
                "    /** One. */",
                "    | {",
                "      pr: number;",
                "    };",
                "}",
            ]
            .join("\n"),
        );
        check(
            &json!({
                "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"],
                "oneOf": [{ "type": "object", "properties": { "b": { "type": "null" } }, "required": ["b"] }, { "type": "string" }],
            }),
            "{\n  a: string;\n} & ({\n  b: null;\n} | string)",
        );
    }
}
