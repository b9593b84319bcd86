//! What has to be included in what for the members of one object to be members of another: of the schemas by name, by pattern and
//! for the rest, those pairs that meet in some name.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::keywords::named;
use super::pattern::{Inclusion, Patterns};

/// What is said of a property that nothing is said of.
static OPEN: Value = Value::Bool(true);
static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// Pairs of schemas of the narrow and of the wide side: when each is included in its other, every member that the narrow side
/// takes is one that the wide side takes. What no automaton can say of a pattern is taken to be the worse.
pub(super) fn pairs<'schema>(
    narrow: &'schema Map<String, Value>,
    wide: &'schema Map<String, Value>,
    patterns: &'schema Patterns,
) -> Vec<(&'schema Value, &'schema Value)> {
    let (narrow, wide) = (Members::of(narrow, patterns), Members::of(wide, patterns));
    let by_name = wide.declared.iter().map(|(name, right)| (narrow.named(name), right));
    let by_pattern = wide.by_pattern.iter().map(|(pattern, right)| (narrow.matching(pattern), right));
    let rest = std::iter::once((narrow.beside(&wide), wide.rest));
    let all = by_name.chain(by_pattern).chain(rest);
    all.flat_map(|(lefts, right)| lefts.into_iter().map(move |left| (left, right))).collect()
}

/// What an object says of its members.
struct Members<'schema> {
    declared: &'schema Map<String, Value>,
    by_pattern: &'schema Map<String, Value>,
    rest: &'schema Value,
    patterns: &'schema Patterns,
}

impl<'schema> Members<'schema> {
    fn of(schema: &'schema Map<String, Value>, patterns: &'schema Patterns) -> Self {
        Self {
            declared: named(schema, "properties", &NONE),
            by_pattern: named(schema, "patternProperties", &NONE),
            rest: schema.get("additionalProperties").unwrap_or(&OPEN),
            patterns,
        }
    }

    /// What is said of the property `name`: of several schemas that hold, one will do.
    fn named(&self, name: &str) -> Vec<&'schema Value> {
        if let Some(declared) = self.declared.get(name) {
            return vec![declared];
        }
        let mut possible = Vec::new();
        for (pattern, schema) in self.by_pattern {
            match self.patterns.found(pattern, name) {
                Some(true) => return vec![schema],
                Some(false) => {}
                None => possible.push(schema),
            }
        }
        possible.push(self.rest);
        possible
    }

    /// What is said of properties whose names `pattern` is found in.
    fn matching(&self, pattern: &str) -> Vec<&'schema Value> {
        let covers = |own: &str| self.patterns.included(pattern, own) == Inclusion::Proved;
        let covering = self.by_pattern.iter().find(|(own, _)| covers(own)).map(|(_, schema)| schema);
        if let Some(schema) = self.by_pattern.get(pattern).or(covering) {
            return vec![schema];
        }
        let declared = self.declared.iter().filter(|(name, _)| self.patterns.found(pattern, name) != Some(false));
        let meeting = self.by_pattern.iter().filter(|(own, _)| !self.patterns.are_apart(pattern, own));
        declared.chain(meeting).map(|(_, schema)| schema).chain([self.rest]).collect()
    }

    /// What is said of properties of which `other` says nothing by name or by pattern.
    fn beside(&self, other: &Self) -> Vec<&'schema Value> {
        let is_told = |name: &str| {
            other.declared.contains_key(name)
                || other.by_pattern.keys().any(|pattern| self.patterns.found(pattern, name) == Some(true))
        };
        let is_covered = |own: &str| {
            other.by_pattern.keys().any(|pattern| self.patterns.included(own, pattern) == Inclusion::Proved)
        };
        let declared = self.declared.iter().filter(|(name, _)| !is_told(name));
        let by_pattern = self.by_pattern.iter().filter(|(own, _)| !is_covered(own));
        declared.chain(by_pattern).map(|(_, schema)| schema).chain([self.rest]).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::pairs;
    use crate::evolution::pattern::Patterns;

    /// The pairs by their titles.
    fn check(narrow: &Value, wide: &Value, expected: &[(&str, &str)]) {
        let title = |schema: &Value| schema["title"].as_str().map_or_else(|| schema.to_string(), str::to_owned);
        let patterns = Patterns::default();
        let pairs = pairs(narrow.as_object().unwrap(), wide.as_object().unwrap(), &patterns);
        let titles: Vec<(String, String)> =
            pairs.into_iter().map(|(left, right)| (title(left), title(right))).collect();
        let titles: Vec<(&str, &str)> = titles.iter().map(|(left, right)| (left.as_str(), right.as_str())).collect();
        assert_eq!(titles, expected, "{narrow} in {wide}");
    }

    fn named(title: &str) -> Value {
        json!({ "title": title })
    }

    #[test]
    fn a_member_meets_what_is_said_of_its_name_by_the_other_side() {
        let closed =
            |keyword: &str, name: &str| json!({ keyword: { name: named(name) }, "additionalProperties": false });
        check(
            &json!({ "properties": { "a": named("a"), "b": named("b") } }),
            &json!({ "properties": { "a": named("A") } }),
            &[("a", "A"), ("b", "true"), ("true", "true")],
        );
        check(
            &closed("patternProperties", "^a+$"),
            &closed("patternProperties", "^a*$"),
            &[("^a+$", "^a*$"), ("false", "^a*$"), ("false", "false")],
        );
        // What the wide pattern leaves out falls to the rest.
        check(
            &closed("patternProperties", "^a*$"),
            &closed("patternProperties", "^a+$"),
            &[("^a*$", "^a+$"), ("^a*$", "false"), ("false", "false")],
        );
        check(
            &closed("properties", "aa"),
            &closed("patternProperties", "^a+$"),
            &[("aa", "^a+$"), ("false", "^a+$"), ("false", "false")],
        );
        check(
            &closed("patternProperties", "^a+$"),
            &closed("properties", "aa"),
            &[("^a+$", "aa"), ("^a+$", "false"), ("false", "false")],
        );
        check(
            &closed("patternProperties", "^a"),
            &closed("patternProperties", "^b"),
            &[("false", "^b"), ("^a", "false"), ("false", "false")],
        );
    }

    #[test]
    fn a_pattern_that_no_automaton_can_say_may_meet_anything() {
        let hidden = json!({ "patternProperties": { "^(?!x)a": named("hidden") } });
        check(
            &hidden,
            &json!({ "properties": { "a": named("A") } }),
            &[("hidden", "A"), ("true", "A"), ("hidden", "true"), ("true", "true")],
        );
        check(&hidden, &hidden, &[("hidden", "hidden"), ("true", "true")]);
    }
}
