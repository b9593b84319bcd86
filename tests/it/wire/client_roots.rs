//! The folders that a client exposes decide which directory a tool reads.

use std::path::Path;

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::BINARY;

const TOOL: &str = "loopover_local_status_structured";

fn repository(directory: &Path, name: &str) {
    let tree = directory.join(name);
    std::fs::create_dir(&tree).unwrap();
    for arguments in [
        &["init", "-q", "-b", "main"][..],
        &["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", "x"],
        &["remote", "add", "origin", &format!("https://github.com/acme/{name}.git")],
    ] {
        let git = std::process::Command::new("git")
            .args(arguments)
            .current_dir(&tree)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status();
        assert!(git.unwrap().success());
    }
}

/// Calls the tool, answering each `roots/list` with `answer`; what it says about git.
fn status(client: &mut StdioClient, cwd: Option<&str>, answer: Option<&Value>) -> Value {
    let arguments = cwd.map_or(json!({}), |cwd| json!({ "cwd": cwd }));
    let call = json!({ "jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": { "name": TOOL, "arguments": arguments } });
    client.send(&call.to_string());
    let mut asked = 0;
    loop {
        let message = client.next_message();
        if message["method"] == "roots/list" {
            asked += 1;
            if let Some(answer) = answer {
                let mut reply = json!({ "jsonrpc": "2.0", "id": message["id"] });
                reply.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
                client.send(&reply.to_string());
            }
        } else if message["id"] == "call" {
            assert!(asked <= 1);
            let git = &message["result"]["structuredContent"]["git"];
            return json!([git["repoFullName"], git["error"]["reason"], asked]);
        }
    }
}

#[test]
fn a_client_with_roots_is_asked_at_each_call_and_its_folders_hold() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["here", "there"] {
        repository(directory.path(), name);
    }
    let uri = |name: &str| json!({ "uri": format!("file://{}/{name}", directory.path().display()) });
    let mut client = StdioClient::start(BINARY, &["stdio"], &directory.path().join("here"));
    client.initialize_as("2025-11-25", &json!({ "roots": {} }));
    let there = json!({ "result": { "roots": [uri("there")] } });
    assert_eq!(status(&mut client, None, Some(&there)), json!(["acme/there", null, 1]));
    assert_eq!(status(&mut client, Some("../here"), Some(&there)), json!([null, "outside_roots", 1]));
    // They may change from one call to the next.
    let both = json!({ "result": { "roots": [uri("here"), uri("there")] } });
    assert_eq!(status(&mut client, None, Some(&both)), json!(["acme/here", null, 1]));
    assert_eq!(status(&mut client, Some("../there"), Some(&both)), json!(["acme/there", null, 1]));
}

#[test]
fn a_client_that_does_not_say_exposes_none() {
    let directory = tempfile::tempdir().unwrap();
    repository(directory.path(), "here");
    let start = |capabilities: &Value, revision: &str| {
        let mut client = StdioClient::start(BINARY, &["stdio"], &directory.path().join("here"));
        client.initialize_as(revision, capabilities);
        client
    };
    let mut client = start(&json!({ "roots": { "listChanged": true } }), "2025-06-18");
    for answer in [
        json!({ "error": { "code": -32601, "message": "no" } }),
        json!({ "error": "no" }),
        json!({ "result": {} }),
        json!({ "result": { "roots": 5 } }),
        json!({ "result": { "roots": [] } }),
        json!({ "result": { "roots": [{ "uri": "https://example.com/" }] } }),
    ] {
        assert_eq!(status(&mut client, None, Some(&answer)), json!(["acme/here", null, 1]), "{answer}");
    }
    // No answer at all: a second is waited for, not more.
    let started = std::time::Instant::now();
    assert_eq!(status(&mut client, None, None), json!(["acme/here", null, 1]));
    assert!(started.elapsed() >= std::time::Duration::from_secs(1));
    let mut client = start(&json!({}), "2025-11-25");
    assert_eq!(status(&mut client, None, None), json!(["acme/here", null, 0]));
}
