//! Tables in the documents that list what is in the code: a word or a crate that is added shows up here.

use std::collections::BTreeSet;
use std::fs;

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
