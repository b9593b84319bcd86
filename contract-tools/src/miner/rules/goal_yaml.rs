//! YAML to a JSON value, strictly: what is ambiguous or could grow makes the file unreadable.

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

/// Reads the only document of `text`; nothing when it cannot be read. Names for parts of it are not taken.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let done = match event.ok()?.0 {
            Event::DocumentStart(..) => {
                documents += 1;
                if documents > 1 {
                    return None;
                }
                continue;
            }
            Event::Scalar(text, ScalarStyle::Plain, _, None) => plain(&text),
            Event::Scalar(text, ..) => Value::String(text.into_owned()),
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Map::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop()? {
                Open::List(items) => Value::Array(items),
                Open::Mapping(members, _) => Value::Object(members),
            },
            Event::Alias(_) | Event::UnresolvedAlias(_) => return None,
            _ => continue,
        };
        match open.last_mut() {
            None => root = Some(done),
            Some(Open::List(items)) => items.push(done),
            Some(Open::Mapping(members, key)) => match key.take() {
                None => *key = Some(done.as_str().map_or_else(|| done.to_string(), str::to_owned)),
                Some(key) => {
                    // A key that stands twice has no meaning.
                    if members.insert(key, done).is_some() {
                        return None;
                    }
                }
            },
        }
    }
    Some(root.unwrap_or_default())
}

enum Open {
    List(Vec<Value>),
    /// Members, and a key that waits for its value.
    Mapping(Map<String, Value>, Option<String>),
}

/// What a word without quotes is.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let is_number = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
                && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+'));
            let number = is_number.then(|| text.parse().ok()).flatten().and_then(Number::from_f64);
            number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
        }
    }
}
