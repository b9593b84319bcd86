//! Patterns for which a validator goes back in a text. After so many steps it gives up and calls the text refused, also where a
//! union or a negation hides that; so its word counts only where it did not give up.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Value, json};

use super::effort::Effort;

/// Steps that a pattern may go back in one text; plain patterns take linear time anyway.
pub(super) const LIMIT: u64 = 5_000;

/// The most memory for one pattern, in bytes.
const LARGEST: usize = 2 << 20;

/// Texts up to this long leave a pattern little to try again.
pub(super) const SHORT: usize = 6;

/// What a trial costs with a short text and with any other, and what an answer that is known does.
const WITH_SHORT: u64 = 8;
const WITH_ANY: u64 = 125;
const KNOWN: u64 = 1;

/// Patterns are strangers', too: neither the time to look for one nor the memory to hold it is theirs to choose.
pub(super) fn pattern_options() -> PatternOptions<jsonschema::FancyRegex> {
    PatternOptions::fancy_regex()
        .backtrack_limit(usize::try_from(LIMIT).unwrap_or(usize::MAX))
        .size_limit(LARGEST)
        .dfa_size_limit(LARGEST)
}

/// Whether a validator may go back in a text to look for `pattern`, which a plain automaton need not.
pub(super) fn goes_back(pattern: &str) -> bool {
    let has_number = |text: &str| text.starts_with(|next: char| next.is_ascii_digit() && next != '0');
    let is_special = |text: &str| !text.starts_with(':');
    pattern.split("(?").skip(1).any(is_special)
        || ["\\k", "\\g", "\\G", "\\K", "++", "*+", "?+", "}+"].iter().any(|part| pattern.contains(part))
        || pattern.split('\\').skip(1).any(has_number)
}

/// What was tried in one comparison.
#[derive(Default)]
pub(super) struct Trials {
    by_pattern: RefCell<HashMap<String, Trial>>,
}

struct Trial {
    /// None where no validator takes the pattern.
    judge: Option<Validator>,
    /// Whether the look in a text came to its end.
    ended: HashMap<String, bool>,
}

impl Trial {
    fn of(pattern: &str) -> Self {
        let options = jsonschema::options().with_pattern_options(pattern_options()).offline();
        Self { judge: options.build(&json!({ "pattern": pattern })).ok(), ended: HashMap::new() }
    }

    fn ends(&mut self, text: &str) -> bool {
        if let Some(known) = self.ended.get(text) {
            return *known;
        }
        let ends = self.judge.as_ref().is_some_and(|judge| match judge.validate(&text.into()) {
            Ok(()) => true,
            Err(error) => matches!(error.kind(), ValidationErrorKind::Pattern { .. }),
        });
        self.ended.insert(text.to_owned(), ends);
        ends
    }
}

impl Trials {
    /// Whether each look for each of `patterns` in any text of `value` comes to its end, and finding that out is afforded.
    pub(super) fn end(&self, patterns: &BTreeSet<String>, value: &Value, effort: &Effort<'_>) -> bool {
        patterns.is_empty()
            || match value {
                Value::String(text) => patterns.iter().all(|pattern| self.ends(pattern, text, effort)),
                Value::Array(items) => items.iter().all(|item| self.end(patterns, item, effort)),
                Value::Object(members) => members.iter().all(|(name, member)| {
                    patterns.iter().all(|pattern| self.ends(pattern, name, effort))
                        && self.end(patterns, member, effort)
                }),
                _ => true,
            }
    }

    fn ends(&self, pattern: &str, text: &str, effort: &Effort<'_>) -> bool {
        let mut all = self.by_pattern.borrow_mut();
        let is_known = all.get(pattern).is_some_and(|trial| trial.ended.contains_key(text));
        let cost = match text.len() {
            _ if is_known => KNOWN,
            0..=SHORT => WITH_SHORT,
            _ => WITH_ANY,
        };
        effort.affords(cost) && all.entry(pattern.to_owned()).or_insert_with(|| Trial::of(pattern)).ends(text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{Trials, goes_back};
    use crate::evolution::effort::Effort;
    use crate::evolution::pattern::Patterns;

    #[test]
    fn a_look_that_is_given_up_is_no_answer() {
        let pattern = "^(?!(?:(?=a)(?:a|aa))+b$)a+$";
        let patterns = Patterns::default();
        let effort = Effort::new(&patterns, 0, u64::MAX);
        let ends = |value: Value| Trials::default().end(&BTreeSet::from([pattern.to_owned()]), &value, &effort);
        let long = "a".repeat(60);
        assert!(ends(json!(["a", "b", "aaab", { "a": 1 }])));
        assert!(!ends(json!(long)));
        assert!(!ends(json!([{ "a": long }])));
        assert!(!ends(json!({ long: 1 })));
    }

    #[test]
    fn what_an_automaton_can_say_goes_nowhere() {
        for plain in ["^a+$", "(?:ab)+", "\\d\\0", "^[a-z]{2,4}?$", "a+?"] {
            assert!(!goes_back(plain), "{plain}");
        }
        for special in ["(?=a)", "(?<!a)b", "(?<n>a)\\k<n>", "(a)\\1", "(?>a+)", "a++"] {
            assert!(goes_back(special), "{special}");
        }
    }
}
