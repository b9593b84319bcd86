//! LoopOver's tools and their committed contract, held to every rule.

use std::path::Path;
use std::process::Command;

use contract_core::{Registry, ToolFilter, testing};
use contract_tools::identity::Scope;

/// The longest prefix that a client puts before a tool's name: Claude Code's, for the longest server name that we ship.
const LONGEST_CLIENT_PREFIX: &str = "mcp__loopover-miner__";

/// The tools of contract-tools alone: this binary links test tools as well.
fn loopover() -> Registry {
    use contract_tools as _;
    Registry::collect().expect("every tool that this binary links keeps the conventions")
}

fn names() -> Vec<&'static str> {
    let registry = loopover();
    let tools = registry.list_tool_definitions(&ToolFilter::new());
    tools.iter().filter(|tool| tool.source().krate() == "contract_tools").map(|tool| tool.name()).collect()
}

#[test]
fn every_linked_tool_keeps_every_law() {
    testing::assert_laws();
}

#[test]
fn there_are_tools() {
    assert!(!names().is_empty());
}

#[test]
fn every_name_begins_with_the_prefix_and_fits_behind_a_clients() {
    for name in names() {
        assert!(name.starts_with(contract_core::loopover::NAME_PREFIX), "{name}");
        assert!(LONGEST_CLIENT_PREFIX.len() + name.len() <= 64, "{name} is too long behind {LONGEST_CLIENT_PREFIX}");
    }
}

#[test]
fn every_tool_on_shared_data_names_what_it_is_about() {
    let registry = loopover();
    let tools = registry.list_tool_definitions(&ToolFilter::new());
    let owing = tools.iter().filter(|tool| tool.source().krate() == "contract_tools" && Scope::is_owed_by(tool));
    let silent: Vec<&str> = owing.filter(|tool| !Scope::of(tool).is_named()).map(|tool| tool.name()).collect();
    assert!(
        silent.is_empty(),
        "{silent:?}: a caller's reach is held against `owner` and `repo`, `repoFullName` or `login`"
    );
}

#[test]
fn the_committed_contract_is_fresh_and_the_binary_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_loopover-under-test")).args(["contract", "check"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}

#[test]
fn accepting_writes_the_same_bytes_that_are_committed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("contract.json");
    let accept = |file: &Path| {
        let accepted = Command::new(env!("CARGO_BIN_EXE_loopover-under-test"))
            .args(["contract", "accept", "--file"])
            .arg(file)
            .status()
            .unwrap();
        assert!(accepted.success());
        std::fs::read_to_string(file).unwrap()
    };
    let first = accept(&file);
    assert_eq!(first, accept(&file), "a second run gives no difference");
    assert_eq!(first, contract_tools::contract::COMMITTED, "renew it with `{}`", contract_tools::contract::RENEW);
}

#[test]
fn twenty_processes_list_the_same_bytes() {
    let list = || {
        Command::new(env!("CARGO_BIN_EXE_loopover-under-test"))
            .args(["tools", "list", "--format", "json"])
            .output()
            .unwrap()
            .stdout
    };
    let first = list();
    assert!(!first.is_empty());
    for _ in 1..20 {
        assert_eq!(first, list());
    }
}

#[test]
fn a_binary_that_lost_a_committed_tool_refuses_to_serve_and_names_it() {
    let nothing = Registry::from_entries([]).unwrap();
    let error = contract_tools::contract::require_roster(&nothing).unwrap_err().to_string();
    assert!(names().iter().all(|name| error.contains(name)), "{error}");
}
