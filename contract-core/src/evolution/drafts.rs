//! Which revision of JSON Schema a document is written in, and which keywords that revision knows: one that it does not know
//! asserts nothing, however well another revision knows it.

use serde_json::Value;

use super::dialect::kind;
use super::references::shown;
use super::unreadable::Unreadable;

/// A revision of JSON Schema, the oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    /// Draft 4: `id` instead of `$id`, bounds that are exclusive by a boolean.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09: keywords beside a reference count, tuples are lists under `items`.
    Draft2019,
    /// 2020-12; what a document is that names none, as MCP says.
    #[default]
    Current,
}

/// Keywords that came with a revision; what is not listed was always there, or is no keyword of any.
const SINCE: [(Dialect, &[&str]); 4] = [
    (Dialect::Draft6, &["const", "contains", "propertyNames", "$id"]),
    (Dialect::Draft7, &["if", "then", "else"]),
    (
        Dialect::Draft2019,
        &[
            "$anchor",
            "$recursiveRef",
            "$recursiveAnchor",
            "dependentRequired",
            "dependentSchemas",
            "minContains",
            "maxContains",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contentSchema",
        ],
    ),
    (Dialect::Current, &["prefixItems", "$dynamicRef", "$dynamicAnchor"]),
];

/// Keywords that went again, with the last revision that has them.
const UNTIL: [(Dialect, &[&str]); 3] = [
    (Dialect::Draft4, &["id"]),
    (Dialect::Draft7, &["dependencies"]),
    (Dialect::Draft2019, &["additionalItems", "$recursiveRef", "$recursiveAnchor"]),
];

/// Formats that came with a revision; the validator asserts some of them in every one.
const FORMATS_SINCE: [(Dialect, &[&str]); 3] = [
    (Dialect::Draft6, &["json-pointer", "uri-reference", "uri-template"]),
    (
        Dialect::Draft7,
        &["date", "time", "regex", "idn-email", "idn-hostname", "iri", "iri-reference", "relative-json-pointer"],
    ),
    (Dialect::Draft2019, &["duration", "uuid"]),
];

impl Dialect {
    /// The dialect that `schema`, which stands at `at`, says it is written in; none when it says nothing.
    ///
    /// # Errors
    /// When it names one that is not known here, whose keywords may mean anything.
    pub(super) fn said(schema: &Value, at: &str) -> Result<Option<Self>, Unreadable> {
        let Some(said) = schema.get("$schema") else { return Ok(None) };
        let fault = |what: String| {
            let why = format!(
                "`$schema` at {} is {what}; expected one of draft-04, draft-06, draft-07, 2019-09 and 2020-12, or none, \
                 which is 2020-12",
                shown(at)
            );
            Unreadable::new("$schema", why)
        };
        let Some(text) = said.as_str() else { return Err(fault(kind(said).to_owned())) };
        let plain = text.trim_end_matches('#');
        let name = ["https://json-schema.org/", "http://json-schema.org/"].iter().find_map(|at| plain.strip_prefix(at));
        match name {
            Some("draft-04/schema") => Ok(Some(Self::Draft4)),
            Some("draft-06/schema") => Ok(Some(Self::Draft6)),
            Some("draft-07/schema") => Ok(Some(Self::Draft7)),
            Some("draft/2019-09/schema") => Ok(Some(Self::Draft2019)),
            Some("draft/2020-12/schema" | "schema") => Ok(Some(Self::Current)),
            _ => Err(fault(format!("{:?}, a dialect that is not known here", super::telling::cut(text)))),
        }
    }

    /// Whether `keyword` means anything in this dialect; of a word that is a keyword of none, nothing is known.
    pub(super) fn hears(self, keyword: &str) -> bool {
        let is_listed = |(_, keywords): &&(Self, &[&str])| keywords.contains(&keyword);
        SINCE.iter().find(is_listed).is_none_or(|(since, _)| self >= *since)
            && UNTIL.iter().find(is_listed).is_none_or(|(until, _)| self <= *until)
    }

    /// Whether a reference hides every keyword beside it.
    pub(super) fn hides_beside_references(self) -> bool {
        self < Self::Draft2019
    }

    /// Whether `format`, one of the standard's, is asserted in this dialect.
    pub(super) fn asserts_format(self, format: &str) -> bool {
        let since = FORMATS_SINCE.iter().find(|(_, formats)| formats.contains(&format));
        since.is_none_or(|(since, _)| self >= *since)
    }

    /// What people call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft2019 => "2019-09",
            Self::Current => "2020-12",
        }
    }
}

/// Why it cannot be told that `wide` takes all of `narrow`, both as published: to draft 4, 1.0 is no integer, and no keyword of
/// 2020-12 says that.
pub(super) fn integers_apart(narrow: &Value, wide: &Value) -> Result<(), Unreadable> {
    let is_of_draft_4 = |schema: &Value| Ok(Dialect::said(schema, "")? == Some(Dialect::Draft4));
    if !is_of_draft_4(wide)? || !asks_for_integers(wide) || (is_of_draft_4(narrow)? && !may_be_whole(narrow)) {
        return Ok(());
    }
    let why = "it is of draft-04, to which 1.0 is no integer, and the other one may speak of such numbers; name draft-07 or none \
               in `$schema`";
    Err(Unreadable::new("type", why.to_owned()))
}

fn asks_for_integers(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.get("type").is_some_and(|kind| {
                kind == "integer" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "integer"))
            }) || members.values().any(asks_for_integers)
        }
        Value::Array(items) => items.iter().any(asks_for_integers),
        _ => false,
    }
}

/// Whether `value`, a schema, bounds numbers that need not be integers to some that are, or lists one such as 1.0.
fn may_be_whole(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            let is_bounded = ["multipleOf", "minimum", "maximum"].iter().any(|keyword| members.contains_key(*keyword));
            (is_bounded && members.get("type").is_none_or(|kind| kind != "integer"))
                || members.values().any(may_be_whole)
        }
        Value::Array(items) => items.iter().any(may_be_whole),
        Value::Number(number) => number.is_f64() && number.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Dialect, integers_apart};

    #[test]
    fn a_keyword_is_heard_by_the_drafts_that_have_it() {
        use Dialect::{Current, Draft4, Draft6, Draft7, Draft2019};
        for (keyword, expected) in [
            ("type", vec![Draft4, Draft6, Draft7, Draft2019, Current]),
            ("const", vec![Draft6, Draft7, Draft2019, Current]),
            ("if", vec![Draft7, Draft2019, Current]),
            ("dependencies", vec![Draft4, Draft6, Draft7]),
            ("dependentRequired", vec![Draft2019, Current]),
            ("unevaluatedProperties", vec![Draft2019, Current]),
            ("additionalItems", vec![Draft4, Draft6, Draft7, Draft2019]),
            ("prefixItems", vec![Current]),
            ("$recursiveRef", vec![Draft2019]),
            ("id", vec![Draft4]),
        ] {
            let all = [Draft4, Draft6, Draft7, Draft2019, Current];
            let heard: Vec<Dialect> = all.into_iter().filter(|dialect| dialect.hears(keyword)).collect();
            assert_eq!(heard, expected, "{keyword}");
        }
    }

    #[test]
    fn an_integer_of_draft_4_is_written_as_one() {
        let old = |schema: serde_json::Value| json!({ "$schema": "http://json-schema.org/draft-04/schema#", "properties": { "a": schema } });
        let integer = json!({ "type": "integer", "minimum": 1 });
        assert_eq!(integers_apart(&old(integer.clone()), &old(integer.clone())), Ok(()));
        assert_eq!(integers_apart(&old(integer.clone()), &integer), Ok(()));
        assert_eq!(integers_apart(&integer, &old(integer.clone())).unwrap_err().keyword, "type");
        assert!(integers_apart(&old(json!({ "type": "number", "multipleOf": 1 })), &old(integer.clone())).is_err());
        assert!(integers_apart(&old(json!({ "enum": [1.0] })), &old(integer)).is_err());
    }

    #[test]
    fn a_dialect_is_named_exactly() {
        let said = |text: &str| Dialect::said(&json!({ "$schema": text }), "");
        assert_eq!(said("http://json-schema.org/draft-07/schema#"), Ok(Some(Dialect::Draft7)));
        assert_eq!(said("https://json-schema.org/draft/2019-09/schema"), Ok(Some(Dialect::Draft2019)));
        assert_eq!(Dialect::said(&json!({}), ""), Ok(None));
        for unknown in ["http://json-schema.org/draft-03/schema#", "https://a.example/draft-07/schema", ""] {
            assert_eq!(said(unknown).unwrap_err().keyword, "$schema", "{unknown}");
        }
        assert!(Dialect::said(&json!({ "$schema": 7 }), "").is_err());
    }
}
