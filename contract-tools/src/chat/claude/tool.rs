//! What a session says that a tool is asked and answers, as far as it is passed on.

use serde_json::{Map, Value, json};

/// What a tool is asked, as an object whatever the model wrote.
pub(super) fn input(input: Value) -> Map<String, Value> {
    match input {
        Value::Object(input) => unparsed(input),
        Value::Null => Map::new(),
        other => Map::from_iter([("value".to_owned(), other)]),
    }
}

/// What the model wrote instead of JSON stands in a member of the program's own; it is passed on under a plain name.
fn unparsed(mut input: Map<String, Value>) -> Map<String, Value> {
    match input.remove("__unparsedToolInput") {
        Some(raw) => Map::from_iter([("unparsed".to_owned(), raw.get("raw").cloned().unwrap_or(raw))]),
        None => input,
    }
}

/// What a tool answered: JSON where it is JSON. What the program itself says in a tool's place is not passed on, since it
/// names files and settings.
pub(super) fn output(content: Value, is_error: bool) -> Value {
    let text = match content {
        Value::String(text) => text,
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        Value::Null => String::new(),
        other => return other,
    };
    if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(&text) {
        return value;
    }
    if is_error {
        return json!({ "error": { "code": "unknown_error", "message": "the call failed before the tool could answer" } });
    }
    if text.contains("<persisted-output>") {
        return json!({ "truncated": true, "note": "the answer is too large to be shown" });
    }
    Value::String(text)
}
