//! Whether one schema promises what another does, whatever words it takes to say so.

use serde_json::Value;

/// The expected schema, when ours promises all of it; ours, when it does not, so that the difference is shown.
pub(crate) fn promised(expected: &Value, ours: &Value) -> Value {
    if promises(expected, ours) { expected.clone() } else { ours.clone() }
}

fn promises(expected: &Value, ours: &Value) -> bool {
    if let Some(branches) = expected["anyOf"].as_array() {
        // Something or null: ours says the same in whichever form.
        let something = branches.iter().find(|branch| branch["type"] != "null");
        let own = ours["anyOf"].as_array().and_then(|own| own.iter().find(|branch| branch["type"] != "null"));
        return match (something, own) {
            (Some(expected), Some(own)) => promises(expected, own),
            (Some(expected), None) => promises(expected, ours),
            (None, _) => false,
        };
    }
    let is_same_type = match (expected["type"].as_str(), ours["type"].as_str()) {
        (Some("number"), Some("integer")) => true,
        (expected, ours) => expected == ours,
    };
    let words = |schema: &Value| schema["enum"].as_array().cloned();
    let is_same_words = words(expected).is_none_or(|expected| words(ours) == Some(expected));
    let is_bound = |name: &str| expected[name].as_f64() == ours[name].as_f64();
    let is_bounded =
        ["minLength", "minimum", "maximum"].iter().all(|name| expected.get(*name).is_none() || is_bound(name));
    let names = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let required = names(&ours["required"]);
    let is_required = names(&expected["required"]).iter().all(|name| required.contains(name));
    // The envelope of an error is no part of a success here.
    let mut members = expected["properties"].as_object().into_iter().flatten().filter(|(name, _)| *name != "error");
    let has_members = members.all(|(name, member)| promises(member, &ours["properties"][name.as_str()]));
    let has_items = expected.get("items").is_none_or(|items| promises(items, &ours["items"]));
    is_same_type && is_same_words && is_bounded && is_required && has_members && has_items
}
