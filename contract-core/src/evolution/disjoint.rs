//! Whether no value fits two schemas at once, as far as single keywords show it. Where the branches of a `oneOf` are apart, exactly
//! one is any of them, and it is read branch by branch.

use serde_json::{Map, Value};

use super::document::Document;
use super::effort::Effort;
use super::keywords::{is_at_most, list, names, types};
use super::words::{Words, listed};

/// How far down it looks, in schemas and values together.
const DEEPEST: usize = 16;

/// The most schemas that are held against each other.
const MOST: usize = 48;

/// What a value can be; every integer is a number.
const KINDS: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// Keywords that bound the same from below and from above, for the values of a kind.
const BOUNDS: [(&str, &str, &str); 6] = [
    ("number", "minimum", "maximum"),
    ("number", "exclusiveMinimum", "maximum"),
    ("number", "minimum", "exclusiveMaximum"),
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
];

/// Whether no value fits two of `branches`; `false` says nothing.
pub(super) fn are_apart(document: &Document, branches: &[Value], effort: &Effort<'_>) -> bool {
    let look = Look { document, effort };
    branches.len() <= MOST
        && branches
            .iter()
            .enumerate()
            .all(|(place, one)| branches[place + 1..].iter().all(|other| look.is_apart(one, other, 0)))
}

/// A schema's keywords and those of what it refers to and is part of: all of them hold.
type Held<'document> = Vec<&'document Map<String, Value>>;

struct Look<'look> {
    document: &'look Document,
    effort: &'look Effort<'look>,
}

impl Look<'_> {
    fn is_apart(&self, one: &Value, other: &Value, depth: usize) -> bool {
        if depth > DEEPEST || !self.effort.affords(2) {
            return false;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        if !self.hold(one, &mut left, depth) || !self.hold(other, &mut right, depth) {
            return true;
        }
        if self.is_apart_by_branches(&left, other, depth) || self.is_apart_by_branches(&right, one, depth) {
            return true;
        }
        let both: Held<'_> = left.iter().chain(&right).copied().collect();
        let is_apart_in = |kind: &str| {
            !both.iter().all(|held| may_be(held, kind))
                || self.effort.affords(both.len() as u64) && self.is_none_of_kind(kind, &both, depth)
        };
        has_no_common_word(&both) || KINDS.into_iter().all(is_apart_in)
    }

    /// Takes up what `schema` says of the value itself; whether any value fits.
    fn hold<'document>(&'document self, schema: &'document Value, held: &mut Held<'document>, depth: usize) -> bool {
        let Value::Object(members) = schema else { return schema != &Value::Bool(false) };
        held.push(members);
        if depth > DEEPEST || held.len() > MOST {
            return true;
        }
        let target = members.get("$ref").and_then(Value::as_str).and_then(|reference| self.document.resolve(reference));
        target.into_iter().chain(list(members.get("allOf"))).all(|part| self.hold(part, held, depth + 1))
    }

    /// Whether one side offers branches alone that are all apart from `other`.
    fn is_apart_by_branches(&self, held: &Held<'_>, other: &Value, depth: usize) -> bool {
        held.iter().flat_map(|members| [members.get("anyOf"), members.get("oneOf")]).flatten().any(|union| {
            let branches = list(Some(union));
            !branches.is_empty()
                && branches.len() <= MOST
                && branches.iter().all(|branch| self.is_apart(branch, other, depth + 1))
        })
    }

    /// Whether no value of `kind` fits all of `held`.
    fn is_none_of_kind(&self, kind: &str, held: &Held<'_>, depth: usize) -> bool {
        is_none_between(kind, held)
            || match kind {
                "object" => self.is_member_impossible(held, depth),
                "array" => self.is_place_impossible(held, depth),
                _ => false,
            }
    }

    /// Whether a property that must be there cannot be.
    fn is_member_impossible(&self, held: &Held<'_>, depth: usize) -> bool {
        held.iter().flat_map(|members| names(members.get("required"))).any(|name| {
            let said: Vec<&Value> = held.iter().filter_map(|members| said_of(members, name)).collect();
            self.is_none_of_all(&said, depth)
        })
    }

    /// Whether a place that must be filled cannot be.
    fn is_place_impossible(&self, held: &Held<'_>, depth: usize) -> bool {
        let least = held.iter().filter_map(|members| members.get("minItems")?.as_u64()).max().unwrap_or(0);
        let told = held.iter().map(|members| list(members.get("prefixItems")).len() + 1).max().unwrap_or(1);
        let count = usize::try_from(least).unwrap_or(usize::MAX).min(told).min(MOST);
        (0..count).any(|place| {
            let at = |members: &&'_ Map<String, Value>| -> Option<Value> { said_at(members, place).cloned() };
            let said: Vec<Value> = held.iter().filter_map(at).collect();
            self.is_none_of_all(&said.iter().collect::<Vec<&Value>>(), depth)
        })
    }

    /// Whether two of `said` are apart, or one takes nothing.
    fn is_none_of_all(&self, said: &[&Value], depth: usize) -> bool {
        said.contains(&&Value::Bool(false))
            || said
                .iter()
                .enumerate()
                .any(|(place, one)| said[place + 1..].iter().any(|other| self.is_apart(one, other, depth + 1)))
    }
}

fn may_be(members: &Map<String, Value>, kind: &str) -> bool {
    let is_named = |named: &Value| types(named).any(|named| named == kind || (named == "integer" && kind == "number"));
    // What it lists are the only values that it takes.
    let is_listed = |words: Vec<&Value>| words.into_iter().any(|word| kind_of(word) == kind);
    members.get("type").is_none_or(is_named) && listed(members).is_none_or(is_listed)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether two list their values, and none alike.
fn has_no_common_word(held: &Held<'_>) -> bool {
    let lists: Vec<Vec<&Value>> = held.iter().filter_map(|members| listed(members)).collect();
    let Some((first, others)) = lists.split_first() else { return false };
    let others: Vec<Words> = others.iter().map(|words| Words::of(words.iter().copied())).collect();
    first.iter().all(|word| others.iter().any(|words| !words.contains(word)))
}

/// Whether a lower bound lies above an upper one.
fn is_none_between(kind: &str, held: &Held<'_>) -> bool {
    BOUNDS.iter().filter(|(of, ..)| *of == kind).any(|(_, low, high)| {
        let lows = held.iter().filter_map(|members| members.get(*low));
        lows.into_iter().any(|low_bound| {
            held.iter().filter_map(|members| members.get(*high)).any(|high_bound| {
                let is_open = low.starts_with("exclusive") || high.starts_with("exclusive");
                is_at_most(high_bound, low_bound) && (is_open || !is_at_most(low_bound, high_bound))
            })
        })
    })
}

/// What `members` says of the property `name`, where that is one schema.
fn said_of<'members>(members: &'members Map<String, Value>, name: &str) -> Option<&'members Value> {
    let declared = members.get("properties").and_then(|properties| properties.get(name));
    let is_undeclared = declared.is_none() && !members.contains_key("patternProperties");
    declared.or_else(|| members.get("additionalProperties").filter(|_| is_undeclared))
}

/// What `members` says of the item at `place`.
fn said_at(members: &Map<String, Value>, place: usize) -> Option<&Value> {
    list(members.get("prefixItems")).get(place).or_else(|| members.get("items"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::are_apart;
    use crate::evolution::document::Document;
    use crate::evolution::effort::Effort;
    use crate::evolution::pattern::Patterns;

    fn apart(branches: &Value) -> bool {
        let whole = json!({
            "oneOf": branches,
            "$defs": { "text": { "type": "string" }, "endless": { "properties": { "next": { "$ref": "#/$defs/endless" } }, "required": ["next"] } }
        });
        let document = Document::read(&whole, "new").unwrap();
        let branches = document.schema["oneOf"].as_array().unwrap();
        are_apart(&document, branches, &Effort::new(&Patterns::default(), 0, u64::MAX))
    }

    #[test]
    fn branches_are_apart_by_what_one_keyword_shows() {
        let object = |name: &str, more: Value| json!({ "type": "object", "required": [name], "properties": { name: more }, "additionalProperties": false });
        for branches in [
            json!([{ "type": "string" }, { "type": ["number", "null"] }, { "type": "array" }]),
            json!([{ "type": "integer", "maximum": 5 }, { "type": "number", "exclusiveMinimum": 5 }]),
            json!([{ "maximum": 5, "type": "number" }, { "minimum": 6 }]),
            json!([{ "enum": ["a", 1] }, { "enum": ["b", 2] }, { "const": null }]),
            json!([{ "enum": ["a", "b"] }, { "type": "integer" }]),
            json!([{ "type": "string", "maxLength": 3 }, { "type": "string", "minLength": 4 }]),
            json!([object("a", json!({})), object("b", json!({}))]),
            json!([object("a", json!({ "type": "string" })), object("a", json!({ "type": "integer" }))]),
            json!([object("a", object("b", json!({ "const": 1 }))), object("a", object("b", json!({ "const": 2 })))]),
            json!([{ "$ref": "#/$defs/text" }, { "allOf": [{ "type": "integer" }] }]),
            json!([{ "anyOf": [{ "type": "string" }, { "type": "null" }] }, { "oneOf": [{ "type": "array" }, { "type": "object" }] }]),
            json!([{ "type": "array", "minItems": 1, "items": { "type": "string" } }, { "type": "array", "items": { "type": "null" } }]),
            json!([{ "type": "array", "prefixItems": [{ "const": 1 }], "minItems": 1 }, { "type": "array", "prefixItems": [{ "const": 2 }] }]),
            json!([false, true]),
        ] {
            assert!(apart(&branches), "{branches}");
        }
    }

    #[test]
    fn branches_that_share_a_value_are_not_apart() {
        for branches in [
            json!([{ "type": "integer" }, { "type": "number" }]),
            json!([{ "type": "string" }, {}]),
            json!([{ "type": "integer", "maximum": 5 }, { "type": "number", "minimum": 5 }]),
            // Neither asks anything of a text.
            json!([{ "maximum": 5 }, { "minimum": 6 }]),
            json!([{ "const": 1 }, { "enum": [1.0, 2] }]),
            json!([{ "type": "string", "maxLength": 4 }, { "type": "string", "minLength": 4 }]),
            // An empty object fits both.
            json!([{ "type": "object", "properties": { "a": { "const": 1 } } }, { "type": "object", "properties": { "a": { "const": 2 } } }]),
            json!([{ "type": "object", "required": ["a"] }, { "type": "object", "required": ["b"], "additionalProperties": false, "patternProperties": { "a": {} } }]),
            // An empty list fits both.
            json!([{ "type": "array", "items": { "type": "string" } }, { "type": "array", "items": { "type": "null" } }]),
            json!([{ "$ref": "#/$defs/endless" }, { "$ref": "#/$defs/endless" }]),
        ] {
            assert!(!apart(&branches), "{branches}");
        }
    }
}
