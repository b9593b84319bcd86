//! No Rust in the documents escapes the compiler, and no fence says nothing about what is in it.

use std::fs;

use contract_tests::markdown::blocks;
use contract_tests::workspace::root;

use super::documents;

/// The languages of fences. `rust,no_run` compiles, and is for what waits for somebody or ends the process.
const LANGUAGES: [&str; 7] = ["rust", "rust,no_run", "sh", "toml", "json", "text", "ts"];

/// Its Rust compiles in `tests/tutorial.rs`, as the files of a crate of its own.
const TUTORIAL: &str = "docs/tutorial.md";

#[test]
fn every_fence_says_what_is_in_it_and_rust_compiles() {
    let compiled = fs::read_to_string(root().join("tests/src/documents.rs")).unwrap();
    let mut seen = 0;
    for (name, text) in documents() {
        let is_compiled = name == TUTORIAL || compiled.contains(&format!("\"../../{name}\""));
        for block in blocks(&text) {
            let place = format!("{name}:{}", block.line);
            assert!(LANGUAGES.contains(&block.language.as_str()), "{place}: `{}` is no language here", block.language);
            if block.language.starts_with("rust") {
                seen += 1;
                assert!(is_compiled, "{place}: nothing compiles this; name the document in tests/src/documents.rs");
                assert!(name != TUTORIAL || block.language == "rust", "{place}: all of the tutorial runs");
            }
            if block.language == "json" {
                let json: Result<serde_json::Value, _> = serde_json::from_str(&block.text);
                assert!(json.is_ok(), "{place}: {json:?}");
            }
        }
    }
    assert!(seen > 10, "only {seen} blocks of Rust were found");
}
