//! Calls that take a while, side by side: progress, cancellation, panics, strays on stdout, a client that is slow to read.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::{BINARY, DOOR, opened_door};

fn call(id: &str, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

#[test]
fn what_else_prints_prints_to_stderr_and_without_colour() {
    let mut client = opened_door();
    assert_eq!(client.call("wire_prints", &json!({}))["structuredContent"]["text"], "printed");
    client.call("door_panics", &json!({}));
    client.call("door_panics_blocking", &json!({}));
    client.expect_complaint("a stray line");
    assert!(!client.complaints().contains('\u{1b}'));
    let (status, rest) = client.finish();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

/// As [`opened_door`], for any server that is told to say all it can.
fn told_to_trace(mut command: Command) -> StdioClient {
    command.envs([("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1"), ("CLICOLOR_FORCE", "1")]);
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client
}

#[test]
fn no_server_writes_its_log_where_the_protocol_belongs() {
    let directory = tempfile::tempdir().unwrap();
    let command = |binary: &str, arguments: &[&str]| {
        let mut command = Command::new(binary);
        command.args(arguments).current_dir(directory.path()).env("HOME", directory.path());
        // Nothing is there, so every tool that reads a store has something to complain of.
        command.env("LOOPOVER_MINER_CONFIG_DIR", directory.path().join("missing"));
        command
    };
    let servers = [(DOOR, vec![]), (BINARY, vec!["miner", "mcp"]), (BINARY, vec!["stdio"])];
    for (binary, arguments) in servers {
        let mut client = told_to_trace(command(binary, &arguments));
        // Every line that the client reads has to be a message of the protocol.
        let listed = client.request("tools/list", &json!({}))["result"]["tools"].clone();
        let calls: Vec<&str> = if binary == DOOR {
            vec!["wire_prints", "door_panics", "door_panics_blocking"]
        } else {
            listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
        };
        assert!(!calls.is_empty());
        for tool in calls {
            client.request("tools/call", &json!({ "name": tool, "arguments": {} }));
        }
        client.send("no message at all");
        assert_eq!(client.next_message()["error"]["code"], -32700);
        client.expect_silence();
        let said = client.complaints();
        assert!(!said.contains('\u{1b}'), "{said}");
        let (status, rest) = client.finish();
        assert!(status.success() && rest.is_empty(), "{rest:?}");
    }
}

#[test]
fn a_panicking_tool_answers_and_the_next_call_is_served() {
    let mut client = opened_door();
    for tool in ["door_panics", "door_panics_blocking"] {
        let result = client.call(tool, &json!({}));
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("unknown_error") && !text.contains("hunter2"), "{text}");
    }
    client.expect_silence();
}

#[test]
fn a_tool_that_blocks_stalls_nobody() {
    let mut client = opened_door();
    for id in 1..=8 {
        client.send(&call(&id.to_string(), "wire_sleeps", r#"{"milliseconds":60000}"#));
    }
    client.expect_silence();
    assert!(!client.call("door_store", &json!({}))["content"].is_null());
}

#[test]
fn calls_that_share_an_id_are_answered_each() {
    let mut client = opened_door();
    client.send(&call(r#""same""#, "wire_sleeps", r#"{"milliseconds":50}"#));
    client.send(&call(r#""same""#, "door_claims", r#"{"count":1}"#));
    client.send(&call(r#""same""#, "door_claims", r#"{"count":2}"#));
    let mut seen: Vec<String> = (0..3)
        .map(|_| {
            let message = client.next_message();
            assert_eq!(message["id"], "same");
            message["result"]["structuredContent"].to_string()
        })
        .collect();
    seen.sort();
    assert_eq!(seen, [r#"{"claims":["claim 0","claim 1"]}"#, r#"{"claims":["claim 0"]}"#, r#"{"text":"awake"}"#]);
    client.expect_silence();
}

#[test]
fn a_cancelled_call_is_dropped_without_a_reply_and_no_other_is() {
    let cancel =
        |id: &str| format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    let mut client = opened_door();
    client.send(&call("3", "wire_sleeps", r#"{"milliseconds":60000}"#));
    client.send(&call("4", "door_waits", "{}"));
    for other in [r#""3""#, "999", "3.0", "null"] {
        client.send(&cancel(other));
    }
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#);
    client.expect_silence();
    assert!(!client.complaints().contains("cancelled"));
    client.send(&cancel("3"));
    client.expect_complaint("wire_sleeps was cancelled");
    client.send(&cancel("4"));
    client.expect_silence();
    // Nothing is left that the end would have to wait for.
    let (status, rest) = client.finish();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

#[test]
fn progress_comes_with_its_token_in_order_and_before_the_reply() {
    let mut client = opened_door();
    for token in [json!("t"), json!(7)] {
        let params =
            json!({ "name": "wire_reports", "arguments": { "steps": 10 }, "_meta": { "progressToken": token } });
        client.send(&json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params }).to_string());
        for step in 1..=10 {
            let message = client.next_message();
            assert_eq!(message["method"], "notifications/progress", "{message}");
            let params = &message["params"];
            assert_eq!((&params["progressToken"], params["progress"].as_f64()), (&token, Some(f64::from(step))));
            assert_eq!((params["total"].as_f64(), &params["message"]), (Some(10.0), &json!(format!("step {step}"))));
        }
        assert_eq!(client.next_message()["id"], 5);
    }
    // Nobody asked to know.
    client.call("wire_reports", &json!({ "steps": 10 }));
    client.expect_silence();
    // A flood keeps its newest report.
    let params = json!({ "name": "wire_reports", "arguments": { "steps": 100_000 }, "_meta": { "progressToken": 1 } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": params }).to_string());
    let mut told = Vec::new();
    let reply = loop {
        let message = client.next_message();
        if message.get("method").is_none() {
            break message;
        }
        told.push(message["params"]["progress"].as_f64().unwrap());
    };
    assert_eq!(reply["id"], 6);
    assert!(told.len() < 100 && told.is_sorted() && told.last() == Some(&100_000.0), "{told:?}");
}

#[test]
fn a_thousand_calls_at_once_are_all_answered() {
    let mut client = opened_door();
    let calls: String = (0..1_000).map(|id| call(&id.to_string(), "door_claims", r#"{"count":1}"#) + "\n").collect();
    client.send_bytes(calls.as_bytes());
    let mut ids: Vec<u64> = (0..1_000).map(|_| client.next_message()["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..1_000).collect::<Vec<_>>());
}

#[test]
fn a_client_that_does_not_read_is_not_read_from() {
    let mut child =
        Command::new(DOOR).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let initialize = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}}"#;
    let peak = |pid: u32| -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    let pid = child.id();
    // 2,000 answers of 100 kB twice: 400 MB, if the server kept them.
    let calls = std::thread::spawn(move || {
        writeln!(stdin, "{initialize}").unwrap();
        for id in 0..2_000 {
            writeln!(stdin, "{}", call(&id.to_string(), "wire_talks", r#"{"bytes":100000}"#)).unwrap();
        }
    });
    // Until something was said there is nothing to hold back; after that reading stops for a while.
    let mut lines = BufReader::new(stdout).lines();
    lines.next().unwrap().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let held = peak(pid);
    assert!(held < 200 * 1024, "{held} kB are held for a client that does not read");
    let mut answered = 0;
    for line in lines {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        assert_eq!(message["result"]["structuredContent"]["text"].as_str().map(str::len), Some(100_000));
        answered += 1;
    }
    calls.join().unwrap();
    assert_eq!(answered, 2_000);
    assert!(child.wait().unwrap().success());
}
