//! What a reference points at, and whether it leads back to itself.

use std::collections::{BTreeMap, HashMap, HashSet};

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
    /// Whether a reference leads back to itself, once that is known.
    leading_back: HashMap<String, bool>,
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
        Self { document, named, leading_back: HashMap::new() }
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
        if let Some(known) = self.leading_back.get(reference) {
            return *known;
        }
        let mut waiting = vec![reference.to_owned()];
        let mut seen = HashSet::new();
        let mut leads_back = false;
        while let Some(next) = waiting.pop() {
            let Target::Here(target) = self.target(&next) else { continue };
            let mut found = Vec::new();
            collect_references(target, &mut found, 0);
            leads_back |= found.contains(&reference);
            waiting.extend(found.into_iter().filter(|other| seen.insert(*other)).map(str::to_owned));
        }
        self.leading_back.insert(reference.to_owned(), leads_back);
        leads_back
    }
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
