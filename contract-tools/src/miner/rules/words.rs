//! Small conventions of the programs that write the stores: what is blank, what is a whole number, what a number's text is.

use serde_json::{Map, Value};

use crate::miner::MAX_SAFE_INTEGER;

/// What JavaScript trims: white space, and the mark that some files begin with.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// A text without white space around it, if anything is left.
pub fn blank_to_none(text: &str) -> Option<&str> {
    let text = text.trim_matches(is_blank);
    (!text.is_empty()).then_some(text)
}

/// A whole number that JSON carries exactly; `3.0` is one.
pub fn whole_number(value: &Value) -> Option<i64> {
    let number = value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)?;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        Some(number as i64)
    })?;
    (number.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs()).then_some(number)
}

/// A payload's members; none for JSON that is no object, nothing for a text that is no JSON.
pub fn payload_of(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text).ok()? {
        Value::Object(members) => Some(members),
        _ => Some(Map::new()),
    }
}

/// What JavaScript's `Number` makes of a text, as far as it is a number.
pub fn js_number(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_blank);
    let radix = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    if let Some((digits, radix)) = radix.iter().find_map(|(prefix, radix)| Some((text.strip_prefix(prefix)?, *radix))) {
        let is_plain = digits.chars().all(|digit| digit.is_digit(radix));
        #[expect(clippy::cast_precision_loss, reason = "JavaScript has no other numbers")]
        return is_plain.then(|| u64::from_str_radix(digits, radix).ok()).flatten().map(|number| number as f64);
    }
    let is_decimal = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'));
    if text.is_empty() { Some(0.0) } else { text.parse().ok().filter(|_| is_decimal) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_read_as_the_writer_reads_them() {
        let numbers = ["1e3", "0x10", " 7 ", "", "0.5", "-1", "abc", "Infinity", "nan", "0x", "1_0"].map(js_number);
        let expect =
            [Some(1000.0), Some(16.0), Some(7.0), Some(0.0), Some(0.5), Some(-1.0), None, None, None, None, None];
        assert_eq!(numbers, expect);
    }

    #[test]
    fn a_whole_number_is_one_that_json_carries_exactly() {
        let most = 9_007_199_254_740_991_i64;
        for (value, expect) in [
            (json!(3.0), Some(3)),
            (json!(most), Some(most)),
            (json!(most + 1), None),
            (json!(9_007_199_254_740_992.0), None),
            (json!(1.5), None),
            (json!("1"), None),
            (json!(1e300), None),
            (json!(-2), Some(-2)),
        ] {
            assert_eq!(whole_number(&value), expect, "{value}");
        }
    }
}
