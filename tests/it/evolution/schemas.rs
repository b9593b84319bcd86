//! Random schemas, in the spelling of 2020-12; `drafts.rs` spells them as other drafts do.

use contract_core::serde_json::{Map, Value, json};

use super::random::Random;

pub(crate) const NAMES: [&str; 7] = ["id", "name", "kind", "tags", "size", "next", "x-y"];
pub(crate) const WORDS: [&str; 6] = ["open", "closed", "a", "b", "", "merged"];
const PATTERNS: [&str; 6] = ["^[a-z]+$", "^[a-z0-9]{1,4}$", "^a", "b$", "^(open|closed)$", "[0-9]"];
const NAME_PATTERNS: [&str; 4] = ["^[a-z]", "^x", "e$", "^[a-z]{2,4}$"];
const FORMATS: [&str; 4] = ["date", "uuid", "ipv4", "email"];

/// Makes the schemas of one document, which may refer to what it defines.
pub(crate) struct Maker<'random> {
    pub(crate) random: &'random mut Random,
    /// References to the definitions that there are by now.
    references: Vec<String>,
}

impl<'random> Maker<'random> {
    pub(crate) fn new(random: &'random mut Random) -> Self {
        Self { random, references: Vec::new() }
    }

    /// Of `document`: what is made refers to its definitions.
    pub(crate) fn of(random: &'random mut Random, document: &Value) -> Self {
        let defined = document.get("$defs").and_then(Value::as_object).into_iter().flatten();
        let references = defined.map(|(name, _)| format!("#/$defs/{name}")).collect();
        Self { random, references }
    }

    /// A document: an object, and seldom definitions that it and they use several times.
    pub(crate) fn document(&mut self, depth: usize) -> Value {
        let mut defined = Map::new();
        let (count, is_anchored) = (1 + self.random.below(3), self.random.one_in(4));
        for place in 0..if self.random.one_in(3) { count } else { 0 } {
            let (name, way) = (format!("d{place}"), format!("#/$defs/d{place}"));
            let mut definition = self.schema(1);
            if self.random.one_in(6) {
                definition = json!({ "type": "object", "properties": {
                    "id": definition, "next": { "type": "array", "items": { "$ref": way } } } });
            }
            if is_anchored {
                // Beside a reference, older drafts see no name.
                definition = json!({ "$anchor": name, "allOf": [definition] });
            }
            self.references.push(if is_anchored { format!("#{name}") } else { way });
            defined.insert(name, definition);
        }
        let mut document = self.object(depth);
        if !defined.is_empty() {
            document["$defs"] = Value::Object(defined);
        }
        document
    }

    /// A schema of any kind, at most `depth` deep.
    pub(crate) fn schema(&mut self, depth: usize) -> Value {
        if !self.references.is_empty() && self.random.one_in(3) {
            return self.reference();
        }
        let kinds = if depth == 0 { 6 } else { 16 };
        match self.random.below(kinds) {
            0 => self.number("integer"),
            1 => self.number("number"),
            2 | 3 => self.text(),
            4 => self.words(),
            5 => json!({ "type": self.random.pick(&["boolean", "null", "string", "integer"]) }),
            6 | 7 => self.array(depth),
            8 => self.union(depth),
            9 => json!({ "type": ["string", self.random.pick(&["null", "integer", "boolean"])] }),
            10..=12 => self.seldom(depth),
            _ => self.object(depth),
        }
    }

    /// What is beside a reference is hidden in drafts before 2019-09.
    fn reference(&mut self) -> Value {
        let mut schema = json!({ "$ref": self.random.pick(&self.references) });
        match self.random.below(10) {
            0 => schema["maxLength"] = json!(self.random.below(6)),
            1 => schema["minimum"] = json!(self.random.below(6)),
            2 => schema["required"] = json!(["id"]),
            3 => schema["description"] = json!("One of them."),
            _ => {}
        }
        schema
    }

    fn number(&mut self, kind: &str) -> Value {
        let mut schema = Map::from_iter([("type".to_owned(), json!(kind))]);
        if self.random.one_in(2) {
            schema.insert("minimum".to_owned(), json!(self.random.below(5)));
        }
        if self.random.one_in(2) {
            schema.insert("maximum".to_owned(), json!(5 + self.random.below(20)));
        }
        if self.random.one_in(6) {
            schema.insert("multipleOf".to_owned(), json!(self.random.pick(&[2, 3, 5])));
        }
        if kind == "number" && self.random.one_in(6) {
            schema.shift_remove("minimum");
            schema.insert("exclusiveMinimum".to_owned(), json!(self.random.below(3)));
        }
        Value::Object(schema)
    }

    fn text(&mut self) -> Value {
        let mut schema = json!({ "type": "string" });
        match self.random.below(6) {
            0 => schema["pattern"] = json!(self.random.pick(&PATTERNS)),
            1 => schema["format"] = json!(self.random.pick(&FORMATS)),
            2 | 3 => {
                if self.random.one_in(2) {
                    schema["minLength"] = json!(self.random.below(3));
                }
                schema["maxLength"] = json!(3 + self.random.below(6));
            }
            _ => {}
        }
        schema
    }

    fn words(&mut self) -> Value {
        let words: Vec<&str> = WORDS.iter().copied().filter(|_| self.random.one_in(2)).collect();
        match words.as_slice() {
            [] => json!({ "const": self.random.pick(&WORDS) }),
            words => json!({ "enum": words }),
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut schema = json!({ "type": "array" });
        if self.random.one_in(6) {
            let places: Vec<Value> = (0..=self.random.below(2)).map(|_| self.schema(depth - 1)).collect();
            schema["prefixItems"] = json!(places);
            schema["items"] = if self.random.one_in(2) { json!(false) } else { self.schema(0) };
        } else if !self.random.one_in(8) {
            schema["items"] = self.schema(depth - 1);
        }
        if self.random.one_in(4) {
            schema["minItems"] = json!(self.random.below(3));
        }
        if self.random.one_in(4) {
            schema["maxItems"] = json!(3 + self.random.below(3));
        }
        if self.random.one_in(8) {
            schema["uniqueItems"] = json!(true);
        }
        if self.random.one_in(12) {
            schema["contains"] = self.schema(0);
            if self.random.one_in(3) {
                schema["minContains"] = json!(2);
            }
        }
        schema
    }

    /// Branches may overlap: nothing tells them apart.
    fn union(&mut self, depth: usize) -> Value {
        let branches: Vec<Value> = (0..2 + self.random.below(2)).map(|_| self.schema(depth - 1)).collect();
        json!({ *self.random.pick(&["anyOf", "anyOf", "oneOf"]): branches })
    }

    /// Keywords that are seldom used.
    fn seldom(&mut self, depth: usize) -> Value {
        match self.random.below(16) {
            0 | 1 => json!({ "allOf": [self.schema(depth - 1), self.schema(0)] }),
            2 | 3 => json!({ "type": ["string", "integer", "null"], "not": self.schema(0) }),
            4 => json!({
                "type": "object",
                "if": { "properties": { "kind": { "const": "a" } } },
                "then": { "required": ["id"] },
                "else": { "properties": { "id": self.schema(0) } }
            }),
            5 => json!({ "type": "string", "if": self.text(), "then": self.text(), "else": self.text() }),
            6 | 7 => json!({ "type": "object", "dependentRequired": { "id": ["name"] } }),
            8 => {
                json!({ "type": "object", "dependentSchemas": { "id": { "properties": { "name": self.schema(0) } } } })
            }
            9 | 10 => {
                json!({ "type": "object", "propertyNames": { "pattern": self.random.pick(&NAME_PATTERNS) }, "maxProperties": 3 })
            }
            11 => json!({ "type": "object", "propertyNames": { "maxLength": 2 + self.random.below(4) } }),
            12 => json!({
                "type": "object",
                "patternProperties": { *self.random.pick(&NAME_PATTERNS): self.schema(0) },
                "additionalProperties": self.random.one_in(2)
            }),
            13 | 14 => {
                let (first, second) = (self.schema(0), self.schema(0));
                json!({ "type": "object", "allOf": [{ "properties": { "id": first } }], "properties": { "name": second },
                        "unevaluatedProperties": false })
            }
            _ => json!({ "oneOf": [{ "oneOf": [self.schema(0), self.schema(0)] }, self.schema(0)] }),
        }
    }

    /// An object, which every root is.
    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        for _ in 0..=self.random.below(3) {
            properties.insert((*self.random.pick(&NAMES)).to_owned(), self.schema(depth.saturating_sub(1)));
        }
        let required: Vec<&String> = properties.keys().filter(|_| self.random.one_in(2)).collect();
        let mut object = json!({ "type": "object" });
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        match self.random.below(5) {
            0 | 1 => object["additionalProperties"] = json!(false),
            2 if self.random.one_in(2) => object["additionalProperties"] = self.schema(0),
            3 if self.random.one_in(3) => object["patternProperties"] = json!({ "^x": self.schema(0) }),
            _ => {}
        }
        object["properties"] = Value::Object(properties);
        object
    }

    /// `document` with something in it made anew; it defines what it did.
    pub(crate) fn successor(&mut self, document: &Value, depth: usize) -> Value {
        let mut successor = self.changed(document, depth);
        if let (Some(defined), None) = (document.get("$defs"), successor.get("$defs")) {
            successor["$defs"] = defined.clone();
        }
        successor
    }

    /// `schema` with something in it made anew.
    fn changed(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        let mut members = members.clone();
        // A type is only made anew where there is nothing else.
        let is_fixed = |keyword: &String| matches!(keyword.as_str(), "type" | "$anchor" | "description");
        let mut keywords: Vec<String> = members.keys().filter(|keyword| !is_fixed(keyword)).cloned().collect();
        keywords.extend(keywords.is_empty().then(|| "type".to_owned()));
        let keyword = self.random.pick(&keywords).clone();
        let below = depth.saturating_sub(1);
        match (keyword.as_str(), members.get_mut(&keyword)) {
            ("properties", Some(Value::Object(named))) if !named.is_empty() => {
                let known: Vec<String> = named.keys().cloned().collect();
                let name = self.random.pick(&known).clone();
                match self.random.below(8) {
                    0 => drop(named.shift_remove(&name)),
                    1 => drop(named.insert((*self.random.pick(&NAMES)).to_owned(), self.schema(0))),
                    _ => named[&name] = self.changed(&named[&name].clone(), below),
                }
            }
            ("$defs" | "patternProperties" | "dependentSchemas", Some(Value::Object(named))) => {
                let known: Vec<String> = named.keys().cloned().collect();
                let name = self.random.pick(&known).clone();
                let changed = self.changed(&named[&name].clone(), below);
                // What is referred to by a name keeps it.
                named[&name] = match named[&name].get("$anchor") {
                    Some(anchor) if changed.get("$anchor").is_none() => {
                        json!({ "$anchor": anchor, "allOf": [changed] })
                    }
                    _ => changed,
                };
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Some(Value::Array(branches))) => {
                let place = self.random.below(branches.len());
                if self.random.one_in(4) {
                    branches.push(self.schema(0));
                } else {
                    branches[place] = self.changed(&branches[place].clone(), below);
                }
            }
            ("items" | "if" | "then" | "else" | "not" | "contains" | "propertyNames", Some(inner))
                if inner.is_object() =>
            {
                *inner = self.changed(&inner.clone(), below);
            }
            (_, Some(Value::Number(number))) => {
                let moved = number.as_i64().unwrap_or(3) + [-1, 1, 2][self.random.below(3)];
                members.insert(keyword, json!(moved.max(1)));
            }
            ("pattern", Some(pattern)) => *pattern = json!(self.random.pick(&PATTERNS)),
            ("format", Some(format)) => *format = json!(self.random.pick(&FORMATS)),
            ("enum", Some(Value::Array(words))) => {
                if self.random.one_in(2) && words.len() > 1 {
                    words.remove(0);
                } else {
                    words.push(json!(format!("w{}", words.len())));
                }
            }
            ("required", Some(Value::Array(required))) => drop(required.pop()),
            ("additionalProperties" | "unevaluatedProperties", Some(openness)) => {
                *openness = json!(self.random.one_in(2));
            }
            ("dependentRequired", Some(asked)) => *asked = json!({ "id": [self.random.pick(&["name", "size"])] }),
            _ => return self.schema(depth),
        }
        members
            .retain(|keyword, value| keyword != "required" || value.as_array().is_some_and(|names| !names.is_empty()));
        Value::Object(members)
    }
}
