//! Nasty values: what models, scripts and attackers send where something else is asked for.

use serde_json::{Map, Value, json};

use crate::arguments::join;

/// Values of every JSON type at the edges where readers differ.
pub(super) fn nasty_values() -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(2),
        json!(0.5),
        json!(-0.0),
        json!(1.5),
        json!(30.0),
        json!(127),
        json!(255),
        json!(256),
        json!(65_536),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(5_000_000_000_u64),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_993_i64),
        json!(-9_007_199_254_740_993_i64),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(18_446_744_073_709_551_616.0),
        json!(1e300),
        json!(5e-324),
        json!([]),
        json!({}),
        json!([null]),
        json!([[]]),
        json!([1, 2]),
        json!(["a", "a"]),
        json!({ "": null }),
        json!({ "99999999999": 1 }),
        json!({ "a": { "b": [{}] } }),
    ];
    values.extend(nasty_texts().into_iter().map(Value::from));
    values.extend([64, 300, 5_000].map(|length| Value::from("x".repeat(length))));
    values.push(Value::Array(vec![json!(1); 600]));
    values
}

/// Texts at the edges where readers differ.
pub(super) fn nasty_texts() -> [&'static str; 30] {
    [
        "",
        " ",
        "a",
        "A",
        "0",
        "-1",
        "1.0",
        "true",
        "null",
        "[1]",
        "{}",
        "a/b",
        "../..",
        "-x",
        "\0",
        "\n",
        "\u{feff}",
        "é",
        "e\u{301}",
        "日本語",
        "🦀",
        "\u{202e}abc",
        "2026-01-01",
        "2026-01-01T00:00:00Z",
        "127.0.0.1",
        "::1",
        "a@b.c",
        "00000000-0000-0000-0000-000000000000",
        "https://example.com/",
        "PT1S",
    ]
}

/// Every way to put `nasty` in the place of one part of `value`, with the pointer to that part.
pub(super) fn replace_each(value: &Value, nasty: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for pointer in pointers(value) {
        let mut changed = value.clone();
        if let Some(part) = changed.pointer_mut(&pointer) {
            *part = nasty.clone();
            all.push((pointer, changed));
        }
    }
    all
}

/// The pointers to every part of `value` below its root.
pub(super) fn pointers(value: &Value) -> Vec<String> {
    fn walk(value: &Value, pointer: &str, all: &mut Vec<String>) {
        let none = Map::new();
        let members = value.as_object().unwrap_or(&none).iter().map(|(key, part)| (join(pointer, key), part));
        let items = value.as_array().into_iter().flatten().enumerate().map(|(at, part)| (join(pointer, at), part));
        for (pointer, part) in members.chain(items) {
            all.push(pointer.clone());
            walk(part, &pointer, all);
        }
    }
    let mut all = Vec::new();
    walk(value, "", &mut all);
    all
}
