//! What a reference points at, and whether it leads back to itself.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::{Findings, Place, Rule};
use crate::evolution::{cut, decoded};

/// The keywords that point at a schema elsewhere.
const POINTING: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Deeper than this no reference is looked for.
const DEEPEST: usize = 128;

/// The references of one document.
pub(super) struct References<'document> {
    document: &'document Value,
    /// Schemas with an identifier or an anchor, by it.
    named: BTreeMap<String, &'document Value>,
    /// The references that lead back to themselves, once that is known.
    turning: Option<HashSet<&'document str>>,
}

/// Where a reference leads.
enum Target<'document> {
    Here(&'document Value),
    Nowhere,
    Outside,
}

impl<'document> References<'document> {
    pub(super) fn of(document: &'document Value) -> Self {
        let mut named = BTreeMap::new();
        collect_names(document, &mut named, 0);
        Self { document, named, turning: None }
    }

    /// What is to say about the reference that stands in `node`, if one does.
    pub(super) fn check(&mut self, node: &Map<String, Value>, place: &Place, findings: &mut Findings) {
        for (keyword, reference) in POINTING.iter().filter_map(|keyword| Some((keyword, node.get(*keyword)?.as_str()?)))
        {
            let at = place.member(keyword);
            let shown = cut(reference);
            match self.target(reference) {
                Target::Outside => {
                    let message = format!("`{shown}` lies outside the document, and MCP forbids to fetch it");
                    findings.add(Rule::ExternalReference, &at, message, "write the schema out in place");
                }
                Target::Nowhere => {
                    let message = format!("`{shown}` points at a place in the document where nothing stands");
                    let fix = "define what it names below `$defs`, or write the schema out in place";
                    findings.add(Rule::Invalid, &at, message, fix);
                }
                Target::Here(_) if self.leads_back(reference) => {
                    let message = "the schema contains itself; Anthropic refuses that, and one such output fails a whole tools/list";
                    let fix = "bound the depth and write the levels out, or take a flat list with parent ids";
                    findings.add(Rule::Recursion, &at, message, fix);
                }
                Target::Here(_) => {
                    let message = "several clients do not resolve references and see no type here";
                    findings.add(Rule::Reference, &at, message, "write the schema out in place");
                }
            }
        }
    }

    fn target(&self, reference: &str) -> Target<'document> {
        let (resource, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let root = match resource {
            "" => self.document,
            // An identifier may be written whole or from the document's own.
            _ => match self.named.get(resource).or_else(|| {
                let end = format!("/{resource}");
                self.named.iter().filter(|(name, _)| name.ends_with(&end)).map(|(_, schema)| schema).next()
            }) {
                Some(schema) => schema,
                None => return Target::Outside,
            },
        };
        let Some(fragment) = decoded(fragment) else { return Target::Nowhere };
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            root.pointer(&fragment)
        } else {
            self.named.get(&format!("#{fragment}")).copied()
        };
        found.map_or(Target::Nowhere, Target::Here)
    }

    /// Whether what `reference` names leads back to it.
    fn leads_back(&mut self, reference: &str) -> bool {
        let turning = self.turning.take().unwrap_or_else(|| self.turning());
        let leads_back = turning.contains(reference);
        self.turning = Some(turning);
        leads_back
    }

    /// The references of the document that lead back to themselves, each looked at once.
    fn turning(&self) -> HashSet<&'document str> {
        let mut steps: BTreeMap<&'document str, Vec<&'document str>> = BTreeMap::new();
        let mut waiting = Vec::new();
        collect_references(self.document, &mut waiting, 0);
        while let Some(reference) = waiting.pop() {
            if !steps.contains_key(reference) {
                let mut found = Vec::new();
                if let Target::Here(target) = self.target(reference) {
                    collect_references(target, &mut found, 0);
                }
                waiting.extend(&found);
                steps.insert(reference, found);
            }
        }
        turning(&steps)
    }
}

/// Kosaraju's way to the members of cycles: what comes last out of a walk comes first into a walk backwards, which then stays
/// within what leads back.
fn turning<'name>(steps: &BTreeMap<&'name str, Vec<&'name str>>) -> HashSet<&'name str> {
    let mut back: BTreeMap<&str, Vec<&'name str>> = BTreeMap::new();
    for (from, to) in steps {
        for to in to {
            back.entry(to).or_default().push(from);
        }
    }
    let mut seen = HashSet::new();
    let left = steps.keys().flat_map(|start| walked(start, steps, &mut seen)).collect::<Vec<_>>();
    let mut seen = HashSet::new();
    let parts = left.iter().rev().map(|start| walked(start, &back, &mut seen));
    let turns = |part: &Vec<&'name str>| part.len() > 1 || part.iter().any(|only| steps[only].contains(only));
    parts.filter(turns).flatten().collect()
}

/// What is reached from `start` and was not seen before, in the order in which it is left again.
fn walked<'name>(
    start: &'name str,
    steps: &BTreeMap<&str, Vec<&'name str>>,
    seen: &mut HashSet<&'name str>,
) -> Vec<&'name str> {
    let of = |reference: &str| steps.get(reference).map(Vec::as_slice).unwrap_or_default().iter();
    let mut left = Vec::new();
    let mut open = Vec::new();
    if seen.insert(start) {
        open.push((start, of(start)));
    }
    while let Some((reference, rest)) = open.last_mut() {
        if let Some(next) = rest.find(|next| seen.insert(next)) {
            open.push((next, of(next)));
        } else {
            left.push(*reference);
            open.pop();
        }
    }
    left
}

fn collect_names<'document>(value: &'document Value, named: &mut BTreeMap<String, &'document Value>, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    if let Value::Object(members) = value {
        let texts = ["$id", "$anchor", "$dynamicAnchor"].map(|keyword| members.get(keyword).and_then(Value::as_str));
        let [id, anchors @ ..] = texts;
        named.extend(id.map(|id| (id.trim_end_matches('#').to_owned(), value)));
        named.extend(anchors.into_iter().flatten().map(|anchor| (format!("#{anchor}"), value)));
    }
    children(value).for_each(|child| collect_names(child, named, depth + 1));
}

fn collect_references<'document>(value: &'document Value, found: &mut Vec<&'document str>, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    found.extend(POINTING.iter().filter_map(|keyword| value.get(*keyword)?.as_str()));
    children(value).for_each(|child| collect_references(child, found, depth + 1));
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let (members, items) = (value.as_object(), value.as_array());
    members.into_iter().flat_map(|members| members.values()).chain(items.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_turns_when_it_is_in_a_cycle_and_not_beside_one() {
        let reference = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
        let document = json!({ "items": reference("before"), "$defs": {
            "before": reference("a"), "a": { "items": reference("b") }, "b": { "anyOf": [reference("a"), reference("between")] },
            "between": reference("itself"), "itself": { "items": reference("itself"), "not": reference("behind") },
            "behind": { "type": "string" },
        } });
        let mut references = References::of(&document);
        let turning = ["before", "a", "b", "between", "itself", "behind"]
            .map(|name| references.leads_back(&format!("#/$defs/{name}")));
        assert_eq!(turning, [false, true, true, false, true, false]);
    }

    #[test]
    fn a_long_chain_of_references_is_walked_once() {
        let next = |number: usize| json!({ "$ref": format!("#/$defs/d{number}") });
        let definitions: Map<String, Value> =
            (0..20_000).map(|number| (format!("d{number}"), next((number + 1) % 20_000))).collect();
        let document = json!({ "$defs": definitions });
        assert!(References::of(&document).leads_back("#/$defs/d0"));
    }
}
