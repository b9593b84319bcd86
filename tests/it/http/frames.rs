//! What a POST may be, and what it is answered.

use std::collections::BTreeSet;

use contract_tests::http_client::{Ask, HttpServer, Session, initialize};
use serde_json::{Value, json};

use super::door_server;

#[track_caller]
fn refused(server: &HttpServer, ask: &Ask, status: u16, code: i64) -> Value {
    let answer = ask.answer(server);
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let json = answer.json();
    assert_eq!((&json["jsonrpc"], &json["error"]["code"]), (&json!("2.0"), &json!(code)), "{json}");
    json
}

#[test]
fn a_request_of_the_newest_revision_stands_alone() {
    let server = door_server(&[]);
    let answer = Ask::call(&server, "wire_talks", &json!({ "bytes": 3 })).answer(&server);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert!(answer.header("mcp-session-id").is_none());
    let result = &answer.json()["result"];
    assert_eq!(result["structuredContent"], json!({ "text": "xxx" }));
    assert_eq!(result["content"][0]["text"], r#"{"text":"xxx"}"#);
    let lists: Vec<Value> =
        (0..3).map(|_| Ask::alone(&server, "tools/list", json!({})).answer(&server).json()["result"].clone()).collect();
    let tools = lists[0]["tools"].as_array().unwrap();
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.len() > 5 && names.len() == tools.len(), "one page, no tool twice");
    assert!(lists.iter().all(|list| list.get("nextCursor").is_none() && list["tools"] == lists[0]["tools"]));
}

#[test]
fn the_newest_revision_is_discovered_without_a_handshake() {
    let server = door_server(&[]);
    let found = Ask::alone(&server, "server/discover", json!({})).answer(&server).json();
    assert_eq!(found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "door", "{found}");
    assert_eq!(found["result"]["supportedVersions"], json!(["2025-06-18", "2025-11-25", "2026-07-28"]));
    let bare = Ask::post(&server, r#"{"jsonrpc":"2.0","id":0,"method":"server/discover"}"#);
    assert_eq!(refused(&server, &bare, 400, -32602)["id"], 0);
    let future = Ask::alone(&server, "server/discover", json!({}));
    let body = String::from_utf8(future.bytes()).unwrap().replace("2026-07-28", "2099-01-01");
    let mut connection = server.connect();
    connection.send(body.as_bytes());
    let answer = connection.answer();
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"]["code"], -32022);
    assert!(answer.json()["error"]["data"]["supported"].as_array().is_some_and(|supported| supported.len() == 3));
}

#[test]
fn a_handshake_ends_in_a_revision_that_has_one() {
    let server = door_server(&[]);
    for (asked, agreed) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2025-03-26", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let answer = Ask::post(&server, initialize(asked)).answer(&server);
        assert_eq!((answer.status, &answer.json()["result"]["protocolVersion"]), (200, &json!(agreed)), "{asked}");
        assert!(answer.header("mcp-session-id").is_some());
    }
    for params in [r#"{"capabilities":{},"clientInfo":{"name":"c","version":"0"}}"#, r#"{"protocolVersion":123}"#, "[]"]
    {
        let answer =
            Ask::post(&server, format!(r#"{{"jsonrpc":"2.0","id":"i","method":"initialize","params":{params}}}"#))
                .answer(&server);
        assert_eq!((&answer.json()["id"], &answer.json()["error"]["code"]), (&json!("i"), &json!(-32602)));
        assert!(answer.header("mcp-session-id").is_none());
    }
}

#[test]
fn a_notification_is_taken_and_not_answered() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    for frame in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/nobody-knows"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
    ] {
        let answer = session.say(frame);
        assert_eq!((answer.status, answer.text().as_str()), (202, ""), "{frame}");
    }
    let alone = Ask::post(&server, r#"{"jsonrpc":"2.0","method":"notifications/nobody-knows"}"#);
    assert_eq!(alone.with("MCP-Protocol-Version", "2026-07-28").answer(&server).status, 202);
    assert_eq!(session.say(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).json()["result"], json!({}));
}

#[test]
fn a_session_may_be_used_before_the_client_says_that_it_is_ready() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    assert!(session.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).json()["result"]["tools"].is_array());
    let level = session.say(r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}"#).json();
    assert_eq!(level["error"]["code"], -32601);
    assert_eq!(session.say(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#).json()["id"], 3);
}

#[test]
fn ids_come_back_as_they_were_written() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    for id in [r#""""#, "-7", "9007199254740993", "18446744073709551616", r#""007""#, r#""\u0061""#, "0"] {
        let answer = session.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        assert!(answer.text().contains(&format!(r#""id":{id},"result""#)), "{}", answer.text());
    }
    for id in ["1.5", "null", "true", "{}", "[]"] {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"wire_talks"}}}}"#);
        assert_eq!(refused(&server, &session.post(frame), 400, -32600)["id"], json!(null), "{id}");
    }
}

#[test]
fn what_is_no_message_is_refused_once() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    for (frame, code) in [
        ("{nope", -32700),
        ("", -32600),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]"#, -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    ] {
        refused(&server, &session.post(frame), 400, code);
        refused(&server, &Ask::post(&server, frame), 400, code);
    }
    let not_utf8 = [&br#"{"jsonrpc":"2.0","id":1,"method":""#[..], &[0xff], br#""}"#].concat();
    assert_eq!(refused(&server, &session.post(not_utf8), 400, -32700)["id"], 1);
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(refused(&server, &session.post(deep), 400, -32600)["id"], 2);
}

#[test]
fn arguments_reach_the_door_as_text() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let call = |arguments: &str| {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"wire_talks","arguments":{arguments}}}}}"#
        );
        session.say(&frame).json()["result"].clone()
    };
    assert_eq!(call(r#"{"bytes":2.0}"#)["structuredContent"]["text"], "xx");
    let twice = call(r#"{"bytes":1,"bytes":2}"#);
    assert_eq!(twice["isError"], true);
    assert!(twice["content"][0]["text"].as_str().is_some_and(|text| text.contains("twice")), "{twice}");
    assert!(twice.get("structuredContent").is_none());
    assert_eq!(call(r#"{"bytes":1e400}"#)["isError"], true);
}

#[test]
fn a_cursor_that_was_never_given_out_is_refused() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let answer = session.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"bogus"}}"#).json();
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains("invalid cursor")));
}

#[test]
fn headers_that_do_not_fit_are_told_so_by_status_and_body() {
    let server = door_server(&[]);
    let post = || Ask::post(&server, initialize("2025-11-25"));
    refused(&server, &post().with_other("Content-Type", "text/plain"), 415, -32600);
    refused(&server, &post().without("Content-Type"), 415, -32600);
    for accept in ["application/json", "text/event-stream", "text/html", "application/json, text/event-stream;q=0"] {
        refused(&server, &post().with_other("Accept", accept), 406, -32600);
    }
    refused(&server, &post().without("Accept"), 406, -32600);
    assert_eq!(post().with_other("Accept", "*/*").answer(&server).status, 200);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let unknown = Ask::post(&server, ping).with("MCP-Protocol-Version", "1900-01-01");
    assert_eq!(refused(&server, &unknown, 400, -32022)["error"]["data"]["supported"][1], "2025-11-25");
    let session = Session::open(&server);
    refused(&server, &session.post(ping).with_other("MCP-Protocol-Version", "2024-11-05"), 400, -32022);
    // What no header stands for may also be said.
    assert_eq!(session.post(ping).with_other("MCP-Protocol-Version", "2025-03-26").answer(&server).status, 200);
    refused(&server, &session.post(ping).with("Mcp-Session-Id", &session.id), 400, -32600);
    refused(&server, &Ask::post(&server, ping), 400, -32600);
    for method in ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE"] {
        let mut connection = server.connect();
        connection.send(&Ask::new(&server, method, "/mcp").bytes());
        let head = connection.head();
        assert_eq!((head.status, head.header("allow")), (405, Some("GET, POST, DELETE")), "{method}");
    }
}

#[test]
fn what_proxies_route_by_agrees_with_the_body() {
    let server = door_server(&[]);
    let call = || Ask::call(&server, "wire_talks", &json!({ "bytes": 1 }));
    for wrong in [
        call().without("Mcp-Method"),
        call().with_other("Mcp-Method", "tools/list"),
        call().with("Mcp-Method", "tools/call"),
        call().without("Mcp-Name"),
        call().with_other("Mcp-Name", "wire_who"),
        call().with_other("Mcp-Name", "=?base64?!?="),
        call().without("MCP-Protocol-Version"),
        call().with_other("MCP-Protocol-Version", "2025-11-25"),
    ] {
        assert_eq!(refused(&server, &wrong, 400, -32020)["id"], 1);
    }
    assert_eq!(call().with_other("Mcp-Name", "=?base64?d2lyZV90YWxrcw==?=").answer(&server).status, 200);
    let without_meta = Ask::post(&server, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        .with("MCP-Protocol-Version", "2026-07-28")
        .with("Mcp-Method", "tools/list");
    refused(&server, &without_meta, 400, -32602);
    refused(&server, &Ask::alone(&server, "nobody/knows", json!({})), 404, -32601);
    let handshake = Ask::alone(&server, "initialize", json!({}));
    refused(&server, &handshake, 404, -32601);
    let body = String::from_utf8(call().bytes()).unwrap().replace("clientCapabilities", "clientCapabilitie_");
    let mut connection = server.connect();
    connection.send(body.as_bytes());
    assert_eq!(connection.answer().status, 400);
    let unknown = Ask::call(&server, "wire_nothing", &json!({})).answer(&server);
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (200, &json!(-32602)));
}

#[test]
fn two_readers_of_one_request_see_one_request() {
    let server = door_server(&[]);
    let host = server.address;
    let shapes = [
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: +5\r\n\r\nhello"),
        format!("POST /mcp HTTP/1.1\r\nHost : {host}\r\nContent-Length: 0\r\n\r\n"),
        format!("POST /mcp HTTP/1.1\r\n Host: {host}\r\nContent-Length: 0\r\n\r\n"),
        format!("POST /mcp HTTP/1.1\nHost: {host}\nMcp-Session-Id: a\rb\n\n"),
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n"),
    ];
    for shape in shapes {
        let mut connection = server.connect();
        connection.send(shape.as_bytes());
        let answer = connection.answer();
        assert!((400..500).contains(&answer.status), "{} {shape:?}", answer.status);
        // What follows on this connection is not taken for a request.
        connection.send(&Ask::new(&server, "GET", "/healthz").bytes());
        assert!(answer.status != 400 || connection.is_closed(), "{shape:?}");
    }
}

#[test]
fn a_body_with_two_ends_has_the_one_of_its_chunks_and_is_the_last_of_its_connection() {
    let server = door_server(&[]);
    let body = initialize("2025-11-25");
    let length = body.len();
    for (one, other) in [("Content-Length", "Transfer-Encoding"), ("Transfer-Encoding", "Content-Length")] {
        for length in [length, 0] {
            let value = |name: &str| if name == "Content-Length" { length.to_string() } else { "chunked".to_owned() };
            let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
            let ask = Ask::post(&server, chunked).with(one, &value(one)).with(other, &value(other));
            let mut connection = server.connect();
            connection.send(&[ask.bytes(), Ask::new(&server, "GET", "/healthz").bytes()].concat());
            let answer = connection.answer();
            assert_eq!(answer.status, 200, "{one}: {}", answer.text());
            assert!(connection.is_closed(), "{one} {length}: what follows is no request");
        }
    }
}

#[test]
fn a_body_is_json_in_utf_8_said_once() {
    let server = door_server(&[]);
    let post = || Ask::post(&server, initialize("2025-11-25"));
    refused(&server, &post().with("Content-Type", "application/json"), 415, -32600);
    refused(&server, &post().with_other("Content-Type", "application/json; charset=utf-16"), 415, -32600);
    assert_eq!(post().with_other("Content-Type", "application/json; charset=UTF-8").answer(&server).status, 200);
}
