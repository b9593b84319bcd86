//! One value over another: mappings are merged key by key, everything else replaces.

use serde_json::{Map, Value};

/// `over` on `base`. A list, a scalar and an explicit null replace what was there; a null stays, it says "none".
pub fn overlay(base: Value, over: Value) -> Value {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => Value::Object(overlay_members(base, over)),
        (_, over) => over,
    }
}

/// The same for two mappings: keys of `base` keep their places, new ones follow.
pub(super) fn overlay_members(mut base: Map<String, Value>, over: Map<String, Value>) -> Map<String, Value> {
    for (key, value) in over {
        match base.get_mut(&key) {
            Some(place) => *place = overlay(place.take(), value),
            None => {
                base.insert(key, value);
            }
        }
    }
    base
}
