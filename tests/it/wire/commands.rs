//! The command line: results on stdout, words for people on stderr, and exit codes that scripts can rely on.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::BINARY;

const TOOL: &str = "loopover_local_status_structured";

fn loopover(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().unwrap()
}

#[track_caller]
fn check(arguments: &[&str], code: i32) -> (String, String) {
    let output = loopover(arguments);
    let (said, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}{told}");
    (said, told)
}

#[test]
fn a_call_that_succeeds_prints_the_answer_and_exits_0() {
    let (said, told) = check(&["tools", "call", TOOL, r#"{"cwd":"/"}"#], 0);
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["git"]["error"]["reason"], "not_a_repository");
    assert!(told.is_empty(), "{told}");
}

#[test]
fn a_call_that_fails_prints_the_envelope_and_exits_1() {
    for arguments in [r#"{"cdw":"/"}"#, r#"{"cwd":"#, r#"{"cwd":"/","cwd":"/"}"#, r#"{"repoFullName":""}"#] {
        let (said, _) = check(&["tools", "call", TOOL, arguments], 1);
        let envelope: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(envelope["error"]["code"], "invalid_input", "{arguments}");
    }
}

#[test]
fn what_is_no_call_exits_2_and_says_what_would_be_one() {
    let (said, told) = check(&["tools", "call", "loopover_local_status_structure", "{}"], 2);
    assert!(said.is_empty() && told.contains("did you mean `loopover_local_status_structured`?"), "{told}");
    let (_, told) = check(&["tools", "call", TOOL, "[1]"], 2);
    assert!(told.contains("`arguments` must be an object, got array"), "{told}");
    check(&["tools", "cal"], 2);
    check(&[], 2);
    let (_, told) = check(&["tools", "show", "nothing"], 2);
    assert!(told.contains(TOOL), "{told}");
    let (_, told) = check(&["tools", "list", "--locality", "mars"], 2);
    assert!(told.contains("expected one of: `remote`, `local-git`, `miner`"), "{told}");
}

#[test]
fn a_tool_is_listed_where_it_can_be_called_and_nowhere_else() {
    const ADMIN: &str = "loopover_admin_get_config";
    let run = |enabled: Option<&str>, arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(arguments).env_remove("LOOPOVER_MCP_ADMIN_ENABLED").env_remove("LOOPOVER_REPO_CONFIG_DIR");
        command
            .env("LOOPOVER_STORE", "/no/such/store")
            .envs(enabled.map(|value| ("LOOPOVER_MCP_ADMIN_ENABLED", value)));
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let call = ["tools", "call", ADMIN, r#"{"scope":"global"}"#];
    for off in [None, Some("false")] {
        let (code, said, told) = run(off, &["tools", "list"]);
        assert!(
            code == Some(0) && !said.contains(ADMIN) && told.contains("LOOPOVER_MCP_ADMIN_ENABLED"),
            "{said}{told}"
        );
        let (code, said, told) = run(off, &["tools", "list", "--format", "json"]);
        assert!(code == Some(0) && !said.contains(ADMIN) && told.is_empty(), "{told}");
        let (code, said, told) = run(off, &call);
        assert!(code == Some(2) && said.is_empty() && told.contains("LOOPOVER_MCP_ADMIN_ENABLED"), "{said}{told}");
        assert!(!told.contains("unknown tool"), "{told}");
    }
    for format in ["text", "json"] {
        let (code, said, told) = run(Some("true"), &["tools", "list", "--format", format]);
        assert!(code == Some(0) && said.contains(ADMIN) && told.is_empty(), "{said}{told}");
    }
    let (code, said, told) = run(Some("true"), &call);
    assert!(code.is_some_and(|code| code < 2) && said.starts_with('{'), "{said}{told}");
    // Its contract can be read wherever the program is.
    let (code, said, _) = run(None, &["tools", "show", ADMIN]);
    assert!(code == Some(0) && said.contains(ADMIN));
}

#[test]
fn arguments_are_read_from_stdin_when_asked() {
    let mut child = Command::new(BINARY)
        .args(["tools", "call", TOOL, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(br#"{"cwd":"/"}"#).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("not_a_repository"));
}

#[test]
fn a_list_and_a_page_are_for_people_or_for_programs() {
    let (said, _) = check(&["tools", "list"], 0);
    assert!(said.lines().any(|line| line.starts_with(TOOL)));
    // Each with a whole sentence.
    assert!(said.lines().all(|line| line.ends_with('.')), "{said}");
    let (said, _) = check(&["tools", "list", "--format", "json", "--locality", "miner"], 0);
    assert!(serde_json::from_str::<Value>(&said).unwrap()["tools"].is_array());
    let (said, _) = check(&["tools", "show", TOOL], 0);
    assert!(said.starts_with("# `loopover_local_status_structured`") && said.contains("| `baseRef` |"), "{said}");
}

#[test]
fn every_form_that_exists_is_exported_and_every_other_is_a_clear_error() {
    let forms = [
        "mcp",
        "anthropic",
        "anthropic-strict",
        "openai",
        "openai-responses",
        "openai-strict",
        "gemini",
        "agent-index",
    ];
    for form in forms {
        let (said, _) = check(&["contract", "export", "--format", form], 0);
        let document: Value = serde_json::from_str(&said).unwrap();
        assert!(document.to_string().contains(TOOL), "{form}");
    }
    assert!(check(&["contract", "export", "--format", "markdown"], 0).0.contains("## Input"));
    assert!(check(&["contract", "export", "--format", "typescript"], 0).0.contains("export type ToolName ="));
    for form in ["openapi", "bundle"] {
        let (said, told) = check(&["contract", "export", "--format", form], 2);
        assert!(said.is_empty() && told.contains("does not exist yet"), "{told}");
    }
    assert!(check(&["contract", "export", "--format", "yaml"], 2).1.contains("possible values"));
}

#[test]
fn the_agent_index_says_how_to_call() {
    let (said, _) =
        check(&["contract", "export", "--format", "agent-index", "--endpoint", "http://127.0.0.1:1/mcp"], 0);
    let index: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(index["schema_version"], 1);
    assert_eq!(
        index["executor"],
        serde_json::json!({ "transport": "mcp-streamable-http", "endpoint": "http://127.0.0.1:1/mcp", "jsonrpc_method": "tools/call" })
    );
    let names = index["tools"].as_array().unwrap();
    assert_eq!(names.len(), index["openai"].as_array().unwrap().len());
    assert_eq!(names.len(), index["anthropic"].as_array().unwrap().len());
}

#[test]
fn an_empty_slice_is_an_empty_document_and_no_error() {
    for form in ["mcp", "openai", "gemini", "agent-index"] {
        check(&["contract", "export", "--format", form, "--category", "tenant"], 0);
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let mut child =
        Command::new(BINARY).args(["tools", "list", "--format", "json"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_contract_that_cannot_be_written_says_where_and_what_else() {
    let (_, told) = check(&["contract", "accept", "--file", "/no/such/directory/contract.json"], 1);
    assert!(told.contains("--file"), "{told}");
}

#[test]
fn the_frozen_clock_is_the_test_binarys_alone() {
    let output = loopover(&["--now", "0", "tools", "list"]);
    assert!(output.status.success());
    let (_, told) = check(&["tools", "list", "--now", "0"], 2);
    assert!(told.contains("--now"), "{told}");
}
