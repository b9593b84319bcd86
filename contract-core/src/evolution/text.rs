//! Strings that probably fit a schema: short ones, those of a pattern, of a format, and at the bounds of a length.

use serde_json::{Map, Value};

use super::pattern::{Lengths, Patterns};
use super::values::Hints;

/// The longest string that is made.
const LONGEST: usize = 100_000;

/// One or more strings of each asserted format, and words that fit none.
const FORMATTED: [(&str, &[&str]); 17] = [
    ("date-time", &["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00"]),
    ("date", &["2020-01-01", "2024-02-29"]),
    ("time", &["00:00:00Z"]),
    ("duration", &["P1D", "PT1S"]),
    ("email", &["a@b.co"]),
    ("idn-email", &["a@b.co"]),
    ("hostname", &["a.co", "a"]),
    ("idn-hostname", &["a.co", "a"]),
    ("ipv4", &["127.0.0.1"]),
    ("ipv6", &["::1"]),
    ("uri", &["http://a.co", "urn:a:b"]),
    ("uri-reference", &["/a", "http://a.co"]),
    ("iri", &["http://a.co"]),
    ("uuid", &["00000000-0000-4000-8000-000000000000"]),
    ("json-pointer", &["/a", ""]),
    ("regex", &["a", "^a$"]),
    ("uri-template", &["/{a}", "a"]),
];

/// Candidates; lengths are counted in characters, and all are plain ASCII unless a pattern asks for more.
pub(super) fn candidates(schema: &Map<String, Value>, hints: &Hints, known: &Patterns) -> Vec<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
    let lengths = Lengths { least: bound("minLength").unwrap_or(0), most: bound("maxLength").unwrap_or(usize::MAX) };
    if lengths.least > LONGEST {
        return Vec::new();
    }
    let with = patterns(schema.get("pattern"));
    let mut without = Vec::new();
    excluded(schema.get("not"), &mut without);
    let mut strings: Vec<String> = Vec::new();
    if !with.is_empty() || !without.is_empty() {
        strings.extend(known.strings(&with, &without, lengths, 4));
        // Each alone, in case all together are more than an automaton can hold; and beside what the other side asks for.
        strings.extend(without.iter().flat_map(|pattern| known.strings(&with, &[pattern], lengths, 1)));
    }
    for other in hints.patterns.iter().take(6) {
        strings.extend(known.strings(&with, &[other], lengths, 1));
        let both: Vec<&str> = with.iter().copied().chain([other.as_str()]).collect();
        strings.extend(known.strings(&both, &without, lengths, 1));
    }
    let plain = ["", "a", "0", "A", " ", "!", "aa", "ab", "b"].map(str::to_owned);
    strings.extend(plain);
    let near = hints.lengths.iter().filter_map(|length| usize::try_from(*length).ok());
    let mut exact: Vec<usize> =
        near.flat_map(|length| [length.saturating_sub(1), length, length.saturating_add(1)]).collect();
    exact.extend([lengths.least, lengths.least + 1, lengths.most]);
    for length in exact.into_iter().filter(|length| *length <= LONGEST) {
        strings.push("a".repeat(length));
        if !with.is_empty() {
            strings.extend(known.strings(&with, &without, Lengths { least: length, most: length }, 1));
        }
    }
    let format = schema.get("format").and_then(Value::as_str);
    for (name, examples) in FORMATTED {
        if format.is_none_or(|format| format == name) {
            strings.extend(examples.iter().map(|&example| example.to_owned()));
        }
    }
    strings.extend(hints.strings.iter().filter_map(Value::as_str).map(str::to_owned));
    strings.retain(|string| (lengths.least..=lengths.most).contains(&string.chars().count()));
    strings.into_iter().map(Value::String).collect()
}

/// Whether `text` is one of the strings that stand for a format.
pub(super) fn is_formatted(text: &str) -> bool {
    FORMATTED.iter().any(|(_, examples)| examples.contains(&text))
}

/// One pattern, or the several that a merge collected.
fn patterns(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(pattern)) => vec![pattern],
        Some(Value::Array(patterns)) => patterns.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The patterns that a `not` rules out, where it says so plainly.
fn excluded<'schema>(not: Option<&'schema Value>, patterns: &mut Vec<&'schema str>) {
    let Some(Value::Object(not)) = not else { return };
    patterns.extend(not.get("pattern").and_then(Value::as_str));
    for branch in not.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        excluded(Some(branch), patterns);
    }
}
