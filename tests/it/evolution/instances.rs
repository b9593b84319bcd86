//! Random values that have something to do with a schema, of any draft, and may or may not fit.

use contract_core::serde_json::{Map, Value, json};

use super::random::Random;
use super::schemas::{NAMES, WORDS};

/// A value for `document`.
pub(crate) fn value(random: &mut Random, document: &Value) -> Value {
    Instances { random, document }.value(document, 6)
}

struct Instances<'case> {
    random: &'case mut Random,
    document: &'case Value,
}

impl Instances<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(members) = schema else { return self.anything(depth.min(2)) };
        if depth == 0 || self.random.one_in(14) {
            return self.anything(0);
        }
        if let Some(way) = members.get("$ref") {
            let target = self.target(way).clone();
            return self.value(&target, depth - 1);
        }
        if let Some(word) = members.get("const") {
            return word.clone();
        }
        if let Some(Value::Array(words)) = members.get("enum") {
            return self.random.pick(words).clone();
        }
        for union in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(branches)) = members.get(union)
                && !(members.contains_key("properties") && self.random.one_in(2))
            {
                let branch = self.random.pick(branches).clone();
                return self.value(&branch, depth);
            }
        }
        let kind = match members.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => self.random.pick(kinds).as_str().unwrap_or("null").to_owned(),
            _ => return self.anything(depth.min(2)),
        };
        match kind.as_str() {
            "null" => Value::Null,
            "boolean" => json!(self.random.one_in(2)),
            "integer" | "number" => {
                let low = members.get("minimum").and_then(Value::as_i64).unwrap_or(-2);
                let number = low + i64::try_from(self.random.below(30)).unwrap() - 2;
                if kind == "number" && self.random.one_in(4) {
                    json!(0.5 + f64::from(i32::try_from(number).unwrap()))
                } else {
                    json!(number)
                }
            }
            "string" => self.string(),
            "array" => self.array(members, depth),
            _ => self.object(members, depth),
        }
    }

    fn target(&self, way: &Value) -> &Value {
        static ANY: Value = Value::Bool(true);
        let name = way.as_str().unwrap().rsplit(['/', '#']).next().unwrap();
        ["$defs", "definitions"].iter().find_map(|keyword| self.document.get(keyword)?.get(name)).unwrap_or(&ANY)
    }

    fn array(&mut self, members: &Map<String, Value>, depth: usize) -> Value {
        let open = json!(true);
        let (places, rest) = match members.get("items") {
            Some(Value::Array(places)) => (Some(places), members.get("additionalItems")),
            items => (members.get("prefixItems").and_then(Value::as_array), items),
        };
        let (places, rest) = (places.cloned().unwrap_or_default(), rest.unwrap_or(&open));
        let items = (0..self.random.below(5)).map(|place| {
            let schema = members.get("contains").filter(|_| self.random.one_in(3));
            self.value(schema.unwrap_or(places.get(place).unwrap_or(rest)), depth - 1)
        });
        items.collect()
    }

    fn object(&mut self, members: &Map<String, Value>, depth: usize) -> Value {
        let mut object = Map::new();
        let required = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        // What stands behind a condition is for this object, too.
        let conditional = ["then", "else", "not"].into_iter().filter_map(|keyword| members.get(keyword));
        let by_name =
            ["dependentSchemas", "dependencies"].into_iter().filter_map(|keyword| members.get(keyword)?.get("id"));
        let all = members.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let inner: Vec<&Value> = conditional.chain(by_name).chain(all).filter(|_| self.random.one_in(2)).collect();
        let named = inner.into_iter().filter_map(|schema| schema.get("properties")).chain(members.get("properties"));
        for (name, property) in named.filter_map(Value::as_object).flatten() {
            if self.random.one_in(2) || (required.contains(&json!(name)) && !self.random.one_in(12)) {
                object.insert(name.clone(), self.value(property, depth - 1));
            }
        }
        if self.random.one_in(4) {
            let named = members.get("patternProperties").and_then(Value::as_object);
            let schema = named.and_then(|named| named.values().next()).filter(|_| self.random.one_in(2));
            let more = schema.or(members.get("additionalProperties")).cloned().unwrap_or(json!(true));
            object.insert((*self.random.pick(&NAMES)).to_owned(), self.value(&more, depth - 1));
        }
        Value::Object(object)
    }

    fn string(&mut self) -> Value {
        const STRINGS: [&str; 9] = [
            "",
            "a",
            "ab",
            "abcd",
            "abcdefghij",
            "2020-01-01",
            "00000000-0000-4000-8000-000000000000",
            "127.0.0.1",
            "a@b.co",
        ];
        if self.random.one_in(3) { json!(self.random.pick(&WORDS)) } else { json!(self.random.pick(&STRINGS)) }
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.random.one_in(2)),
            2 => json!(self.random.below(30)),
            3 => json!(0.5),
            4 | 5 => self.string(),
            6 => json!([self.anything(depth - 1)]),
            _ => json!({ *self.random.pick(&NAMES): self.anything(depth - 1) }),
        }
    }
}
