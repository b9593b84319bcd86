//! Words, names and literals: everything that could break out of the place it is written to.

use serde_json::{Map, Value};

use crate::schema::nullable_inner;

/// The bounds that editors and schema generators know as tags.
const TAGS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "pattern",
    "format",
    "default",
];

/// Two spaces a level.
pub(super) fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// A doc comment of these lines with the line break after it; no lines are no comment.
pub(super) fn comment(lines: &[String], depth: usize) -> String {
    let margin = indent(depth);
    let lines: Vec<String> = lines.iter().flat_map(|line| line.split('\n')).map(harmless).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{margin}/** {line} */\n"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{margin} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{margin}/**\n{body}{margin} */\n")
        }
    }
}

/// A line that ends neither the comment nor itself.
fn harmless(line: &str) -> String {
    let printable: String = line.chars().filter(|character| !character.is_control()).collect();
    printable.trim().replace("*/", "*\\/")
}

/// What a property's comment says: its words, then its bounds.
pub(super) fn about(schema: &Map<String, Value>) -> Vec<String> {
    let mut lines: Vec<String> = schema
        .get("description")
        .and_then(Value::as_str)
        .map(|text| text.lines().map(str::to_owned).collect())
        .unwrap_or_default();
    let bounded = nullable_inner(schema).unwrap_or(schema);
    for tag in TAGS {
        lines.extend(schema.get(*tag).or_else(|| bounded.get(*tag)).map(|value| format!("@{tag} {}", shown(value))));
    }
    if let Some(Value::Object(items)) = bounded.get("items") {
        let bounds: Vec<String> =
            TAGS.iter().filter_map(|tag| Some(format!("{tag} {}", shown(items.get(*tag)?)))).collect();
        if !bounds.is_empty() {
            lines.push(format!("@items {}", bounds.join(", ")));
        }
    }
    if schema.get("deprecated") == Some(&Value::Bool(true)) {
        lines.push("@deprecated".to_owned());
    }
    lines
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A property's name: bare where TypeScript takes it, else quoted.
pub(super) fn key(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || ['_', '$'].contains(&first));
    let is_bare = first && characters.all(|other| other.is_ascii_alphanumeric() || ['_', '$'].contains(&other));
    if is_bare { name.to_owned() } else { Value::from(name).to_string() }
}

/// A value as the type of itself.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}: {}", key(name), literal(value))).collect();
            format!("{{ {} }}", members.join("; "))
        }
        // Every JSON text of the rest is a TypeScript literal.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{comment, key, literal};

    #[test]
    fn no_words_end_a_comment() {
        for words in ["a */ export const x = 1; /*", "**//", "*\u{0}/", "a\n*/b", "a*\r/", "/", "*", "*/*/"] {
            let text = comment(&[words.to_owned()], 1);
            assert_eq!(text.matches("*/").count(), 1, "{text}");
            assert!(text.ends_with(" */\n"), "{text}");
        }
        assert_eq!(comment(&[], 1), "");
        assert_eq!(
            comment(&["one".into(), String::new(), "two".into()], 1),
            "  /**\n   * one\n   *\n   * two\n   */\n"
        );
    }

    #[test]
    fn names_and_literals_stay_what_they_are() {
        assert_eq!(key("plain_$1"), "plain_$1");
        for (name, written) in
            [("", "\"\""), ("1st", "\"1st\""), ("a-b", "\"a-b\""), ("a\"; b", r#""a\"; b""#), ("ä", "\"ä\"")]
        {
            assert_eq!(key(name), written);
        }
        let value = json!({ "a b": [1, -2.5, null, true, "x\ny"] });
        assert_eq!(literal(&value), r#"{ "a b": [1, -2.5, null, true, "x\ny"] }"#);
    }
}
