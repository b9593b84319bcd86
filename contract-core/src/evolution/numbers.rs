//! Numbers that probably fit a schema: the plain ones, and those at its bounds.

use serde_json::{Map, Value, json};

use super::values::Hints;

/// Beyond this, whole numbers have no neighbours in a double.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// Candidates of the type `kind`.
pub(super) fn candidates(schema: &Map<String, Value>, kind: &str, hints: &Hints) -> Vec<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let low = [bound("minimum"), bound("exclusiveMinimum")].into_iter().flatten().fold(f64::NEG_INFINITY, f64::max);
    let high = [bound("maximum"), bound("exclusiveMaximum")].into_iter().flatten().fold(f64::INFINITY, f64::min);
    let is_inside = |value: f64| {
        value >= low
            && value <= high
            && bound("exclusiveMinimum").is_none_or(|bound| value > bound)
            && bound("exclusiveMaximum").is_none_or(|bound| value < bound)
    };
    let mut near = vec![0.0];
    let mut around = |value: f64| near.extend([value, value + 1.0, value - 1.0, value + 0.5, value - 0.5]);
    around(0.0);
    [low, high].into_iter().filter(|bound| bound.is_finite()).for_each(&mut around);
    hints.numbers.iter().filter_map(Value::as_f64).for_each(&mut around);
    if low.is_finite() && high.is_finite() {
        near.push(f64::midpoint(low, high));
    }
    if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
        let first = if low.is_finite() { (low / step).ceil() } else { 0.0 };
        near.extend((0..6).map(|count| (first + f64::from(count)) * step));
        let last = if high.is_finite() { (high / step).floor() } else { 0.0 };
        near.extend((0..3).map(|count| (last - f64::from(count)) * step));
    }
    near.retain(|value| is_inside(*value) && (kind == "number" || value.fract() == 0.0));
    near.into_iter().map(number).collect()
}

/// A whole number is written as one.
pub(super) fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "whole and within the range in which doubles are exact")]
    if value.fract() == 0.0 && value.abs() <= SAFE { json!(value as i64) } else { json!(value) }
}
