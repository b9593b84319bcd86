//! Tables in the documents that list what is in the code: a word or a crate that is added shows up here.

use std::collections::BTreeSet;
use std::fs;

use contract_core::{evolution, lint};
use contract_tests::workspace::root;
use contract_tools::forge::ForgeReason;
use contract_tools::miner::StoreReason;

/// The words of code in the first cell of each row.
fn first_cells(text: &str) -> BTreeSet<&str> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_reason_of_a_store_is_explained() {
    let page = fs::read_to_string(root().join("docs/errors.md")).unwrap();
    let section = page.split("\n## store_unavailable\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let reasons: BTreeSet<&str> = ForgeReason::WORDS.iter().chain(StoreReason::WORDS).copied().collect();
    assert_eq!(first_cells(section), reasons);
}

#[test]
fn every_dependency_says_what_it_is_for() {
    let page = fs::read_to_string(root().join("docs/decisions/0006-dependencies.md")).unwrap();
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let dependencies = manifest["workspace"]["dependencies"].as_table().unwrap();
    let others = dependencies.keys().map(String::as_str).filter(|name| !name.starts_with("contract-"));
    assert_eq!(first_cells(&page), others.collect());
}

/// The rows of the table under `heading` of the page about evolution.
fn rules(heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/evolution.md")).unwrap();
    let section = page.split(heading).nth(1).and_then(|rest| rest.split("\n#").next()).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_rule_of_a_comparison_is_listed_in_its_order() {
    let listed: Vec<String> =
        rules("\n### The rules of a comparison\n").into_iter().map(|row| row[0].clone()).collect();
    let words: Vec<String> = evolution::Rule::ALL.iter().map(|rule| format!("`{rule}`")).collect();
    assert_eq!(listed, words);
    let page = fs::read_to_string(root().join("docs/evolution.md")).unwrap();
    for direction in evolution::Direction::ALL {
        assert!(page.contains(&format!("`{direction}`")), "{direction}");
    }
}

#[test]
fn every_rule_of_a_list_is_listed_with_its_severity() {
    let listed: Vec<Vec<String>> =
        rules("\n### The rules of a list\n").into_iter().map(|row| row[..2].to_vec()).collect();
    let words: Vec<Vec<String>> =
        lint::Rule::ALL.iter().map(|rule| vec![format!("`{rule}`"), rule.severity().to_string()]).collect();
    assert_eq!(listed, words);
}
