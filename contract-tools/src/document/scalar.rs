//! What a plain word of YAML means: by the core schema, or by the older one when the file asks for version 1.1.

use std::sync::LazyLock;

use regex::Regex;

use super::node::Node;

/// Whose rules tell a word from a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// YAML 1.2: only `true` and `false` are booleans.
    Core,
    /// YAML 1.1: `off` is a boolean too, and numbers may have underscores.
    Old,
}

static DECIMAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"));
static INFINITE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[-+]?\.(?:inf|Inf|INF)$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of the code compiles; a test of its rule uses it")
}

/// The value of a plain scalar.
pub(super) fn resolve(text: &str, schema: Schema) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Node::Null,
        "true" | "True" | "TRUE" => return Node::Bool(true),
        "false" | "False" | "FALSE" => return Node::Bool(false),
        _ => {}
    }
    let value = match schema {
        Schema::Core => core_number(text).map(Node::Number),
        Schema::Old => old_boolean(text).map(Node::Bool).or_else(|| old_number(text).map(Node::Number)),
    };
    value.unwrap_or_else(|| Node::Text(text.to_owned()))
}

fn core_number(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return whole(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return whole(digits, 8);
    }
    decimal(text)
}

fn decimal(text: &str) -> Option<f64> {
    if DECIMAL.is_match(text) {
        return text.parse().ok();
    }
    if INFINITE.is_match(text) {
        return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    matches!(text, ".nan" | ".NaN" | ".NAN").then_some(f64::NAN)
}

/// A whole number of a base that has no sign and no fraction.
fn whole(digits: &str, base: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0.0, |sum, digit| Some(sum * f64::from(base) + f64::from(digit.to_digit(base)?)))
}

fn old_boolean(text: &str) -> Option<bool> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

fn old_number(text: &str) -> Option<f64> {
    if text.starts_with('_') {
        return None;
    }
    let bare = text.replace('_', "");
    let unsigned = bare.trim_start_matches(['-', '+']);
    let sign = if bare.starts_with('-') { -1.0 } else { 1.0 };
    if bare.len() - unsigned.len() <= 1 {
        let of_base = |prefix, base| unsigned.strip_prefix(prefix).and_then(|digits| whole(digits, base));
        let number = of_base("0x", 16).or_else(|| of_base("0b", 2)).or_else(|| of_base("0", 8));
        if let Some(number) = number {
            return Some(sign * number);
        }
    }
    decimal(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, core: &Node, old: &Node) {
        assert_eq!(&resolve(text, Schema::Core), core, "{text} by the core schema");
        assert_eq!(&resolve(text, Schema::Old), old, "{text} by version 1.1");
    }

    fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    #[test]
    fn the_core_schema_has_few_booleans_and_many_numbers() {
        for word in ["off", "Yes", "ON", "n"] {
            let is_true = matches!(word, "Yes" | "ON");
            check(word, &text(word), &Node::Bool(is_true));
        }
        check("TRUE", &Node::Bool(true), &Node::Bool(true));
        check("tRUE", &text("tRUE"), &text("tRUE"));
        check("0x10", &Node::Number(16.0), &Node::Number(16.0));
        check("0o17", &Node::Number(15.0), &text("0o17"));
        check("017", &Node::Number(17.0), &Node::Number(15.0));
        check("1_0", &text("1_0"), &Node::Number(10.0));
        check("1e1", &Node::Number(10.0), &Node::Number(10.0));
        check("-.inf", &Node::Number(f64::NEG_INFINITY), &Node::Number(f64::NEG_INFINITY));
        for word in ["0x", "0xg", "-0x1", "1e", ".", "+", "1.2.3", "--1", "inf"] {
            assert_eq!(resolve(word, Schema::Core), text(word), "{word}");
        }
        assert!(matches!(resolve(".nan", Schema::Core), Node::Number(number) if number.is_nan()));
    }
}
