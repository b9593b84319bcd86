//! What a registry refuses when it is collected: every violation of every tool at once, each with its place.

use std::collections::BTreeMap;

use contract_core::__private::EntryParts;
use contract_core::projection::contract;
use contract_core::schemars::{self, JsonSchema, Schema, SchemaGenerator, json_schema};
use contract_core::testing::{self, Law};
use contract_core::{Convention, Hints, Registry, ToolEntry, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use crate::hand_made::{Done, Plain, answering, described, entry, parts, taking};

/// The conventions that these entries break, with the messages.
fn violations(entries: impl IntoIterator<Item = &'static ToolEntry>) -> Vec<(Convention, String)> {
    let error = Registry::from_entries(entries).unwrap_err();
    error.violations().iter().map(|violation| (violation.convention, violation.to_string())).collect()
}

#[track_caller]
fn only(tool: &'static ToolEntry, convention: Convention) -> String {
    let found = violations([tool]);
    let [(broken, message)] = found.as_slice() else { panic!("one violation of {convention}, got {found:#?}") };
    assert_eq!(*broken, convention, "{message}");
    message.clone()
}

mod elsewhere {
    use super::{EntryParts, ToolEntry, entry, parts};
    use crate::hand_made::{Done, Plain};

    pub(super) fn twin(name: &'static str) -> &'static ToolEntry {
        let source = contract_core::Source { module: module_path!(), file: file!(), line: line!() };
        entry(EntryParts { source, ..parts::<Plain, Done>(name) })
    }
}

#[test]
fn two_tools_of_one_name_are_refused_with_both_places() {
    let message =
        only_duplicates([taking::<Plain>("twin"), elsewhere::twin("twin"), described("other", &"x".repeat(30))]);
    assert!(message.contains("is the name of 2 tools"), "{message}");
    assert!(message.contains("hand_made.rs:") && message.contains("registry.rs:"), "{message}");
}

#[track_caller]
fn only_duplicates(entries: [&'static ToolEntry; 3]) -> String {
    let found = violations(entries);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, Convention::UniqueNames);
    found[0].1.clone()
}

#[test]
fn names_that_would_meet_after_sanitising_are_all_refused() {
    for name in ["get-plan", "Get_Plan", "get.plan", "get plan"] {
        only(taking::<Plain>(name), Convention::ToolName);
    }
    let found = violations([taking::<Plain>("get-plan"), taking::<Plain>("Get_Plan"), taking::<Plain>("get_plan")]);
    assert_eq!(found.len(), 2, "the one legal name stays legal: {found:#?}");
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    /// Nothing of this is right.
    #[derive(Serialize, JsonSchema)]
    struct Nameless {
        #[serde(rename = "1st")]
        first: u32,
    }
    let hints = Hints { read_only: true, destructive: true, idempotent: None, open_world: None };
    let broken = entry(EntryParts {
        title: Some(" "),
        hints,
        description: "Short.",
        ..parts::<Vec<String>, Nameless>("broken")
    });
    let rules: Vec<Convention> =
        violations([broken, taking::<Plain>("fine")]).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(
        rules,
        [
            Convention::InputObject,
            Convention::PropertyName,
            Convention::PropertyDescription,
            Convention::Description,
            Convention::Description,
            Convention::Hints,
        ]
    );
}

#[test]
fn an_output_is_an_object_with_a_member() {
    #[derive(Serialize, JsonSchema)]
    struct Nothing {}
    only(answering::<Vec<u32>>("list"), Convention::OutputObject);
    only(answering::<Option<Done>>("maybe"), Convention::OutputObject);
    only(answering::<String>("text"), Convention::OutputObject);
    only(answering::<()>("unit"), Convention::OutputObject);
    only(answering::<Nothing>("nothing"), Convention::OutputProperty);
    assert!(only(answering::<BTreeMap<String, u32>>("map"), Convention::OutputProperty).contains("no property"));
}

#[test]
fn a_recursive_output_is_refused_with_its_path() {
    #[derive(Serialize, JsonSchema)]
    struct PlanNode {
        /// Identifier.
        id: String,
        /// What has to be done before.
        depends_on: Vec<PlanNode>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Plan {
        /// The first step.
        first: PlanNode,
    }
    assert!(only(answering::<PlanNode>("root"), Convention::NoRecursion).contains("`depends_on[]`"));
    assert!(only(answering::<Plan>("nested"), Convention::NoRecursion).contains("`first.depends_on[]`"));
}

#[test]
fn two_types_of_one_short_name_keep_their_own_shapes() {
    mod claims {
        /// A row.
        #[contract_core::contract_type]
        pub(super) struct Row {
            /// A claim.
            pub(super) claim: String,
        }
    }
    mod pulls {
        /// A row.
        #[contract_core::contract_type]
        pub(super) struct Row {
            /// A pull request.
            pub(super) pull: u32,
        }
    }
    #[derive(Serialize, JsonSchema)]
    struct Both {
        /// One.
        one: claims::Row,
        /// The other.
        other: pulls::Row,
    }
    let registry = Registry::from_entries([answering::<Both>("both")]).unwrap();
    let members = &registry.get("both").unwrap().output_schema()["properties"];
    assert!(
        members["one"]["properties"].get("claim").is_some() && members["other"]["properties"].get("pull").is_some()
    );
}

#[test]
fn two_tools_with_types_of_one_short_name_keep_their_own_shapes_and_change_nothing_of_each_other() {
    macro_rules! rows {
        ($module:ident, $field:ident: $kind:ty = $example:expr) => {
            mod $module {
                /// A row.
                #[contract_core::contract_type]
                pub(super) struct Row {
                    /// What the row is about.
                    #[schemars(example = $example)]
                    pub(super) $field: $kind,
                }
                /// Rows.
                #[contract_core::contract_type]
                pub(super) struct Rows {
                    /// Each of them.
                    pub(super) rows: Vec<Row>,
                }
            }
        };
    }
    rows!(claims, claim: String = &"x");
    rows!(pulls, pull: u32 = 1);
    let claims = entry(parts::<claims::Rows, claims::Rows>("claims"));
    let pulls = entry(parts::<pulls::Rows, pulls::Rows>("pulls"));
    let together = Registry::from_entries([claims, pulls]).unwrap();
    for (tool, name, own, other) in [(claims, "claims", "claim", "pull"), (pulls, "pulls", "pull", "claim")] {
        let definition = together.get(name).unwrap();
        for schema in [definition.input_schema(), definition.output_schema()] {
            let members = &schema["properties"]["rows"]["items"]["properties"];
            assert!(members.get(own).is_some() && members.get(other).is_none(), "{name}: {schema:?}");
        }
        let alone = Registry::from_entries([tool]).unwrap();
        let page = |registry: &Registry| contract::canonical(&[registry.get(name).unwrap()]);
        assert_eq!(page(&alone), page(&together));
    }
}

#[test]
fn the_wrapper_types_own_words_stay_out_of_the_input() {
    /// Internal: do not show.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct AuditInput {
        /// Shown.
        #[schemars(example = 1)]
        since: u32,
    }
    let registry = Registry::from_entries([taking::<AuditInput>("audit")]).unwrap();
    let schema = serde_json::Value::Object(registry.get("audit").unwrap().input_schema().clone()).to_string();
    assert!(!schema.contains("Internal") && !schema.contains("AuditInput") && schema.contains("Shown."), "{schema}");
}

/// A type whose schema is written by hand.
macro_rules! hand_written {
    ($name:ident, $schema:expr) => {
        #[derive(Deserialize)]
        struct $name {}
        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

/// An object with one described property of this schema.
fn one(property: serde_json::Value) -> Schema {
    let mut property = property;
    property["description"] = json!("The member.");
    json_schema!({ "type": "object", "properties": { "member": property } })
}

#[test]
fn references_that_turn_in_circles_or_nest_without_end_are_refused_and_overflow_nothing() {
    hand_written!(Circle, one(json!({ "allOf": [{ "$ref": "#/properties/member" }] })));
    hand_written!(Deep, {
        let mut schema = json!({ "type": "string" });
        for _ in 0..10_000 {
            // `json!` would copy all levels at every level.
            schema = Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), schema)]).into();
        }
        one(schema)
    });
    let found = violations([taking::<Circle>("circle")]);
    assert!(found.iter().any(|(rule, _)| *rule == Convention::NoRecursion), "{found:#?}");
    // serde_json drops a value level by level on the stack: that is the price of making such a one, not of refusing it.
    let with_room = std::thread::Builder::new().stack_size(256 << 20);
    let refused = with_room.spawn(|| only(taking::<Deep>("deep"), Convention::NoRecursion)).unwrap();
    assert!(refused.join().unwrap().contains("levels"));
}

/// An object root with "at least one of these", in each way that JSON Schema has for it.
#[test]
fn a_root_that_combines_is_refused_also_beside_properties() {
    fn root(keyword: &str, value: serde_json::Value) -> Schema {
        let mut schema = json!({ "type": "object", "properties": {
            "repo": { "type": "string", "description": "A repository." },
            "plan": { "type": "string", "description": "A plan." },
        } });
        schema[keyword] = value;
        schema.try_into().unwrap()
    }
    fn either() -> serde_json::Value {
        json!([{ "required": ["repo"] }, { "required": ["plan"] }])
    }
    hand_written!(AnyOf, root("anyOf", either()));
    hand_written!(Not, root("not", json!({ "required": ["repo", "plan"] })));
    hand_written!(If, root("if", json!({ "required": ["repo"] })));
    hand_written!(Enum, root("enum", json!([{ "repo": "a/b" }])));
    hand_written!(OneOf, root("oneOf", either()));
    for tool in [taking::<AnyOf>("any_of"), taking::<Not>("not"), taking::<If>("if_then"), taking::<Enum>("words")] {
        let found = violations([tool]);
        let said =
            |(rule, text): &(Convention, String)| *rule == Convention::InputObject && text.contains("one plain object");
        assert!(found.iter().any(said), "{found:#?}");
    }
    // This one serde makes of an enum that is flattened, so what is said is how to write that.
    let found = violations([taking::<OneOf>("one_of")]);
    assert!(found.iter().any(|(_, text)| text.contains("flattens an enum")), "{found:#?}");
}

#[test]
fn bounds_that_cannot_be_met_are_refused() {
    hand_written!(Crossed, one(json!({ "type": "integer", "minimum": 5, "maximum": 4 })));
    hand_written!(Misplaced, one(json!({ "type": "integer", "minLength": 1 })));
    hand_written!(LookAround, one(json!({ "type": "string", "pattern": "(?=a)b" })));
    hand_written!(WrongDefault, one(json!({ "type": "string", "default": 5 })));
    for (tool, part) in [
        (taking::<Crossed>("crossed"), "minimum 5 is above maximum 4"),
        (taking::<Misplaced>("misplaced"), "says nothing about a value of type `integer`"),
        (taking::<LookAround>("look_around"), "linear-time"),
        (taking::<WrongDefault>("wrong_default"), "default does not fit"),
    ] {
        let message = only(tool, Convention::SoundBounds);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_map_of_anything_and_a_map_beside_members_are_refused() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Anything {
        /// A map of anything.
        map: BTreeMap<String, serde_json::Value>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Beside {
        /// A member.
        word: Option<String>,
        #[serde(flatten)]
        rest: BTreeMap<String, u32>,
    }
    assert!(only(taking::<Anything>("anything"), Convention::InputTypes).contains("takes any JSON"));
    assert!(only(taking::<Beside>("beside"), Convention::InputTypes).contains("flattens a map"));
}

#[test]
fn the_tighter_of_two_bounds_holds() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Wide {
        /// A byte.
        #[schemars(range(min = -5, max = 300))]
        byte: u8,
        /// A word of four bytes.
        #[schemars(range(max = 7_000_000_000_u64))]
        word: u32,
    }
    let registry = Registry::from_entries([taking::<Wide>("wide")]).unwrap();
    let members = &registry.get("wide").unwrap().input_schema()["properties"];
    assert_eq!((&members["byte"]["minimum"], &members["byte"]["maximum"]), (&json!(0), &json!(255)));
    assert_eq!(members["word"]["maximum"], json!(u32::MAX));
}

#[test]
fn a_schema_that_would_not_compile_is_refused() {
    hand_written!(Text, one(json!({ "type": "string", "minLength": "3" })));
    hand_written!(Zero, one(json!({ "type": "integer", "multipleOf": 0 })));
    hand_written!(Gap, one(json!({ "type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 5 })));
    hand_written!(Open, one(json!({ "type": "number", "maximum": 5, "exclusiveMinimum": 5 })));
    for (tool, part) in [
        (taking::<Text>("text"), "minLength cannot be"),
        (taking::<Zero>("zero"), "multipleOf cannot be 0"),
        (taking::<Gap>("gap"), "no multiple of 5"),
        (taking::<Open>("open"), "leaves nothing below"),
    ] {
        let message = only(tool, Convention::SoundBounds);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn keywords_that_no_provider_honours_are_refused_in_inputs() {
    hand_written!(Conditional, one(json!({ "type": "string", "if": { "minLength": 1 }, "then": {} })));
    hand_written!(Several, one(json!({ "type": ["string", "integer"] })));
    hand_written!(Never, json_schema!({ "type": "object", "properties": { "member": false } }));
    assert!(violations([taking::<Conditional>("conditional")]).iter().all(|(rule, _)| *rule == Convention::InputTypes));
    assert!(only(taking::<Several>("several"), Convention::InputTypes).contains("several types at once"));
    assert!(violations([taking::<Never>("never")]).iter().any(|(rule, _)| *rule == Convention::SchemaShape));
}

#[test]
fn a_tool_without_an_example_breaks_a_law_that_says_how_to_give_one() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct NoExample {
        /// A word.
        word: String,
    }
    let registry = Registry::from_entries([taking::<NoExample>("silent")]).unwrap();
    let breaches = testing::breaches(&registry);
    assert!(
        breaches
            .iter()
            .any(|breach| breach.law == Law::ValidExample && breach.message.contains("`word` without an example"))
    );
}

#[test]
fn a_type_that_disagrees_with_its_schema_breaks_the_law() {
    /// Takes fewer words than its schema says.
    fn picky<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == "x" { Ok(word) } else { Err(serde::de::Error::custom("secret")) }
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Picky {
        /// A word.
        #[schemars(example = &"x")]
        #[serde(deserialize_with = "picky")]
        word: String,
    }
    let registry = Registry::from_entries([taking::<Picky>("picky")]).unwrap();
    let breaches = testing::breaches(&registry);
    assert!(
        !breaches.is_empty() && breaches.iter().all(|breach| breach.law == Law::WhatValidatesDeserialises),
        "{breaches:#?}"
    );
    assert!(breaches.iter().all(|breach| !breach.message.contains("secret")), "{breaches:#?}");
    assert!(breaches[0].to_string().contains("/word"));
}

#[test]
fn an_answer_with_a_new_member_fits_last_releases_schema() {
    let registry = Registry::from_entries([answering::<Done>("done")]).unwrap();
    let schema = serde_json::Value::Object(registry.get("done").unwrap().output_schema().clone());
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({ "ok": true, "added": [1] })) && !validator.is_valid(&json!({ "added": [1] })));
}

#[test]
fn an_error_of_any_kind_carries_its_code() {
    let kinds = [ToolError::elicitation_declined("x"), ToolError::upstream_error("x"), ToolError::rate_limited("x")];
    let codes: Vec<&str> = kinds.iter().map(|error| error.code().as_str()).collect();
    assert_eq!(codes, ["elicitation_declined", "upstream_error", "rate_limited"]);
}
