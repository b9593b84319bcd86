//! How a session opens, what each revision is answered, and that no first message closes the door.

use std::collections::BTreeSet;

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::{BINARY, door, opened_door};

#[test]
fn each_revision_lists_and_calls() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut client = door();
        let answer = client.initialize_as(revision, &json!({}));
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(answer["result"]["capabilities"], json!({ "tools": {} }));
        let listed = client.request("tools/list", &json!({}));
        assert!(listed["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 5));
        assert!(listed["result"].get("resultType").is_none() && listed["result"].get("nextCursor").is_none());
        let result = client.call("door_claims", &json!({ "count": 1 }));
        assert_eq!(result["structuredContent"]["claims"], json!(["claim 0"]));
        assert!(result.get("resultType").is_none());
    }
}

#[test]
fn revision_2026_07_28_needs_no_handshake() {
    let mut client = door();
    let discovered = client.request_2026("server/discover", json!({}));
    let versions = &discovered["result"]["supportedVersions"];
    assert_eq!(versions, &json!(["2025-06-18", "2025-11-25", "2026-07-28"]), "{discovered}");
    assert_eq!(discovered["result"]["resultType"], "complete");
    let listed = client.request_2026("tools/list", json!({}));
    let result = &listed["result"];
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
    let called = client.request_2026("tools/call", json!({ "name": "door_claims", "arguments": { "count": 2 } }));
    assert_eq!(called["result"]["structuredContent"]["claims"].as_array().map(Vec::len), Some(2));
    assert_eq!(called["result"]["resultType"], "complete");
    // There is no ping in this revision.
    assert_eq!(client.request_2026("ping", json!({}))["error"]["code"], -32601);
    // The handshake of the earlier ones still opens a session.
    client.initialize();
    assert!(client.request("tools/list", &json!({}))["result"]["tools"].is_array());
}

#[test]
fn a_revision_that_is_not_served_is_answered_the_newest_with_a_handshake() {
    for revision in ["2099-01-01", "", "2024-11-05", "2025-03-26", "2026-07-28", "latest"] {
        let mut client = door();
        let answer = client.initialize_as(revision, &json!({}));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{revision}");
        client.expect_silence();
    }
}

#[test]
fn an_initialize_without_a_version_is_refused_and_another_opens_the_session() {
    let mut client = door();
    let info = json!({ "name": "raw", "version": "0" });
    for params in [
        json!({ "capabilities": {}, "clientInfo": info }),
        json!({ "protocolVersion": 123, "capabilities": {}, "clientInfo": info }),
        json!({ "protocolVersion": null, "capabilities": {}, "clientInfo": info }),
        json!({ "protocolVersion": "2025-11-25" }),
        json!({}),
    ] {
        let reply = client.request("initialize", &params);
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains("protocolVersion"), "{reply}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }
    assert_eq!(client.initialize()["result"]["protocolVersion"], "2025-11-25");
    assert!(client.request("tools/list", &json!({}))["result"]["tools"].is_array());
}

#[test]
fn whatever_comes_first_initialize_still_works() {
    let first = [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/whatever"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
    ];
    for frame in first {
        let mut client = door();
        client.send(frame);
        assert!(client.initialize()["result"].is_object(), "{frame}");
        assert!(client.finish().0.success());
    }
    let answered = [
        (r#"{"jsonrpc":"2.0","id":"f","method":"no/such"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":"f","method":"logging/setLevel","params":{"level":"info"}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":"f","method":"tools/list"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":"f","method":"tools/call","params":{"name":"wire_prints"}}"#, -32602),
    ];
    for (frame, code) in answered {
        let mut client = door();
        client.send(frame);
        let reply = client.next_message();
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!("f"), &json!(code)), "{frame}");
        assert!(client.initialize()["result"].is_object(), "{frame}");
        assert!(!client.complaints().contains("stray"));
    }
}

#[test]
fn a_probe_before_initialize_is_answered_and_initialize_still_works() {
    let meta = |revision: &str| json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {} } });
    let probes = [
        (meta("2026-07-28"), None),
        (Value::Null, Some(-32602)),
        (json!({}), Some(-32602)),
        (json!({ "_meta": {} }), Some(-32602)),
        (meta("2099-01-01"), Some(-32022)),
    ];
    for (params, code) in probes {
        let mut client = door();
        let reply = client.request("server/discover", &params);
        match code {
            None => assert!(reply["result"]["supportedVersions"].is_array(), "{reply}"),
            Some(code) => assert_eq!(reply["error"]["code"], code, "{params}"),
        }
        if code == Some(-32022) {
            assert!(reply["error"]["data"]["supported"].is_array(), "{reply}");
        }
        assert!(client.initialize()["result"].is_object(), "{params}");
        assert!(client.request("tools/list", &json!({}))["result"]["tools"].is_array());
    }
}

#[test]
fn ping_comes_before_everything_and_lists_do_not_wait_for_initialized() {
    let mut client = door();
    client.expect_silence();
    client.send(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}}"#,
    );
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}"#);
    client.send(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(client.reply_to(&json!(1))["result"]["protocolVersion"], "2025-11-25");
    let replies = [client.next_message(), client.next_message()];
    let of = |id: u64| replies.iter().find(|reply| reply["id"] == id).unwrap();
    assert_eq!(of(2)["error"]["code"], -32601);
    assert!(of(3)["result"]["tools"].is_array());
    client.expect_silence();
}

#[test]
fn a_second_initialize_is_answered_like_the_first() {
    let mut client = opened_door();
    assert_eq!(client.initialize_as("2025-06-18", &json!({}))["result"]["protocolVersion"], "2025-06-18");
    assert!(client.request("tools/list", &json!({}))["result"]["tools"].is_array());
}

#[test]
fn the_list_has_one_page_and_no_tool_twice() {
    let mut client = StdioClient::start(BINARY, &["stdio"], &std::env::temp_dir());
    client.initialize();
    let pages: Vec<Value> = (0..3).map(|_| client.request("tools/list", &json!({}))["result"].clone()).collect();
    assert!(pages.iter().all(|page| page.get("nextCursor").is_none()), "not even an empty one");
    assert!(pages.iter().all(|page| page == &pages[0]));
    let tools = pages[0]["tools"].as_array().unwrap();
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), tools.len());
}
