//! Values as members of a set: one text for each value, however it was written.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::numbers;

/// The text that two values share exactly when JSON Schema holds them equal.
pub(super) fn key(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            text.push('{');
            for name in names {
                write(&Value::String(name.clone()), text);
                text.push(':');
                members.get(name).into_iter().for_each(|member| write(member, text));
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            // Written as an integer, as `numbers::number` writes it; a negative zero is zero.
            Some(double) if double.fract() == 0.0 => text.push_str(&numbers::number(double).to_string()),
            _ => text.push_str(&number.to_string()),
        },
        other => text.push_str(&other.to_string()),
    }
}

/// A set of values.
pub(super) struct Words(HashSet<String>);

impl Words {
    pub(super) fn of<'value>(values: impl IntoIterator<Item = &'value Value>) -> Self {
        Self(values.into_iter().map(key).collect())
    }

    pub(super) fn contains(&self, value: &Value) -> bool {
        self.0.contains(&key(value))
    }
}

/// The only values that `schema` may take, where it lists them: those that `enum` and `const` both hold.
pub(super) fn listed(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), Some(Value::Array(words))) if !Words::of(words).contains(only) => Some(Vec::new()),
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(words))) => Some(words.iter().collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{key, listed};

    #[test]
    fn a_value_has_one_text_however_it_is_written() {
        assert_eq!(key(&json!({ "a": 1, "b": [2.0] })), key(&json!({ "b": [2], "a": 1.0 })));
        assert_eq!(key(&json!(-0.0)), key(&json!(0)));
        assert_ne!(key(&json!("1")), key(&json!(1)));
        assert_ne!(key(&json!(["a", "b"])), key(&json!(["b", "a"])));
        assert_ne!(key(&json!(1.5)), key(&json!(1)));
    }
    #[test]
    fn an_enum_beside_a_constant_holds_as_well() {
        let count = |schema: serde_json::Value| listed(schema.as_object().unwrap()).map(|words| words.len());
        assert_eq!(count(json!({ "const": "a", "enum": ["b", "a"] })), Some(1));
        assert_eq!(count(json!({ "const": "a", "enum": ["b"] })), Some(0));
        assert_eq!(count(json!({ "const": "a" })), Some(1));
        assert_eq!(count(json!({})), None);
    }
}
