//! The routes beside the protocol's: health, counters, the index for agents; and what the log tells.

use contract_tests::http_client::{Ask, eventually};
use serde_json::{Value, json};

use super::door_server;

#[test]
fn health_is_told_in_a_word() {
    let server = door_server(&[]);
    for (path, word) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let answer = Ask::new(&server, "GET", path).answer(&server);
        assert_eq!((answer.status, answer.text().as_str()), (200, word));
    }
    assert_eq!(Ask::new(&server, "GET", "/nowhere").answer(&server).status, 404);
}

#[test]
fn calls_are_counted_and_logged_without_what_was_said() {
    let server = door_server(&[]);
    let secret = "hush-hush";
    Ask::call(&server, "wire_talks", &json!({ "bytes": 1 })).answer(&server);
    let wrong = Ask::call(&server, "wire_talks", &json!({ "bytes": secret })).with("Authorization", "Bearer one");
    assert_eq!(wrong.answer(&server).json()["result"]["isError"], true);
    Ask::call(&server, secret, &json!({})).answer(&server);
    let text = Ask::new(&server, "GET", "/metrics").answer(&server).text();
    for line in [
        r#"loopover_tool_calls_total{tool="wire_talks",code="ok"} 1"#,
        r#"loopover_tool_calls_total{tool="wire_talks",code="invalid_input"} 1"#,
        r#"loopover_tool_call_duration_seconds_count{tool="wire_talks"} 2"#,
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains(secret));
    assert!(eventually(|| server.complaints().lines().count() >= 3));
    for line in server.complaints().lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(line["target"], "loopover");
        let text = line.to_string();
        assert!(!text.contains(secret) && !text.contains("one"), "{text}");
    }
    assert!(server.complaints().contains(r#""code":"invalid_input""#));
}

#[test]
fn an_agent_finds_what_it_may_call() {
    let server = door_server(&[]);
    let index = Ask::new(&server, "GET", "/.well-known/agent-tools.json").answer(&server).json();
    assert_eq!(index["executor"]["endpoint"], format!("http://{}/mcp", server.address));
    assert!(index["tools"].as_array().is_some_and(|tools| tools.contains(&json!("wire_talks"))));
}
