//! The drafts as these tests read them, by a table of their own: which keywords each has, and how each spells what all have.

use contract_core::serde_json::{Map, Value, json};

use super::random::Random;

/// A draft, the oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Draft {
    Four,
    Six,
    Seven,
    Of2019,
    Of2020,
}

use Draft::{Four, Of2019, Of2020, Seven, Six};

/// The keywords that not every draft has: the first draft and the last one that do.
const KEYWORDS: [(&str, Draft, Draft); 19] = [
    ("id", Four, Four),
    ("$id", Six, Of2020),
    ("const", Six, Of2020),
    ("contains", Six, Of2020),
    ("propertyNames", Six, Of2020),
    ("if", Seven, Of2020),
    ("then", Seven, Of2020),
    ("else", Seven, Of2020),
    ("dependencies", Four, Seven),
    ("additionalItems", Four, Of2019),
    ("$anchor", Of2019, Of2020),
    ("dependentRequired", Of2019, Of2020),
    ("dependentSchemas", Of2019, Of2020),
    ("minContains", Of2019, Of2020),
    ("maxContains", Of2019, Of2020),
    ("unevaluatedItems", Of2019, Of2020),
    ("unevaluatedProperties", Of2019, Of2020),
    ("prefixItems", Of2020, Of2020),
    ("$dynamicRef", Of2020, Of2020),
];

/// The formats that not every draft has, of those that are used here: the first draft that does.
const FORMATS: [(&str, Draft); 2] = [("date", Seven), ("uuid", Of2019)];

impl Draft {
    pub(crate) const ALL: [Self; 5] = [Four, Six, Seven, Of2019, Of2020];

    /// What `$schema` says.
    pub(crate) fn url(self) -> &'static str {
        match self {
            Four => "http://json-schema.org/draft-04/schema#",
            Six => "http://json-schema.org/draft-06/schema#",
            Seven => "http://json-schema.org/draft-07/schema#",
            Of2019 => "https://json-schema.org/draft/2019-09/schema",
            Of2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// What `schema` is written in.
    pub(crate) fn of(schema: &Value) -> Self {
        Self::ALL.into_iter().find(|draft| schema["$schema"] == draft.url()).unwrap_or(Of2020)
    }

    pub(crate) fn has(self, keyword: &str) -> bool {
        KEYWORDS.iter().all(|(known, since, until)| *known != keyword || (*since..=*until).contains(&self))
    }

    fn has_format(self, format: &Value) -> bool {
        FORMATS.iter().all(|(known, since)| format != known || self >= *since)
    }
}

/// A validator that asserts what the draft of `schema` has, and nothing else: the library hears some keywords in every draft.
/// None where a keyword has the form of another draft.
pub(crate) fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    let draft = Draft::of(schema);
    let library = match draft {
        Four => jsonschema::Draft::Draft4,
        Six => jsonschema::Draft::Draft6,
        Seven => jsonschema::Draft::Draft7,
        Of2019 => jsonschema::Draft::Draft201909,
        Of2020 => jsonschema::Draft::Draft202012,
    };
    let heard = each(schema, &mut |members| {
        members.retain(|keyword, value| draft.has(keyword) && (keyword != "format" || draft.has_format(value)));
    });
    jsonschema::options().with_draft(library).should_validate_formats(true).build(&heard).ok()
}

/// A schema of 2020-12 that names `draft`, and is spelled as `spelling` spells it: only keywords that say the same there.
pub(crate) fn spelled(schema: &Value, draft: Option<Draft>, spelling: Draft) -> Value {
    let mut spelled = each(schema, &mut |members| spell(members, spelling));
    if let Some(draft) = draft {
        spelled["$schema"] = json!(draft.url());
    }
    spelled
}

/// The drafts that two documents name: seldom any, seldom two.
pub(crate) fn named(random: &mut Random) -> [Option<Draft>; 2] {
    let mut one = || match random.below(20) {
        0 | 1 => Some(Four),
        2 | 3 => Some(Six),
        4 | 5 => Some(Of2019),
        6 | 7 => Some(Of2020),
        8..=10 => Some(Seven),
        _ => None,
    };
    let (old, new) = (one(), one());
    [old, if random.one_in(6) { new } else { old }]
}

fn spell(members: &mut Map<String, Value>, spelling: Draft) {
    let mut rename = |from: &str, to: &str, written: &dyn Fn(Value) -> Value| {
        // At its place, since the order of keywords is nobody's change.
        *members = std::mem::take(members)
            .into_iter()
            .map(|(keyword, value)| if keyword == from { (to.to_owned(), written(value)) } else { (keyword, value) })
            .collect();
    };
    let same = |value: Value| value;
    if spelling < Of2019 {
        rename("$defs", "definitions", &same);
        rename("$ref", "$ref", &|way| json!(way.as_str().unwrap().replace("#/$defs/", "#/definitions/")));
        let id = if spelling == Four { "id" } else { "$id" };
        rename("$anchor", id, &|anchor| json!(format!("#{}", anchor.as_str().unwrap())));
        rename("dependentRequired", "dependencies", &same);
        rename("dependentSchemas", "dependencies", &same);
    }
    if spelling == Four {
        rename("const", "enum", &|only| json!([only]));
    }
    if spelling == Four
        && let Some(least) = members.get("exclusiveMinimum").cloned()
    {
        members.insert("minimum".to_owned(), least);
        members.insert("exclusiveMinimum".to_owned(), json!(true));
    }
    if spelling < Of2020
        && let Some(places) = members.shift_remove("prefixItems")
        && let Some(rest) = members.insert("items".to_owned(), places)
    {
        members.insert("additionalItems".to_owned(), rest);
    }
}

/// The same schema with `change` made at it and each schema in it, the inner ones first.
fn each(schema: &Value, change: &mut dyn FnMut(&mut Map<String, Value>)) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut members = members.clone();
    for (keyword, value) in &mut members {
        match (keyword.as_str(), &mut *value) {
            ("enum" | "const" | "required" | "type" | "dependentRequired", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                Value::Object(named),
            ) => {
                named.values_mut().for_each(|inner| *inner = each(inner, change));
            }
            (_, Value::Array(listed)) => listed.iter_mut().for_each(|inner| *inner = each(inner, change)),
            (_, inner) => *inner = each(inner, change),
        }
    }
    change(&mut members);
    Value::Object(members)
}
