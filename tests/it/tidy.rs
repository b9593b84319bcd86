//! Rules about the source tree itself, so that nobody has to remember them in a review.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use contract_core::Convention;
use contract_core::testing::Law;
use contract_tests::workspace::{files, root};

/// The crates whose sources the rules speak of.
const CRATES: [&str; 3] = ["contract-core", "contract-derive", "contract-tools"];

fn sources() -> Vec<(String, String)> {
    let root = root();
    let all = CRATES.iter().flat_map(|krate| files(&root.join(krate).join("src"), ".rs"));
    all.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path.strip_prefix(&root).unwrap().display().to_string(), text)
    })
    .collect()
}

#[test]
fn every_module_says_why_it_exists() {
    let silent: Vec<String> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(path, _)| path).collect();
    assert!(silent.is_empty(), "these files do not open with a `//!` that says why they exist: {silent:#?}");
}

#[test]
fn no_file_outgrows_its_subject() {
    const MOST: usize = 420;
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| text.lines().count() > MOST)
        .map(|(path, text)| format!("{path}: {} lines", text.lines().count()))
        .collect();
    assert!(long.is_empty(), "these files are due for their next cut: {long:#?}");
}

/// Which parts of contract-tools a part may name; a part that is not listed may name any.
const ARROWS: [(&str, &[&str]); 12] = [
    ("database", &[]),
    ("document", &[]),
    ("engine", &["document", "privacy"]),
    ("git", &[]),
    ("config", &["engine", "privacy"]),
    ("forge", &["database", "engine"]),
    ("identity", &["forge"]),
    ("chat", &["config", "miner", "privacy", "scratch", "serve"]),
    ("privacy", &[]),
    ("scratch", &[]),
    ("miner", &["database", "document", "privacy"]),
    ("tools", &["engine", "forge", "miner", "git", "config", "privacy"]),
];

#[test]
fn arrows_between_the_parts_point_one_way() {
    let wrong: Vec<String> = sources().iter().flat_map(|(path, text)| wrong_arrows(path, text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn wrong_arrows(path: &str, text: &str) -> Vec<String> {
    let Some(part) = path.strip_prefix("contract-tools/src/").and_then(|inner| inner.split(['/', '.']).next()) else {
        return Vec::new();
    };
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == part) else { return Vec::new() };
    text.split("crate::")
        .skip(1)
        .filter_map(|rest| rest.split(|other: char| !other.is_alphanumeric() && other != '_').next())
        .filter(|named| *named != part && !allowed.contains(named))
        .map(|named| format!("{path} names `crate::{named}`"))
        .collect()
}

#[test]
fn a_server_knows_no_handler_and_a_handler_no_server() {
    for (path, text) in sources() {
        if path.starts_with("contract-tools/src/serve/") {
            assert!(!text.contains("crate::tools"), "{path} names a handler: a server knows the registry alone");
        }
        if path.starts_with("contract-core/src/") && !path.starts_with("contract-core/src/rmcp/") {
            let names_rmcp =
                text.lines().any(|line| line.contains("::rmcp::") || line.trim_start().starts_with("use rmcp"));
            assert!(!names_rmcp, "{path} names rmcp: only the adapter may");
        }
    }
}

#[test]
fn core_reads_no_world() {
    // A leaf: what core needs of the world is handed in.
    let world = [
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "thread::spawn",
        "SystemTime::now",
        "Instant::now",
        "tokio",
    ];
    for (path, text) in sources().into_iter().filter(|(path, _)| path.starts_with("contract-core/src/")) {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let found = world.iter().find(|name| line.contains(**name));
            assert!(found.is_none(), "{path}: `{line}` reaches into the world");
        }
    }
}

#[test]
fn every_convention_and_law_has_its_heading_and_every_heading_its_rule() {
    let text = fs::read_to_string(root().join("docs/conventions.md")).unwrap();
    let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).map(str::trim).collect();
    let distinct: BTreeSet<&str> = headings.iter().copied().collect();
    assert_eq!(headings.len(), distinct.len(), "a heading stands twice");
    let rules: BTreeSet<&str> = Convention::WORDS.iter().chain(Law::WORDS).copied().collect();
    assert_eq!(distinct, rules, "docs/conventions.md and the rules in code differ");
}

#[test]
fn every_error_code_has_its_heading_and_every_heading_its_code() {
    let text = fs::read_to_string(root().join("docs/errors.md")).unwrap();
    let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).map(str::trim).collect();
    assert_eq!(headings, contract_core::ErrorCode::WORDS);
}

#[test]
fn nothing_points_outside_the_project() {
    let root = root();
    // Put together here, so that this file does not name them either.
    let outside = [["..", "shared"].join("/"), ["", "work", ""].join("/")];
    for directory in ["contract-core", "contract-derive", "contract-tools", "tests", "docs", ".ci"] {
        for path in files(&root.join(directory), "") {
            if is_checked(&path)
                && let Ok(text) = fs::read_to_string(&path)
            {
                let found = outside.iter().find(|part| text.contains(part.as_str()));
                assert!(found.is_none(), "{} points outside: {found:?}", path.display());
            }
        }
    }
}

fn is_checked(path: &Path) -> bool {
    let skipped = ["node_modules", "venv", "target"];
    !path.components().any(|part| skipped.iter().any(|skipped| part.as_os_str() == *skipped))
}
