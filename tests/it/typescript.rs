//! The TypeScript form: reviewed for every shape, and written with uses of it to the target directory, where `.ci/clients`
//! lets the compiler judge both.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use contract_core::projection::typescript;
use contract_core::schemars::{self, JsonSchema};
use contract_core::{Registry, ToolDefinition, ToolEntry, ToolFilter};
use expect_test::expect_file;
use serde::Serialize;
use serde_json::Value;

use crate::hand_made::{answering, described};
use crate::shapes;

/// What an answer may hold and an argument may not.
#[derive(Serialize, JsonSchema)]
struct Answers {
    /// Two places.
    pair: (u8, String),
    /// Any JSON.
    anything: Value,
    /// A number or a text.
    untagged: Untagged,
    /// Ends no comment: */ export const broken = 1; /*
    closing: Option<String>,
    /// Many of them.
    many: Vec<Option<Untagged>>,
    /// What more there is.
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, String>,
    /// Words that mean something else elsewhere.
    new: bool,
    /// Another.
    readonly: Option<bool>,
    /// A third.
    constructor: f64,
    /// A fourth.
    __proto__: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Untagged {
    Number(u32),
    Text(String),
}

fn odd() -> Vec<&'static ToolEntry> {
    vec![
        answering::<Answers>("odd_answers"),
        described(
            "odd_words",
            "Words that end no comment: */ export const broken = 1; /*\n\n@deprecated or\r so `${1}`.",
        ),
        described("odd__words", "A name that differs from another one by an underscore."),
        described("odd_words_1", "A name that ends in a number after an underscore."),
        described("odd_words1", "A name that ends in a number."),
    ]
}

fn written(name: &str, text: &str) {
    let directory: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(name), text).unwrap();
}

/// A program that makes every valid call of the examples, and of each a few that must not compile.
fn uses(module: &str, tools: &[&ToolDefinition]) -> String {
    let mut text = format!("import type {{ InputOf, OutputOf, ToolName }} from \"./{module}\";\n");
    for tool in tools {
        let name = tool.name();
        let required = tool.input_schema().get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for (at, mut example) in tool.examples().unwrap().into_iter().enumerate() {
            // Null of an optional member means absent: the door takes it, its type leaves it out.
            example.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            let _ = writeln!(text, "export const {name}_{at}: InputOf<\"{name}\"> = {example};");
            let _ = writeln!(text, "export const {name}_{at}_record: Record<string, unknown> = {name}_{at};");
            let mut unknown = example.as_object().unwrap().clone();
            unknown.insert("noSuchMember".to_owned(), true.into());
            let mut wrong = vec![unknown];
            wrong.extend(required.iter().map(|member| {
                let mut without = example.as_object().unwrap().clone();
                without.shift_remove(member.as_str().unwrap());
                without
            }));
            for (number, wrong) in wrong.into_iter().enumerate() {
                let wrong = Value::Object(wrong);
                let _ = writeln!(
                    text,
                    "// @ts-expect-error\nexport const {name}_{at}_not_{number}: InputOf<\"{name}\"> = {wrong};"
                );
            }
        }
        let _ = writeln!(
            text,
            "export const {name}_answer = (answer: OutputOf<\"{name}\">): Record<string, unknown> => answer;"
        );
    }
    text += "// @ts-expect-error\nexport const unknown: ToolName = \"no_such_tool\";\n";
    text
}

fn check(module: &str, registry: &Registry) -> String {
    let tools = registry.list_tool_definitions(&ToolFilter::new());
    let declarations = typescript::declarations(&tools);
    written(&format!("{module}.d.ts"), &declarations);
    written(&format!("{module}-uses.ts"), &uses(module, &tools));
    declarations
}

#[test]
fn every_shape_has_a_typescript_form() {
    let mut entries = shapes::emitted();
    entries.extend(odd());
    let declarations = check("shapes", &Registry::from_entries(entries).unwrap());
    expect_file!["shapes.d.ts"].assert_eq(&declarations);
}

#[test]
fn every_tool_of_the_program_has_a_typescript_form() {
    let declarations = check("tools", &Registry::collect().unwrap());
    for wanted in ["export type LoopoverLocalStatusStructuredInput =", "  | \"loopover_miner_get_plan\"\n"] {
        assert!(declarations.contains(wanted), "{wanted}");
    }
    assert!(
        !declarations.contains("unknown;\n}") && !declarations.contains("import "),
        "a type of its own needs nothing"
    );
    written("empty.d.ts", &typescript::declarations(&[]));
}
