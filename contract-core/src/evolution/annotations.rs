//! What a schema says beside the values that fit: words for people, defaults, and the header that repeats a value.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::dialect::{Bearing, UNHEARD, bearing};
use super::edit::{Effect, Slot};
use super::telling;
use super::verdict::Rule;
use super::walk::{Place, Walk};

/// An extension that asks HTTP clients to repeat a value in a header of that name (MCP 2026-07-28), and so is not for people.
const MIRRORED: &str = "x-mcp-header";

impl Walk<'_> {
    /// What only people read, and defaults.
    pub(super) fn annotations(&mut self, place: &Place, one: &Map<String, Value>, other: &Map<String, Value>) {
        let (old, new) = self.in_time(one, other);
        let (Some(before), Some(after)) = (Some(old.get("default")), Some(new.get("default"))) else { return };
        if before != after {
            // Calls that leave it out rely on the one that was there.
            let effect = if before.is_some() { Effect::Default } else { Effect::Words };
            let slots = vec![Slot::Keyword("default".to_owned())];
            self.add(place, Rule::Default, slots, telling::value("the default", before, after), effect);
        }
        let (before, after) = (old.get(MIRRORED), new.get(MIRRORED));
        if before != after {
            let slots = vec![Slot::Keyword(MIRRORED.to_owned())];
            self.add(
                place,
                Rule::Keyword,
                slots,
                telling::value("the header that repeats it", before, after),
                Effect::Default,
            );
        }
        let keywords: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let differing: Vec<&String> = keywords
            .into_iter()
            .filter(|keyword| {
                bearing(keyword) == Bearing::Annotates && !["default", MIRRORED].contains(&keyword.as_str())
            })
            .filter(|keyword| old.get(*keyword) != new.get(*keyword))
            .collect();
        if !differing.is_empty() {
            let names: Vec<&str> = differing.iter().map(|keyword| keyword.trim_start_matches(UNHEARD)).collect();
            let slots = differing.iter().map(|keyword| Slot::Keyword((*keyword).clone())).collect();
            self.add(place, Rule::Words, slots, format!("{} reads differently", names.join(", ")), Effect::Words);
        }
    }
}
