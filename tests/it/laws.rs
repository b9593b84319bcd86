//! LoopOver's tools and their committed contract, held to every rule.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use contract_core::{Registry, ToolFilter, testing};
use contract_tests::stdio_client::StdioClient;
use contract_tools::identity::Scope;
use serde_json::Value;

use crate::wire::BINARY;

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
    let servers = server_names();
    assert!(servers.contains("loopover") && servers.contains(contract_tools::chat::claude::SERVER), "{servers:?}");
    for name in names() {
        assert!(name.starts_with(contract_core::loopover::NAME_PREFIX), "{name}");
        // Claude Code's way is the longest.
        for server in &servers {
            let shown = format!("mcp__{server}__{name}");
            let is_plain = shown.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
            assert!(is_plain && shown.len() <= 64, "{shown} is too long or odd");
        }
    }
}

/// What our servers are called: what is pasted into a client, what the chat calls its own, and what each says of itself.
fn server_names() -> BTreeSet<String> {
    let mut names = BTreeSet::from([contract_tools::chat::claude::SERVER.to_owned()]);
    for client in ["claude-code", "claude-desktop", "cursor", "vscode"] {
        let output = Command::new(BINARY).args(["client-config", client]).output().unwrap();
        let pasted: Value = serde_json::from_slice(&output.stdout).unwrap();
        let servers = pasted.as_object().unwrap().values().filter_map(Value::as_object);
        names.extend(servers.flat_map(|servers| servers.keys().cloned()));
    }
    for arguments in [vec!["stdio"], vec!["miner", "mcp"]] {
        let mut client = StdioClient::start(BINARY, &arguments, &std::env::temp_dir());
        let said = client.initialize()["result"]["serverInfo"]["name"].clone();
        names.insert(said.as_str().expect("a server has a name").to_owned());
    }
    names
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
    let output = Command::new(BINARY).args(["contract", "check"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}

#[test]
fn accepting_writes_the_same_bytes_that_are_committed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("contract.json");
    let accept = |file: &Path| {
        let accepted = Command::new(BINARY).args(["contract", "accept", "--file"]).arg(file).status().unwrap();
        assert!(accepted.success());
        std::fs::read_to_string(file).unwrap()
    };
    let first = accept(&file);
    assert_eq!(first, accept(&file), "a second run gives no difference");
    assert_eq!(first, contract_tools::contract::COMMITTED, "renew it with `{}`", contract_tools::contract::RENEW);
}

/// The binary was built in one checkout and may be run in another, or in none.
#[test]
fn what_is_generated_goes_to_the_checkout_that_one_stands_in() {
    let checkout = tempfile::tempdir().unwrap();
    let run = |command: &str, place: &Path| {
        Command::new(BINARY).args(["contract", command]).current_dir(place).output().unwrap()
    };
    for command in ["accept", "docs"] {
        let output = run(command, checkout.path());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && told.contains("name a place with --"), "{told}");
    }
    let below = checkout.path().join("contract-tools/src");
    std::fs::create_dir_all(&below).unwrap();
    let committed = checkout.path().join("contract-tools/contract.json");
    std::fs::write(&committed, "{}").unwrap();
    for command in ["accept", "docs"] {
        assert!(run(command, &below).status.success());
    }
    assert_eq!(std::fs::read_to_string(&committed).unwrap(), contract_tools::contract::COMMITTED);
    assert!(checkout.path().join("docs/reference/README.md").is_file());
}

#[test]
fn twenty_processes_list_the_same_bytes() {
    let list = || Command::new(BINARY).args(["tools", "list", "--format", "json"]).output().unwrap().stdout;
    let first = list();
    assert!(!first.is_empty());
    for _ in 1..20 {
        assert_eq!(first, list());
    }
    for arguments in [vec!["stdio"], vec!["miner", "mcp"]] {
        let list = || {
            let mut client = StdioClient::start(BINARY, &arguments, &std::env::temp_dir());
            client.initialize();
            client.send(r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#);
            client.next_line()
        };
        let first = list();
        let listed: Value = serde_json::from_str(&first).unwrap();
        let names: Vec<&str> =
            listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert!(names.len() > 3 && names.is_sorted(), "{names:?}");
        for _ in 1..20 {
            assert_eq!(first, list(), "{arguments:?}");
        }
    }
}

#[test]
fn a_binary_that_lost_a_committed_tool_refuses_to_serve_and_names_it() {
    let nothing = Registry::from_entries([]).unwrap();
    let error = contract_tools::contract::require_roster(&nothing).unwrap_err().to_string();
    assert!(names().iter().all(|name| error.contains(name)), "{error}");
}
