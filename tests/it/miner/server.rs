//! `loopover miner`: the server's slice is a rule that comes to eleven tools, and a newcomer sees answers.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use contract_core::{Registry, ToolFilter};
use contract_tools::serve::miner::slice;
use serde_json::{Value, json};

use super::state::{State, TOOLS, call_all, value};
use crate::wire::BINARY;

#[test]
fn the_rule_comes_to_exactly_the_eleven() {
    use contract_tools as _;
    let registry = Registry::collect().unwrap();
    let own = |filter: &ToolFilter| -> BTreeSet<&str> {
        let tools = registry.list_tool_definitions(filter);
        tools.iter().filter(|tool| tool.source().krate() == "contract_tools").map(|tool| tool.name()).collect()
    };
    assert_eq!(own(&slice()), BTreeSet::from(TOOLS));
    for tool in registry.list_tool_definitions(&slice()) {
        let hints = tool.hints();
        assert!(hints.read_only && !hints.destructive, "{}", tool.name());
    }
}

#[test]
fn the_server_lists_the_eleven_and_reaches_no_other() {
    let state = State::demo();
    let mut client = state.client();
    let listed = client.request("tools/list", &json!({}));
    let listed = listed["result"]["tools"].as_array().unwrap().clone();
    let names: BTreeSet<&str> = listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(TOOLS));
    for tool in &listed {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["annotations"]["destructiveHint"], false, "{tool}");
    }
    for other in [
        "loopover_local_status_structured",
        "loopover_get_repo_context",
        "loopover_miner_doctor",
        "loopover_miner_list_claims ",
        "LOOPOVER_MINER_PING",
        "miner_ping",
        "ping",
        "loopover_open_pr",
        "mcp__loopover-miner__loopover_miner_ping",
    ] {
        let reply = client.request("tools/call", &json!({ "name": other, "arguments": {} }));
        assert_eq!(reply["error"]["code"], -32602, "{other}: {reply}");
    }
}

#[test]
fn it_says_who_it_is() {
    let state = State::demo();
    let mut client = contract_tests::stdio_client::StdioClient::start_command(state.command());
    let opened = client.initialize();
    assert_eq!(opened["result"]["serverInfo"]["name"], "loopover-miner");
    assert_eq!(opened["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_secret_that_cannot_be_read_ends_it_with_one_line() {
    let state = State::demo();
    let output = state.command().env("SOME_TOKEN_FILE", "/no/such/file").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("SOME_TOKEN_FILE") && said.contains("/no/such/file") && said.lines().count() == 1, "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_secret_in_a_file_is_a_secret_that_is_set() {
    let state = State::demo();
    let file = state.directory.join("token");
    fs::write(&file, "planted-value\n").unwrap();
    let mut client = state.client_with([("GITHUB_TOKEN_FILE", &file)]);
    let status = client.call("loopover_miner_status", &json!({}));
    let checks = value(&status)["doctor"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == "github-token").unwrap();
    assert_eq!(check["ok"], true);
    assert!(!status.to_string().contains("planted-value"));
}

#[test]
fn the_demo_fills_an_empty_directory_once_and_every_tool_has_something_to_say() {
    let scratch = tempfile::tempdir().unwrap();
    let init = |directory: &std::path::Path| {
        Command::new(BINARY)
            .args(["miner", "init", "--demo"])
            .arg(directory)
            .current_dir(scratch.path())
            .output()
            .unwrap()
    };
    let directory = scratch.path().join("made/for it's own");
    let made = init(&directory);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let again = init(&directory);
    assert_eq!(again.status.code(), Some(1), "a directory with something in it is left alone");

    // The line that it prints works as it stands, wherever the program is and whatever the directory is called.
    let said = String::from_utf8(made.stdout).unwrap();
    let line = said.lines().find(|line| line.contains("LOOPOVER_MINER_CONFIG_DIR=")).unwrap();
    let asked = Command::new("/bin/sh").args(["-c", line]).env_clear().output().unwrap();
    let claims: Value = serde_json::from_slice(&asked.stdout).unwrap();
    assert_eq!(claims["claims"][0]["repoFullName"], "acme/widgets");

    for (tool, result) in call_all(&mut State::demo().client()) {
        let value = value(&result);
        if tool != "loopover_miner_get_plan" {
            assert_ne!(value["initialised"], false, "{tool}");
            assert!(value.as_object().unwrap().values().all(|member| member != &json!([])), "{tool} is empty: {value}");
        }
    }
}
