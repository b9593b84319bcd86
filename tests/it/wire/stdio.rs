//! A session with `loopover stdio`, by a client that sees every byte.

use std::process::Command;

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::BINARY;

const TOOL: &str = "loopover_local_status_structured";

/// A server in a fresh working tree with one commit and a remote.
fn session() -> (tempfile::TempDir, StdioClient) {
    let directory = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(directory.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    std::fs::write(directory.path().join("a.txt"), "one\n").unwrap();
    git(&["add", "a.txt"]);
    git(&["commit", "-q", "-m", "First words, closes #7"]);
    git(&["remote", "add", "origin", "https://github.com/acme/widgets.git"]);
    std::fs::write(directory.path().join("a.txt"), "one\ntwo\n").unwrap();
    let client = StdioClient::start(BINARY, &["stdio"], directory.path());
    (directory, client)
}

#[test]
fn the_server_says_who_it_is() {
    let (_directory, mut client) = session();
    let answer = client.initialize();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answer["result"]["serverInfo"]["name"], "loopover-local");
    assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(answer["result"]["instructions"].as_str().is_some_and(|text| text.contains("read")));
}

#[test]
fn a_tool_is_listed_as_the_committed_contract_has_it() {
    let (_directory, mut client) = session();
    client.initialize();
    let reply = client.request("tools/list", &json!({}));
    assert!(reply["result"].get("nextCursor").is_none());
    let listed = reply["result"]["tools"].as_array().unwrap();
    let contract: Value = serde_json::from_str(contract_tools::contract::COMMITTED).unwrap();
    let offered = |tool: &&Value| tool["_meta"]["locality"] != "miner" && tool["_meta"]["auth"] != "mcp-admin";
    let committed: Vec<&Value> = contract["tools"].as_array().unwrap().iter().filter(offered).collect();
    assert_eq!(listed.iter().collect::<Vec<_>>(), committed);
}

#[test]
fn a_call_answers_a_value_that_fits_the_advertised_schema_and_its_compact_json() {
    let (_directory, mut client) = session();
    client.initialize();
    let listed = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == TOOL).unwrap();
    let result = client.call(TOOL, &json!({ "baseRef": "HEAD" }));
    let structured = &result["structuredContent"];
    let validator = jsonschema::draft202012::new(&tool["outputSchema"]).unwrap();
    assert!(validator.is_valid(structured), "{structured:#}");
    assert_eq!(structured["git"]["repoFullName"], "acme/widgets");
    assert_eq!(structured["git"]["linkedIssues"], json!([7]));
    assert_eq!(structured["git"]["changedFiles"][0]["additions"], 1);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), structured);
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
    assert!(!text.contains('\n'), "compact");
    assert_ne!(result["isError"], true);
}

#[test]
fn i09_a_base_that_git_could_misread_is_told_in_the_answer_and_writes_nothing() {
    let (directory, mut client) = session();
    client.initialize();
    let pwned = directory.path().join("pwned");
    let (output, upload) =
        (format!("--output={}", pwned.display()), format!("--upload-pack=touch {}", pwned.display()));
    for base in [output.as_str(), "-x", upload.as_str(), "main..evil", "@{-1}", "HEAD\0", "main\nx", "^main", "--"] {
        let result = client.call(TOOL, &json!({ "baseRef": base }));
        let git = &result["structuredContent"]["git"];
        assert_eq!(
            (&result["isError"], &git["error"]["reason"]),
            (&json!(false), &json!("invalid_ref")),
            "{base:?}: {result}"
        );
        assert!(git.get("changedFiles").is_none_or(|files| files.as_array().is_some_and(Vec::is_empty)), "{git}");
    }
    for other in ["headRef", "branchName"] {
        assert_eq!(client.call(TOOL, &json!({ other: "-x" }))["isError"], true, "there is no {other}");
    }
    assert!(!pwned.exists());
    let mut names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.all(|name| name == ".git" || name == "a.txt"), "nothing was written");
}

#[test]
fn a_misspelt_argument_is_an_error_result_without_structured_content() {
    let (_directory, mut client) = session();
    client.initialize();
    let result = client.call(TOOL, &json!({ "base_ref": "HEAD" }));
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none());
    let envelope: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(envelope["error"]["code"], "invalid_input");
    assert!(envelope["error"]["message"].as_str().unwrap().contains("did you mean `baseRef`?"), "{envelope}");
}

#[test]
fn an_unknown_tool_and_a_made_up_cursor_are_protocol_errors() {
    let (_directory, mut client) = session();
    client.initialize();
    let reply = client.request("tools/call", &json!({ "name": "loopover_local_statu", "arguments": {} }));
    assert_eq!(reply["error"]["code"], -32602);
    let reply = client.request("tools/list", &json!({ "cursor": "bogus" }));
    assert_eq!(reply["error"]["code"], -32602);
}

#[test]
fn the_end_of_stdin_is_the_end_of_the_process() {
    let (_directory, mut client) = session();
    client.initialize();
    client.send(
        &json!({ "jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": { "name": TOOL } }).to_string(),
    );
    let (status, rest) = client.finish();
    assert!(status.success());
    assert!(rest.iter().any(|line| line.contains("\"last\"")), "what was accepted is answered: {rest:?}");

    let (_directory, client) = session();
    let (status, rest) = client.finish();
    assert!(status.success() && rest.is_empty(), "a client that says nothing wants nothing: {status} {rest:?}");
}
