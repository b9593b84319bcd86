//! What random pairs are made of, and how much of each kind stays undecided: a kind that no pair has is looked at by nobody.

use std::collections::{BTreeMap, BTreeSet};

use contract_core::serde_json::Value;

use super::drafts::Draft;

/// A kind of schema, and the keywords that make it.
const KINDS: [(&str, &[&str]); 12] = [
    ("a condition", &["if"]),
    ("a negation", &["not"]),
    ("an exclusive union", &["oneOf"]),
    ("a union", &["anyOf"]),
    ("an intersection", &["allOf"]),
    ("names of properties", &["propertyNames"]),
    ("patterns of names", &["patternProperties"]),
    ("a tuple", &["prefixItems", "additionalItems"]),
    ("a format", &["format"]),
    ("an item to be found", &["contains"]),
    ("a dependency", &["dependentRequired", "dependentSchemas", "dependencies"]),
    ("unevaluated properties", &["unevaluatedProperties"]),
];

/// How often each kind was seen.
#[derive(Default)]
pub(crate) struct Shares(BTreeMap<&'static str, Share>);

#[derive(Default)]
struct Share {
    seen: u64,
    undecided: u64,
}

impl Shares {
    pub(crate) fn count(&mut self, old: &Value, new: &Value, is_undecided: bool) {
        let mut kinds = BTreeSet::new();
        for schema in [old, new] {
            let (mut keywords, mut references) = (BTreeSet::new(), BTreeMap::new());
            collect(schema, &mut keywords, &mut references);
            kinds.extend(
                KINDS.iter().filter(|(_, all)| all.iter().any(|one| keywords.contains(one))).map(|kind| kind.0),
            );
            kinds.extend(references.values().any(|count| *count > 1).then_some("a shared definition"));
            kinds.extend(keywords.contains("beside $ref").then_some("keywords beside a reference"));
            kinds.extend(schema.get("$schema").map(|_| match Draft::of(schema) {
                Draft::Four => "draft-04",
                Draft::Six => "draft-06",
                Draft::Seven => "draft-07",
                Draft::Of2019 => "2019-09",
                Draft::Of2020 => "2020-12 by its name",
            }));
        }
        kinds.extend((old.get("$schema") != new.get("$schema")).then_some("two drafts"));
        kinds.insert("all");
        for kind in kinds {
            let share = self.0.entry(kind).or_default();
            share.seen += 1;
            share.undecided += u64::from(is_undecided);
        }
    }

    /// A line for each, and the kinds that were never seen.
    pub(crate) fn told(&self) -> String {
        let all = self.0["all"].seen;
        let percent = |part: u64, of: u64| format!("{}.{} %", part * 100 / of, part * 1_000 / of % 10);
        let lines = self.0.iter().map(|(kind, share)| {
            let (seen, undecided) = (percent(share.seen, all), percent(share.undecided, share.seen));
            format!("{kind}: {seen} of all, {undecided} of them undecided")
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn unseen(&self) -> Vec<&'static str> {
        KINDS.iter().map(|kind| kind.0).filter(|kind| !self.0.contains_key(kind)).collect()
    }
}

fn collect<'schema>(
    value: &'schema Value,
    keywords: &mut BTreeSet<&'schema str>,
    references: &mut BTreeMap<&'schema str, u64>,
) {
    match value {
        Value::Object(members) => {
            keywords.extend(members.keys().map(String::as_str));
            if let Some(way) = members.get("$ref").and_then(Value::as_str) {
                *references.entry(way).or_default() += 1;
                keywords.extend((members.len() > 1).then_some("beside $ref"));
            }
            members.values().for_each(|member| collect(member, keywords, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, keywords, references)),
        _ => {}
    }
}
