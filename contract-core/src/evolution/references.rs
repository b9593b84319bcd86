//! What a reference in a stranger's schema points at: RFC 3986 finds the resource that it names, RFC 6901 the place in it.
//!
//! Every reference is rewritten to a pointer from the root of the document, so that nothing after this knows of identifiers
//! and anchors. What is pointed at where no schema stands, or where reading moves it, gets a definition of its own.

use std::collections::{BTreeMap, HashMap, HashSet};

use jsonschema::uri;
use serde_json::{Map, Value};

use super::dialect::{SCHEMA, SCHEMA_LIST, SCHEMAS_BY_NAME, child, unescaped};
use super::drafts::Dialect;
use super::unreadable::Unreadable;

/// Deeper than any schema that a person wrote; past it nothing is claimed.
pub(super) const DEEPEST: usize = 96;

/// What stands before the name of a definition that was made here.
const MADE: &str = "at ";

/// The same schema with every reference a pointer from its root.
pub(super) fn absolute(schema: &Value, dialect: Dialect) -> Result<Value, Unreadable> {
    let mut places = Places { dialect, ..Places::default() };
    places.survey(schema, "", &base_of(schema, dialect), Stays::Yes, 0)?;
    let mut writer = Writer { root: schema, places: &places, waiting: Vec::new(), made: HashSet::new() };
    let mut whole = writer.written(schema, "", &base_of(schema, dialect))?;
    let mut made = Map::new();
    while let Some((pointer, base)) = writer.waiting.pop() {
        let target = schema.pointer(&pointer).unwrap_or(&Value::Null);
        made.insert(format!("{MADE}{pointer}"), writer.written(target, &pointer, &base)?);
    }
    if let (false, Some(members)) = (made.is_empty(), whole.as_object_mut()) {
        let defined = members.entry("$defs").or_insert_with(|| Value::Object(Map::new()));
        defined.as_object_mut().into_iter().for_each(|defined| defined.extend(made.clone()));
    }
    Ok(whole)
}

/// The identifier of the whole document, which has one of our own when it gives none.
fn base_of(schema: &Value, dialect: Dialect) -> String {
    identifier(schema, dialect)
        .and_then(|id| uri::from_str(id).ok())
        .map_or_else(|| "json-schema:///".to_owned(), |id| split(id.as_str()).0.to_owned())
}

/// What a schema says it is; beside a reference, drafts up to 7 hear nothing else.
fn identifier(schema: &Value, dialect: Dialect) -> Option<&str> {
    let keyword = if dialect == Dialect::Draft4 { "id" } else { "$id" };
    let is_heard = !dialect.hides_beside_references() || schema.get("$ref").is_none();
    schema.get(keyword).and_then(Value::as_str).filter(|_| is_heard)
}

fn split(text: &str) -> (&str, &str) {
    text.split_once('#').unwrap_or((text, ""))
}

/// Whether a schema still stands where it stood once the document was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Yes,
    No,
}

#[derive(Default)]
struct Places {
    dialect: Dialect,
    /// Where each resource has its root.
    resources: HashMap<String, String>,
    /// Where each anchor of a resource stands.
    anchors: HashMap<(String, String), String>,
    /// The base of each schema that is a resource or lies in one.
    bases: BTreeMap<String, String>,
    staying: HashSet<String>,
}

impl Places {
    fn survey(&mut self, schema: &Value, at: &str, base: &str, stays: Stays, depth: usize) -> Result<(), Unreadable> {
        if depth > DEEPEST {
            return Err(Unreadable::nesting(at));
        }
        let mut base = base.to_owned();
        if let Some(id) = identifier(schema, self.dialect) {
            let (path, anchor) = split(id);
            if !path.is_empty() {
                base = resolved(&base, path).ok_or_else(|| {
                    Unreadable::new("$id", format!("`$id` {id:?} at {} is no identifier of a resource", shown(at)))
                })?;
            }
            if !anchor.is_empty() {
                self.anchors.insert((base.clone(), anchor.to_owned()), at.to_owned());
            }
            if !path.is_empty() {
                self.resources.insert(base.clone(), at.to_owned());
            }
        }
        if at.is_empty() {
            self.resources.entry(base.clone()).or_default();
        }
        let anchor = schema.get("$anchor").filter(|_| self.dialect.hears("$anchor"));
        if let Some(anchor) = anchor.and_then(Value::as_str) {
            self.anchors.insert((base.clone(), anchor.to_owned()), at.to_owned());
        }
        self.bases.insert(at.to_owned(), base.clone());
        if stays == Stays::Yes {
            self.staying.insert(at.to_owned());
        }
        children(schema, self.dialect, &mut |keyword, pointer, part| {
            let is_moved = match keyword {
                "items" => schema.get("items").is_some_and(Value::is_array),
                "additionalItems" | "dependencies" => true,
                _ => false,
            };
            let stays = if is_moved { Stays::No } else { stays };
            self.survey(part, &format!("{at}{pointer}"), &base, stays, depth + 1)
        })
    }

    /// Where `reference` points, from a schema whose base is `base`.
    fn target(&self, reference: &str, base: &str) -> Option<String> {
        let (path, fragment) = split(reference);
        let resource = if path.is_empty() { base.to_owned() } else { resolved(base, path)? };
        let root = self.resources.get(&resource)?;
        let fragment = decoded(fragment)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(format!("{root}{fragment}"));
        }
        self.anchors.get(&(resource, fragment)).cloned()
    }

    /// The base at a place that need not be a schema's.
    fn base(&self, pointer: &str) -> String {
        let mut at = pointer;
        loop {
            if let Some(base) = self.bases.get(at) {
                return base.clone();
            }
            let Some(up) = at.rfind('/') else { return String::new() };
            at = &at[..up];
        }
    }
}

/// Every schema directly in `schema`: its keyword, the way there, itself.
fn children(
    schema: &Value,
    dialect: Dialect,
    take: &mut dyn FnMut(&str, &str, &Value) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let Value::Object(members) = schema else { return Ok(()) };
    let hides = dialect.hides_beside_references() && members.contains_key("$ref");
    for (keyword, value) in members {
        let is_definition = matches!(keyword.as_str(), "$defs" | "definitions");
        if (hides && !is_definition) || !dialect.hears(keyword) {
            continue;
        }
        let at = child("", keyword);
        let is_named = SCHEMAS_BY_NAME.contains(&keyword.as_str()) || keyword == "dependencies";
        match value {
            Value::Object(named) if is_named => {
                for (name, part) in named.iter().filter(|(_, part)| part.is_object() || part.is_boolean()) {
                    take(keyword, &child(&at, name), part)?;
                }
            }
            Value::Array(listed) if SCHEMA_LIST.contains(&keyword.as_str()) || keyword == "items" => {
                for (place, part) in listed.iter().enumerate() {
                    take(keyword, &child(&at, &place.to_string()), part)?;
                }
            }
            _ if SCHEMA.contains(&keyword.as_str()) => take(keyword, &at, value)?,
            _ => {}
        }
    }
    Ok(())
}

struct Writer<'schema> {
    root: &'schema Value,
    places: &'schema Places,
    /// What is still to be defined, and the base there.
    waiting: Vec<(String, String)>,
    made: HashSet<String>,
}

impl Writer<'_> {
    fn written(&mut self, schema: &Value, at: &str, base: &str) -> Result<Value, Unreadable> {
        let base = self.places.bases.get(at).cloned().unwrap_or_else(|| base.to_owned());
        let mut written = schema.clone();
        if let Some(reference) = schema.get("$ref") {
            let pointer = self.pointer(reference, at, &base)?;
            written.as_object_mut().map(|members| members.insert("$ref".to_owned(), pointer.into()));
        }
        let mut parts = Vec::new();
        children(schema, self.places.dialect, &mut |_, pointer, part| {
            parts.push((pointer.to_owned(), part.clone()));
            Ok(())
        })?;
        for (pointer, part) in parts {
            let part = self.written(&part, &format!("{at}{pointer}"), &base)?;
            written.pointer_mut(&pointer).into_iter().for_each(|place| *place = part.clone());
        }
        Ok(written)
    }

    fn pointer(&mut self, reference: &Value, at: &str, base: &str) -> Result<String, Unreadable> {
        let Some(text) = reference.as_str() else {
            return Err(Unreadable::new("$ref", format!("`$ref` at {} is no text", shown(at))));
        };
        let Some(pointer) = self.places.target(text, base) else {
            let why = format!(
                "`$ref` {text:?} at {} points at nothing in the document, and nothing is fetched; put what it names under \
                 `$defs`",
                shown(at)
            );
            return Err(Unreadable::new("$ref", why));
        };
        if !self.root.pointer(&pointer).is_some_and(|target| target.is_object() || target.is_boolean()) {
            let why = format!("`$ref` {text:?} at {} points at no schema; put what it names under `$defs`", shown(at));
            return Err(Unreadable::new("$ref", why));
        }
        if self.places.staying.contains(&pointer) {
            return Ok(format!("#{}", encoded(&pointer)));
        }
        if self.made.insert(pointer.clone()) {
            self.waiting.push((pointer.clone(), self.places.base(&pointer)));
        }
        Ok(format!("#{}", encoded(&child("/$defs", &format!("{MADE}{pointer}")))))
    }
}

fn resolved(base: &str, reference: &str) -> Option<String> {
    let base = uri::from_str(base).ok()?;
    uri::resolve_against(&base.borrow(), reference).ok().map(|uri| uri.as_str().to_owned())
}

/// A place in people's words.
pub(super) fn shown(pointer: &str) -> String {
    if pointer.is_empty() { "its root".to_owned() } else { format!("`{pointer}`") }
}

/// `pointer` as a fragment of a URI.
pub(super) fn encoded(pointer: &str) -> String {
    let mut text = String::new();
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&hexadecimal(byte));
        }
    }
    text
}

fn hexadecimal(byte: u8) -> String {
    format!("%{byte:02X}")
}

/// A fragment's characters; none when what it spells with `%` is no text.
pub(crate) fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The name of a definition and the pointer inside it, of a reference into `$defs`.
pub(super) fn into_definitions(reference: &str) -> Option<(String, String)> {
    let rest = decoded(reference.strip_prefix("#/$defs/")?)?;
    let (name, pointer) = rest.find('/').map_or((rest.as_str(), ""), |slash| rest.split_at(slash));
    Some((unescaped(name), pointer.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::absolute;
    use crate::evolution::drafts::Dialect;

    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, member)| match member {
                Value::String(text) if name == "$ref" => found.push(text.clone()),
                _ => collect(member, found),
            }),
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }

    #[track_caller]
    fn check(dialect: Dialect, schema: &Value, expected: &[&str]) {
        let mut found = Vec::new();
        let read = absolute(schema, dialect).map_err(|error| error.why).unwrap();
        collect(&read, &mut found);
        assert_eq!(found, expected);
        for reference in found {
            let pointer = super::decoded(reference.trim_start_matches('#')).unwrap();
            assert!(read.pointer(&pointer).is_some(), "{reference} points at nothing in {read}");
        }
    }

    #[test]
    fn a_fragment_is_decoded_before_it_is_a_pointer() {
        let object = |reference: &str| {
            json!({
                "properties": { "a": { "$ref": reference } },
                "$defs": { "a b": {}, "a/b": {}, "m~n": {}, "é": {}, "a%20b": {}, "c": { "$anchor": "here" } }
            })
        };
        for (reference, expected) in [
            ("#/$defs/a%20b", "#/$defs/a%20b"),
            ("#/$defs/a~1b", "#/$defs/a~1b"),
            ("#/$defs/m~0n", "#/$defs/m~0n"),
            ("#/%24defs/%C3%A9", "#/$defs/%C3%A9"),
            ("#/$defs/é", "#/$defs/%C3%A9"),
            ("#/$defs/a%2520b", "#/$defs/a%2520b"),
            ("#here", "#/$defs/c"),
        ] {
            check(Dialect::Current, &object(reference), &[expected]);
        }
    }

    #[test]
    fn an_identifier_moves_the_base_of_what_is_inside() {
        let schema = json!({
            "$id": "https://a.example/root.json",
            "properties": {
                "one": { "$ref": "parts.json#/$defs/x" },
                "two": { "$ref": "https://a.example/parts.json#named" },
                "three": { "$ref": "root.json#/$defs/parts" }
            },
            "$defs": { "parts": {
                "$id": "parts.json",
                "$defs": { "x": { "type": "string" }, "y": { "$anchor": "named", "$ref": "#/$defs/x" } }
            } }
        });
        let x = "#/$defs/parts/$defs/x";
        check(Dialect::Current, &schema, &[x, "#/$defs/parts/$defs/y", "#/$defs/parts", x]);
    }

    #[test]
    fn an_older_draft_names_places_in_its_own_way() {
        let schema = json!({
            "properties": { "a": { "$ref": "#word" } },
            "definitions": { "w": { "$id": "#word", "type": "string" } }
        });
        check(Dialect::Draft7, &schema, &["#/definitions/w"]);
    }

    #[test]
    fn what_stands_at_no_schemas_place_gets_a_definition() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/components/schemas/A" } },
            "components": { "schemas": { "A": { "items": { "$ref": "#/components/schemas/B" } }, "B": {} } }
        });
        let read = absolute(&schema, Dialect::Current).map_err(|error| error.why).unwrap();
        assert_eq!(read["properties"]["a"]["$ref"], "#/$defs/at%20~1components~1schemas~1A");
        assert_eq!(
            read["$defs"]["at /components/schemas/A"],
            json!({ "items": { "$ref": "#/$defs/at%20~1components~1schemas~1B" } })
        );
    }
}
