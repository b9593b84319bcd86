//! Every shape that serde types give a schema: each is emitted in a form that the vendors' converters take, or refused at
//! registration with a reason.
//!
//! The projections of the emitted ones are written to the target directory, where `.ci/clients` feeds them to the vendors' own
//! converters.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};

use contract_core::__private::ToolInput;
use contract_core::projection::{Loss, anthropic, gemini, openai};
use contract_core::schemars::{self, JsonSchema};
use contract_core::{Registry, ToolEntry, ToolFilter, testing};
use expect_test::expect_file;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::hand_made::taking;

/// The schema of the one property, or why there is none.
fn outcome<I: ToolInput + 'static>() -> String {
    match Registry::from_entries([taking::<I>("shape")]) {
        Ok(registry) => {
            let breaches = testing::breaches(&registry);
            assert!(breaches.is_empty(), "{breaches:#?}");
            let schema = registry.get("shape").unwrap().input_schema().clone();
            Value::Object(schema).to_string()
        }
        Err(error) => error
            .violations()
            .iter()
            .map(|violation| format!("refused: {} [{}]", violation.message, violation.convention))
            .collect(),
    }
}

macro_rules! shapes {
    ($($(#[$meta:meta])* $name:ident: $kind:ty => $example:expr;)+) => {
        $(
            #[derive(Deserialize, JsonSchema)]
            #[expect(dead_code, reason = "only its schema is of interest")]
            struct $name {
                /// The member.
                $(#[$meta])*
                #[schemars(example = $example)]
                member: $kind,
            }
        )+
        /// Every shape with its schema, or why there is none.
        fn outcomes() -> Vec<(&'static str, String)> {
            vec![$((stringify!($name), outcome::<$name>())),+]
        }

        /// Every shape that is emitted.
        pub(crate) fn emitted() -> Vec<&'static ToolEntry> {
            let all: Vec<(&'static str, &'static ToolEntry)> = vec![$((stringify!($name), taking::<$name>(snake(stringify!($name))))),+];
            all.into_iter().filter(|(name, _)| !REFUSED.contains(name)).map(|(_, tool)| tool).collect()
        }
    };
}

/// The tool's name for a type's.
fn snake(name: &str) -> &'static str {
    let mut snake = String::from("shape");
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    Box::leak(snake.into_boxed_str())
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Plain {
    One,
    TwoWords,
}

/// How bad it is.
#[derive(Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Documented {
    /// Not at all.
    #[default]
    Fine,
    /// Very.
    Bad,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum External {
    /// All of it.
    All,
    /// One pull request.
    Pr(u32),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Internal {
    /// One repository.
    One {
        /// Its name.
        #[schemars(example = &"a/b")]
        repo: String,
    },
    /// All of them.
    All,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Adjacent {
    /// A number.
    Number(
        /// The number.
        u32,
    ),
    /// Nothing.
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Untagged {
    Number(u32),
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Inner {
    /// A number.
    #[schemars(example = 7)]
    number: u32,
    /// Words.
    words: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Tree {
    /// What is below.
    children: Vec<Tree>,
}

shapes! {
    Text: String => &"x";
    Boolean: bool => true;
    Byte: u8 => 7;
    Integer: i64 => 7;
    Unsigned: u32 => 7;
    Double: f64 => 1.5;
    Character: char => &"x";
    OptionalText: Option<String> => &"x";
    OptionalStruct: Option<Inner> => json!({ "number": 7 });
    OptionalEnum: Option<Documented> => &"fine";
    OptionalUnion: Option<Internal> => json!({ "kind": "all" });
    Words: Plain => &"one";
    DocumentedWords: Documented => &"fine";
    List: Vec<String> => ["x"];
    ListOfOptional: Vec<Option<String>> => json!(["x", null]);
    ListOfStructs: Vec<Inner> => json!([{ "number": 7 }]);
    ListOfUnions: Vec<Internal> => json!([{ "kind": "all" }]);
    Set: BTreeSet<String> => ["x"];
    FixedArray: [u8; 3] => [1, 2, 3];
    Pair: (String, u32) => json!(["x", 7]);
    TextMap: BTreeMap<String, String> => json!({ "a": "b" });
    StructMap: BTreeMap<String, Inner> => json!({ "a": { "number": 7 } });
    IntegerMap: BTreeMap<u32, String> => json!({ "1": "b" });
    ExternalUnion: External => &"all";
    InternalUnion: Internal => json!({ "kind": "all" });
    AdjacentUnion: Adjacent => json!({ "kind": "nothing" });
    UntaggedUnion: Untagged => 7;
    Nested: Inner => json!({ "number": 7 });
    Recursive: Tree => json!({ "children": [] });
    Anything: Value => 7;
    Huge: u128 => 7;
    Single: f32 => 1.5;
    AnyAddress: IpAddr => &"127.0.0.1";
    Address: Ipv4Addr => &"127.0.0.1";
    Nothing: () => ();
    #[serde(default)] Defaulted: u32 => 7;
    #[serde(default)] DefaultedWords: Documented => &"bad";
    #[schemars(extend("format" = "uri"))] Link: String => &"https://example.com/";
}

/// The shapes that no contract can carry; `shapes.txt` holds their reasons.
const REFUSED: [&str; 9] =
    ["Pair", "IntegerMap", "UntaggedUnion", "Recursive", "Anything", "Huge", "Single", "AnyAddress", "Nothing"];

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct FlattenedStruct {
    /// The repository.
    #[schemars(example = &"a/b")]
    repo: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct FlattenedEnum {
    /// The repository.
    repo: String,
    #[serde(flatten)]
    which: External,
}

#[derive(Deserialize, JsonSchema)]
struct Empty {}

/// One line a shape: its schema, or why there is none.
#[test]
fn each_shape_is_emitted_or_refused_with_a_reason() {
    let mut lines = outcomes();
    lines.push(("Empty", outcome::<Empty>()));
    lines.push(("FlattenedStruct", outcome::<FlattenedStruct>()));
    lines.push(("FlattenedEnum", outcome::<FlattenedEnum>()));
    lines.push(("a union as the whole input", outcome::<Internal>()));
    lines.push(("a list as the whole input", outcome::<Vec<String>>()));
    let refused: BTreeSet<&str> =
        lines.iter().filter(|(_, outcome)| outcome.starts_with("refused")).map(|(name, _)| *name).collect();
    assert!(REFUSED.iter().all(|name| refused.contains(name)), "{refused:?}");
    let text: String = lines.iter().map(|(name, outcome)| format!("{name}\n    {outcome}\n")).collect();
    expect_file!["shapes.txt"].assert_eq(&text);
}

#[test]
fn every_emitted_shape_has_a_form_for_every_provider() {
    let registry = Registry::from_entries(emitted()).unwrap();
    let tools = registry.list_tool_definitions(&ToolFilter::new());
    assert!(tools.len() >= 24, "{}", tools.len());
    let breaches = testing::breaches(&registry);
    assert!(breaches.is_empty(), "{breaches:#?}");
    let openai = openai::strict_tools(&tools).unwrap();
    let anthropic = anthropic::strict_tools(&tools);
    let gemini = gemini::function_declarations(&tools);
    assert_eq!(openai.document.as_array().map(Vec::len), Some(tools.len()));
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapes.json");
    let document = json!({
        "anthropic": anthropic.document, "openai": openai.document, "gemini": gemini.document,
        "mcp": contract_core::projection::mcp::tools_list(&tools),
    });
    std::fs::write(file, document.to_string()).unwrap();
    // A union of items has no form at Gemini: the tool is left out, with the reason. Null among items is not offered there.
    let declared = |tool: &str| {
        let declarations = gemini.document["functionDeclarations"].as_array().unwrap();
        declarations.iter().find(|declaration| declaration["name"] == tool)
    };
    let member = |tool: &str| &declared(tool).unwrap()["parameters"]["properties"]["member"];
    let lost = |losses: &[Loss], tool: &str, part: &str| {
        losses.iter().any(|loss| loss.tool == tool && loss.message.contains(part))
    };
    assert!(declared("shape_list_of_unions").is_none());
    assert!(lost(&gemini.losses, "shape_list_of_unions", "a union among the items"));
    assert_eq!(gemini.document["functionDeclarations"].as_array().map(Vec::len), Some(tools.len() - 1));
    assert_eq!(member("shape_list_of_optional")["items"], json!({ "type": "string" }));
    assert!(lost(&gemini.losses, "shape_list_of_optional", "null is not offered"));
    // The words, what is said about them and the default stand beside each other; nothing is referred to.
    for tool in ["shape_optional_enum", "shape_defaulted_words", "shape_documented_words"] {
        let member = member(tool);
        assert_eq!(member["enum"], json!(["fine", "bad"]), "{member}");
        assert!(member["description"].as_str().unwrap().starts_with("The member."), "{member}");
        assert!(member.get("anyOf").is_none() && member.get("$ref").is_none(), "{member}");
    }
    assert_eq!(member("shape_defaulted_words")["default"], "fine");
    // A format that a strict form does not know is said in words.
    let strict = |tool: &str| {
        let tools = openai.document.as_array().unwrap();
        &tools.iter().find(|one| one["function"]["name"] == tool).unwrap()["function"]["parameters"]["properties"]["member"]
    };
    let link = strict("shape_link");
    assert!(
        link.get("format").is_none() && link["description"].as_str().unwrap().contains(r#"format: "uri""#),
        "{link}"
    );
    assert!(lost(&openai.losses, "shape_link", "`format` is said"));
    assert_eq!(strict("shape_address")["format"], "ipv4");
    // Whatever a provider's form gave up is written down, and nothing that it gave up was silently kept.
    let names: BTreeSet<&str> = openai.losses.iter().map(|loss| loss.tool).collect();
    let loose: Vec<&Value> =
        openai.document.as_array().unwrap().iter().filter(|tool| tool["function"]["strict"] == json!(false)).collect();
    assert!(loose.iter().all(|tool| names.contains(tool["function"]["name"].as_str().unwrap())));
}
