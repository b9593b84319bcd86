//! What the walk does not go into: keywords that are told by name, and what those use that stands elsewhere as well.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::dialect::{Bearing, bearing};
use super::edit::{Effect, Slot};
use super::recursion::references;
use super::references::into_definitions;
use super::telling;
use super::verdict::Rule;
use super::walk::{GROUPS, Place, Walk, followed};

impl Walk<'_> {
    /// Keywords that nothing else speaks of, as one difference: they tend to hang together.
    pub(super) fn other_keywords(&mut self, place: &Place, one: &Map<String, Value>, other: &Map<String, Value>) {
        const SPOKEN_OF: [&str; 15] = [
            "properties",
            "required",
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
            "prefixItems",
            "items",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "$defs",
            "definitions",
            "pattern",
            "format",
        ];
        let is_spoken_of = |keyword: &str| {
            SPOKEN_OF.contains(&keyword) || GROUPS.iter().any(|(_, keywords)| keywords.contains(&keyword))
        };
        let keywords: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        let own: Vec<&String> = keywords
            .into_iter()
            .filter(|keyword| !is_spoken_of(keyword) && bearing(keyword) != Bearing::Annotates)
            .collect();
        for keyword in &own {
            self.pass_over(place, &json!({ *keyword: one.get(*keyword) }));
        }
        let differing: Vec<&String> = own
            .into_iter()
            .filter(|keyword| telling::without_sides(one.get(*keyword)) != telling::without_sides(other.get(*keyword)))
            .collect();
        for is_known in [true, false] {
            let keywords: Vec<&String> = differing
                .iter()
                .copied()
                .filter(|keyword| (bearing(keyword) == Bearing::Asserts) == is_known)
                .collect();
            if keywords.is_empty() {
                continue;
            }
            let slots = keywords.iter().map(|keyword| Slot::Keyword((*keyword).clone())).collect();
            let (old, new) = self.in_time(one, other);
            let effect = if is_known { Effect::Asserts } else { Effect::Unknown };
            self.add(place, Rule::Keyword, slots, telling::keywords(&keywords, old, new), effect);
        }
    }

    /// Notes what `schema`, which is or lies in the narrow one at `place`, uses, where the walk does not go into it.
    pub(super) fn pass_over(&mut self, place: &Place, schema: &Value) {
        let mut waiting: Vec<String> = references(schema).into_iter().collect();
        let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
        while let Some(reference) = waiting.pop() {
            if !self.effort.affords(1) {
                return self.uses.cut();
            }
            let Some((_, target)) = into_definitions(&reference) else { continue };
            let pair = (followed(self.narrow, target.clone()), followed(self.wide, target));
            let next = self.narrow.schema.pointer(&pair.0).map(references).unwrap_or_default();
            waiting.extend(next.into_iter().filter(|reference| seen.insert(reference.clone())));
            if let Some(from) = &place.from {
                self.uses.mention(pair, from.clone());
            }
        }
    }
}
