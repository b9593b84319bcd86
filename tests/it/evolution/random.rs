//! Schemas, changes of schemas and values out of one seed: the same number gives the same case on every machine.

use contract_core::serde_json::{Map, Value, json};

/// A stream of numbers from a seed (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len())]
    }
}

const NAMES: [&str; 7] = ["id", "name", "kind", "tags", "size", "next", "x-y"];
const WORDS: [&str; 6] = ["open", "closed", "a", "b", "", "merged"];
const PATTERNS: [&str; 6] = ["^[a-z]+$", "^[a-z0-9]{1,4}$", "^a", "b$", "^(open|closed)$", "[0-9]"];
const FORMATS: [&str; 4] = ["date", "uuid", "ipv4", "email"];

/// A schema of any kind, at most `depth` deep.
pub(crate) fn schema(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 6 } else { 14 };
    match random.below(kinds) {
        0 => number(random, "integer"),
        1 => number(random, "number"),
        2 | 3 => text(random),
        4 => words(random),
        5 => json!({ "type": random.pick(&["boolean", "null", "string", "integer"]) }),
        6 | 7 => array(random, depth),
        8 => union(random, depth),
        9 => json!({ "type": ["string", random.pick(&["null", "integer", "boolean"])] }),
        10 if random.one_in(2) => odd(random, depth),
        _ => object(random, depth),
    }
}

fn number(random: &mut Random, kind: &str) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!(kind))]);
    if random.one_in(2) {
        schema.insert("minimum".to_owned(), json!(random.below(5)));
    }
    if random.one_in(2) {
        schema.insert("maximum".to_owned(), json!(5 + random.below(20)));
    }
    if random.one_in(6) {
        schema.insert("multipleOf".to_owned(), json!(random.pick(&[2, 3, 5])));
    }
    if kind == "number" && random.one_in(6) {
        schema.shift_remove("minimum");
        schema.insert("exclusiveMinimum".to_owned(), json!(random.below(3)));
    }
    Value::Object(schema)
}

fn text(random: &mut Random) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("string"))]);
    match random.below(6) {
        0 => drop(schema.insert("pattern".to_owned(), json!(random.pick(&PATTERNS)))),
        1 => drop(schema.insert("format".to_owned(), json!(random.pick(&FORMATS)))),
        2 | 3 => {
            if random.one_in(2) {
                schema.insert("minLength".to_owned(), json!(random.below(3)));
            }
            schema.insert("maxLength".to_owned(), json!(3 + random.below(6)));
        }
        _ => {}
    }
    Value::Object(schema)
}

fn words(random: &mut Random) -> Value {
    let words: Vec<&str> = WORDS.iter().copied().filter(|_| random.one_in(2)).collect();
    match words.as_slice() {
        [] => json!({ "const": random.pick(&WORDS) }),
        words => json!({ "enum": words }),
    }
}

fn array(random: &mut Random, depth: usize) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("array"))]);
    if random.one_in(6) {
        let places: Vec<Value> = (0..=random.below(2)).map(|_| self::schema(random, depth - 1)).collect();
        schema.insert("prefixItems".to_owned(), json!(places));
        schema.insert("items".to_owned(), if random.one_in(2) { json!(false) } else { self::schema(random, 0) });
    } else if !random.one_in(8) {
        schema.insert("items".to_owned(), self::schema(random, depth - 1));
    }
    if random.one_in(4) {
        schema.insert("minItems".to_owned(), json!(random.below(3)));
    }
    if random.one_in(4) {
        schema.insert("maxItems".to_owned(), json!(3 + random.below(3)));
    }
    if random.one_in(8) {
        schema.insert("uniqueItems".to_owned(), json!(true));
    }
    Value::Object(schema)
}

fn union(random: &mut Random, depth: usize) -> Value {
    let count = 2 + random.below(2);
    let branches: Vec<Value> = (0..count).map(|_| schema(random, depth - 1)).collect();
    let keyword = random.pick(&["anyOf", "anyOf", "oneOf"]);
    Value::Object(Map::from_iter([((*keyword).to_owned(), json!(branches))]))
}

/// Keywords that are seldom used.
fn odd(random: &mut Random, depth: usize) -> Value {
    match random.below(5) {
        0 => json!({ "allOf": [schema(random, depth - 1), schema(random, 0)] }),
        1 => json!({ "type": ["string", "integer", "null"], "not": schema(random, 0) }),
        2 => json!({
            "type": "object",
            "if": { "properties": { "kind": { "const": "a" } } },
            "then": { "required": ["id"] },
            "else": { "properties": { "id": schema(random, 0) } }
        }),
        3 => json!({ "type": "object", "dependentRequired": { "id": ["name"] } }),
        _ => json!({ "type": "object", "propertyNames": { "pattern": "^[a-z]" }, "maxProperties": 3 }),
    }
}

/// An object, which every root is.
pub(crate) fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..=random.below(3) {
        properties.insert((*random.pick(&NAMES)).to_owned(), schema(random, depth.saturating_sub(1)));
    }
    let required: Vec<&String> = properties.keys().filter(|_| random.one_in(2)).collect();
    let mut object = Map::from_iter([("type".to_owned(), json!("object"))]);
    if !required.is_empty() {
        object.insert("required".to_owned(), json!(required));
    }
    match random.below(5) {
        0 | 1 => drop(object.insert("additionalProperties".to_owned(), json!(false))),
        2 if random.one_in(2) => {
            object.insert("additionalProperties".to_owned(), schema(random, 0));
        }
        3 if random.one_in(3) => {
            object.insert("patternProperties".to_owned(), json!({ "^x": schema(random, 0) }));
        }
        _ => {}
    }
    object.insert("properties".to_owned(), Value::Object(properties));
    Value::Object(object)
}

/// `schema` with something in it made anew.
pub(crate) fn changed(random: &mut Random, schema: &Value, depth: usize) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut members = members.clone();
    // A type is only made anew where there is nothing else.
    let mut keywords: Vec<String> = members.keys().filter(|keyword| *keyword != "type").cloned().collect();
    keywords.extend(keywords.is_empty().then(|| "type".to_owned()));
    let keyword = random.pick(&keywords).clone();
    match members.get_mut(&keyword) {
        Some(Value::Object(named)) if keyword == "properties" && !named.is_empty() => {
            let known: Vec<String> = named.keys().cloned().collect();
            let name = random.pick(&known).clone();
            match random.below(8) {
                0 => drop(named.shift_remove(&name)),
                1 => drop(named.insert((*random.pick(&NAMES)).to_owned(), self::schema(random, 0))),
                _ => {
                    let property = changed(random, &named[&name].clone(), depth.saturating_sub(1));
                    named.insert(name, property);
                }
            }
        }
        Some(Value::Array(branches)) if ["anyOf", "oneOf", "allOf", "prefixItems"].contains(&keyword.as_str()) => {
            let place = random.below(branches.len());
            if random.one_in(4) {
                branches.push(self::schema(random, 0));
            } else {
                branches[place] = changed(random, &branches[place].clone(), depth.saturating_sub(1));
            }
        }
        Some(inner @ Value::Object(_)) if keyword == "items" => {
            *inner = changed(random, &inner.clone(), depth.saturating_sub(1));
        }
        Some(Value::Number(number)) => {
            let moved = number.as_i64().unwrap_or(3) + [-1, 1, 2][random.below(3)];
            members.insert(keyword, json!(moved.max(1)));
        }
        Some(Value::Array(words)) if keyword == "enum" => {
            if random.one_in(2) && words.len() > 1 {
                words.remove(0);
            } else {
                words.push(json!(format!("w{}", words.len())));
            }
        }
        Some(Value::Array(required)) if keyword == "required" => drop(required.pop()),
        Some(openness) if keyword == "additionalProperties" => *openness = json!(random.one_in(2)),
        _ => return self::schema(random, depth),
    }
    members.retain(|keyword, value| keyword != "required" || value.as_array().is_some_and(|names| !names.is_empty()));
    Value::Object(members)
}

/// A value that has something to do with `schema`, and may or may not fit.
pub(crate) fn value(random: &mut Random, schema: &Value, depth: usize) -> Value {
    let Value::Object(members) = schema else { return anything(random, depth) };
    if depth == 0 || random.one_in(14) {
        return anything(random, 0);
    }
    if let Some(word) = members.get("const") {
        return word.clone();
    }
    if let Some(Value::Array(words)) = members.get("enum") {
        return random.pick(words).clone();
    }
    for union in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(branches)) = members.get(union) {
            let branch = random.pick(branches).clone();
            return value(random, &branch, depth);
        }
    }
    let kind = match members.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => random.pick(kinds).as_str().unwrap_or("null").to_owned(),
        _ => return anything(random, depth),
    };
    let bound = |keyword: &str| members.get(keyword).and_then(Value::as_i64);
    match kind.as_str() {
        "null" => Value::Null,
        "boolean" => json!(random.one_in(2)),
        "integer" | "number" => {
            let low = bound("minimum").unwrap_or(-2);
            let number = low + i64::try_from(random.below(30)).unwrap() - 2;
            if kind == "number" && random.one_in(4) {
                json!(0.5 + f64::from(i32::try_from(number).unwrap()))
            } else {
                json!(number)
            }
        }
        "string" => string(random),
        "array" => {
            let open = json!(true);
            let items = members.get("items").unwrap_or(&open);
            let places = members.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
            (0..random.below(5)).map(|place| value(random, places.get(place).unwrap_or(items), depth - 1)).collect()
        }
        _ => {
            let mut object = Map::new();
            let required = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if random.one_in(2) || (required.contains(&json!(name)) && !random.one_in(12)) {
                    object.insert(name.clone(), value(random, property, depth - 1));
                }
            }
            if random.one_in(4) {
                let more = members.get("additionalProperties").cloned().unwrap_or(json!(true));
                object.insert((*random.pick(&NAMES)).to_owned(), value(random, &more, depth - 1));
            }
            Value::Object(object)
        }
    }
}

fn string(random: &mut Random) -> Value {
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
    if random.one_in(3) { json!(random.pick(&WORDS)) } else { json!(random.pick(&STRINGS)) }
}

fn anything(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.below(30)),
        3 => json!(0.5),
        4 | 5 => string(random),
        6 => json!([anything(random, depth - 1)]),
        _ => json!({ *random.pick(&NAMES): anything(random, depth - 1) }),
    }
}
