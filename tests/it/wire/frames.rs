//! Frames that are wrong, strange or huge: each request is answered, nothing else is, and the session goes on.

use std::fmt::Write as _;
use std::fs;

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::{door, opened_door};

/// Sends bytes as one line and returns the id and the code of the error that answers them.
#[track_caller]
fn refused(client: &mut StdioClient, line: &[u8]) -> (Value, Value) {
    client.send_bytes(line);
    client.send_bytes(b"\n");
    let message = client.next_message();
    (message["id"].clone(), message["error"]["code"].clone())
}

#[test]
fn a_byte_order_mark_is_accepted_and_after_a_bad_line_the_next_is_answered() {
    let mut client = door();
    assert_eq!(refused(&mut client, b"not json"), (Value::Null, json!(-32700)));
    client.send_bytes(b"\xEF\xBB\xBF");
    assert_eq!(client.initialize()["result"]["protocolVersion"], "2025-11-25");
    client.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\r\n\n\r\n");
    assert_eq!(client.next_message()["id"], 7);
    client.expect_silence();
}

#[test]
fn each_bad_line_is_answered_once_and_no_answer_is() {
    let mut client = opened_door();
    for number in 0..1_000 {
        assert_eq!(refused(&mut client, format!("2026-11-30 INFO line {number}").as_bytes()).1, -32700);
    }
    for _ in 0..100 {
        client.send(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#);
        client.send(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
        client.send(r#"{"jsonrpc":"2.0","id":77,"error":"broken"}"#);
    }
    client.expect_silence();
}

#[test]
fn notifications_are_never_answered() {
    let mut client = opened_door();
    for frame in [
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/whatever"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"door_ping"}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":5}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[],"progress":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":5}"#,
    ] {
        client.send(frame);
    }
    client.expect_silence();
}

#[test]
fn ids_come_back_byte_for_byte_or_are_no_ids() {
    let mut client = opened_door();
    for id in [
        r#""""#,
        "-7",
        "0",
        "-0",
        "9007199254740993",
        "18446744073709551615",
        "123456789012345678901234567890",
        r#""007""#,
        r#""\u0061\/é""#,
    ] {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        assert_eq!(client.next_line(), format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"no"}}}}"#));
        assert!(client.next_line().starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error""#)));
    }
    for id in ["1.5", "1e3", "null", "true", "{}", "[1]"] {
        let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"wire_prints"}}}}"#);
        assert_eq!(refused(&mut client, call.as_bytes()), (Value::Null, json!(-32600)), "{id}");
    }
    client.expect_silence();
    assert!(!client.complaints().contains("stray"), "a call without a usable id is not made");
}

#[test]
fn a_batch_is_one_refusal() {
    let mut client = door();
    assert_eq!(client.initialize_as("2025-03-26", &json!({}))["result"]["protocolVersion"], "2025-11-25");
    let batch = br#"[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]"#;
    assert_eq!(refused(&mut client, batch), (Value::Null, json!(-32600)));
    assert_eq!(refused(&mut client, b"[]"), (Value::Null, json!(-32600)));
    client.expect_silence();
}

#[test]
fn bytes_that_are_no_utf8_are_answered_under_their_id() {
    let mut client = opened_door();
    let frame = b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}";
    assert_eq!(refused(&mut client, frame), (json!(2), json!(-32700)));
    assert_eq!(refused(&mut client, b"\xff\xfe{}"), (Value::Null, json!(-32700)));
    client.expect_silence();
}

#[test]
fn nesting_is_answered_however_deep_it_is() {
    let mut client = opened_door();
    for depth in [200, 300, 100_000] {
        let mut call =
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_ping","arguments":{"a":"#
                .to_owned();
        let _ = write!(call, "{}{}}}}}}}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(refused(&mut client, call.as_bytes()), (json!(2), json!(-32600)), "{depth}");
        client.expect_silence();
    }
}

#[test]
fn wrong_parameters_are_refused_under_the_id_of_their_request() {
    let mut client = opened_door();
    for (frame, code) in [
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_ping","arguments":["a",5]}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_ping","arguments":"{}"}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_ping","arguments":5}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":{}}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":["x"]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_ping","_meta":5}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"bogus"}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":5}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":2,"method":123}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":2}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":5}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"prompts/list"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"x:"}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"x"}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{}}}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":2,"method":""}"#, -32601),
    ] {
        assert_eq!(refused(&mut client, frame.as_bytes()), (json!(2), json!(code)), "{frame}");
    }
    client.expect_silence();
}

#[test]
fn arguments_may_be_absent_or_null_and_reach_the_door_as_they_were_written() {
    let mut client = opened_door();
    for arguments in ["", r#","arguments":null"#, r#","arguments":{}"#] {
        let params = format!(r#"{{"name":"door_claims"{arguments}}}"#);
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{params}}}"#));
        let result = &client.next_message()["result"];
        assert_eq!(result["isError"], true);
        assert!(result["content"][0]["text"].as_str().unwrap().contains("/count"), "{result}");
    }
    let twice = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"door_claims","arguments":{"count":1,"count":2}}}"#;
    client.send(twice);
    let result = &client.next_message()["result"];
    assert!(result["content"][0]["text"].as_str().unwrap().contains("twice"), "{result}");
}

#[test]
fn what_is_unknown_is_named_and_not_echoed_at_any_length() {
    let mut client = opened_door();
    let long = "é".repeat(1_000_000);
    let mut check = |method: &str, params: Value, code: i32| {
        client.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }).to_string());
        let line = client.next_line();
        let said: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(said["error"]["code"], code, "{} bytes", line.len());
        assert!(line.len() < 1_000, "{code} came back with {} bytes", line.len());
        said["error"]["message"].clone()
    };
    assert_eq!(check(&long, json!({}), -32601), "é".repeat(64));
    assert_eq!(check("no/such", json!({}), -32601), "no/such");
    check("tools/call", json!({ "name": long }), -32602);
    check("tools/list", json!({ "cursor": long }), -32602);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": long,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    check("tools/list", json!({ "_meta": meta }), -32602);
}

#[test]
fn a_long_line_is_read_and_a_huge_one_costs_no_memory() {
    let mut client = opened_door();
    let long = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(200_000));
    client.send(&long);
    assert_eq!(client.next_message()["id"], 2);

    let before = peak(&client);
    client.send_bytes(br#"{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":""#);
    let chunk = vec![b'x'; 1 << 20];
    let megabytes = std::env::var("HUGE_LINE_MEGABYTES").map_or(128, |count| count.parse().unwrap());
    for _ in 0..megabytes {
        client.send_bytes(&chunk);
    }
    let message = client.next_message();
    assert_eq!((&message["id"], &message["error"]["code"]), (&json!(3), &json!(-32600)));
    client.send_bytes(b"\n");
    client.expect_silence();
    let grown = peak(&client) - before;
    assert!(grown < 64 * 1024, "a line of {megabytes} MB took {grown} kB");
}

/// The most memory that the server ever had, in kB.
fn peak(client: &StdioClient) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
