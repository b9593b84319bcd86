//! Sessions: found by their id for their owner alone, resumed where they broke off, and not for ever.

use std::time::Duration;

use contract_tests::http_client::{Ask, HttpServer, Session, eventually};
use contract_tools::serve::CALL_DEADLINE;
use contract_tools::serve::remote::Listening;
use serde_json::{Value, json};

use super::door_server;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn call(id: u64, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

fn running(server: &HttpServer, tool: &str) -> bool {
    let metrics = Ask::new(server, "GET", "/metrics").answer(server).text();
    metrics.contains(&format!(r#"loopover_tool_calls_running{{tool="{tool}"}} 1"#))
}

#[test]
fn an_unknown_session_is_404_and_an_ended_one_too() {
    let server = door_server(&[]);
    let post = |id: &str| Ask::post(&server, PING).with("Mcp-Session-Id", id).answer(&server).status;
    assert_eq!(post("00000000-0000-0000-0000-000000000000"), 404);
    assert_eq!(post(""), 404);
    let session = Session::open(&server);
    assert!(session.id.len() == 32 && session.id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(session.say(PING).status, 200);
    assert_eq!(session.ask("DELETE").answer(&server).status, 204);
    assert_eq!(session.say(PING).status, 404);
    assert_eq!(session.ask("GET").answer(&server).status, 404);
    assert_eq!(session.ask("DELETE").answer(&server).status, 404);
    for method in ["GET", "DELETE"] {
        let bare = Ask::new(&server, method, "/mcp").with("Accept", "text/event-stream");
        assert_eq!(bare.answer(&server).status, 400, "{method}");
        assert_eq!(bare.with("MCP-Protocol-Version", "2026-07-28").answer(&server).status, 405, "{method}");
    }
    assert_eq!(session.ask("GET").without("Accept").answer(&server).status, 406);
}

#[test]
fn a_stream_that_is_dropped_does_not_end_its_session() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut listening = server.connect();
    listening.send(&session.ask("GET").bytes());
    assert_eq!(listening.head().header("content-type"), Some("text/event-stream"));
    assert_eq!(listening.event(), Some((Some("0-0".to_owned()), String::new())));
    drop(listening);
    assert!(session.say(PING).json()["result"].is_object());
    assert_eq!(Ask::post(&server, PING).with("Mcp-Session-Id", &session.id).answer(&server).status, 200);
}

#[test]
fn a_session_belongs_to_the_credential_that_opened_it() {
    let server = door_server(&[]);
    let session = Session::open_with(&server, |ask| ask.with("Authorization", "Bearer one"));
    let as_two = session.post(PING).with("Authorization", "Bearer two").answer(&server);
    assert_eq!(as_two.status, 404);
    assert_eq!(session.say(PING).status, 404);
    assert_eq!(session.ask("DELETE").with("Authorization", "Bearer two").answer(&server).status, 404);
    let who = session.post(call(1, "wire_who", &json!({}))).with("Authorization", "Bearer one").answer(&server);
    assert_eq!(who.json()["result"]["structuredContent"]["text"], "one");
}

#[test]
fn an_unused_session_expires_and_a_used_one_does_not() {
    let server = door_server(&["unused=300"]);
    let (used, unused) = (Session::open(&server), Session::open(&server));
    let mut listening = server.connect();
    listening.send(&used.ask("GET").bytes());
    listening.head();
    assert!(eventually(|| unused.ask("GET").with("Last-Event-ID", "9-9").answer(&server).status == 404 || {
        std::thread::sleep(Duration::from_millis(400));
        false
    }));
    assert_eq!(used.say(PING).status, 200);
}

#[test]
fn a_session_too_many_takes_the_place_of_the_longest_unused() {
    let server = door_server(&["sessions=2"]);
    let first = Session::open(&server);
    let second = Session::open(&server);
    assert_eq!(first.say(PING).status, 200);
    let third = Session::open(&server);
    assert_eq!((first.say(PING).status, second.say(PING).status, third.say(PING).status), (200, 404, 200));
}

#[test]
fn who_has_no_credential_takes_the_place_of_nobody_who_has_one() {
    let server = door_server(&["sessions=4"]);
    let as_holder = |ask: Ask, token: &str| ask.with("Authorization", &format!("Bearer {token}"));
    let open = |token: &str| Session::open_with(&server, |ask| as_holder(ask, token));
    let is_there =
        |session: &Session<'_>, token: &str| as_holder(session.post(PING), token).answer(&server).status == 200;
    let one = open("one");
    let anonymous: Vec<_> = (0..6).map(|_| Session::open(&server)).collect();
    assert!(is_there(&one, "one"));
    let left: Vec<bool> = anonymous.iter().map(|session| session.say(PING).status == 200).collect();
    assert_eq!(left, [false, false, false, true, true, true]);
    // Nor do those who only listen hold their places against somebody with a credential.
    let mut listening: Vec<_> = anonymous[3..].iter().map(|session| (server.connect(), session)).collect();
    for (connection, session) in &mut listening {
        connection.send(&session.ask("GET").bytes());
        connection.head();
        connection.event();
    }
    let two = open("two");
    assert!(is_there(&one, "one") && is_there(&two, "two"));
    assert_eq!(listening[0].0.event(), None);
    // Whoever has as many as a fair share makes room for more itself.
    let another = open("two");
    assert!(is_there(&one, "one") && !is_there(&two, "two") && is_there(&another, "two"));
}

#[test]
fn a_stream_ends_when_its_credential_is_revoked() {
    let server = door_server(&["keep-alive=50"]);
    let listen = |token: &str| {
        let credential = format!("Bearer {token}");
        let session = Session::open_with(&server, |ask| ask.with("Authorization", &credential));
        let mut connection = server.connect();
        connection.send(&session.ask("GET").with("Authorization", &credential).bytes());
        assert_eq!(connection.head().status, 200);
        connection.event();
        connection
    };
    let (mut revoked, mut kept) = (listen("passing"), listen("one"));
    assert_eq!(revoked.chunk().as_deref(), Some(b":\n\n".as_slice()));
    let forget = Ask::post(&server, PING).with("Authorization", "Bearer forget-passing").answer(&server);
    assert_eq!(forget.status, 401);
    assert_eq!(revoked.event(), None);
    for _ in 0..3 {
        assert_eq!(kept.chunk().as_deref(), Some(b":\n\n".as_slice()));
    }
}

#[test]
fn a_session_belongs_to_the_token_however_its_scheme_is_written() {
    let server = door_server(&[]);
    let session = Session::open_with(&server, |ask| ask.with("Authorization", "Bearer one"));
    assert_eq!(session.post(PING).with("Authorization", "bearer one").answer(&server).status, 200);
}

#[test]
fn a_refusal_has_the_id_of_its_request_as_it_was_written() {
    let server = door_server(&[]);
    for id in ["7", r#""seven""#, "9007199254740993"] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let unknown = Ask::post(&server, ping.clone()).with("Mcp-Session-Id", "none").answer(&server);
        let missing = Ask::post(&server, ping).answer(&server);
        assert_eq!((unknown.status, missing.status), (404, 400));
        for answer in [unknown, missing] {
            assert!(answer.text().contains(&format!(r#""id":{id},"#)), "{}", answer.text());
        }
    }
}

#[test]
fn progress_comes_on_the_stream_of_its_request_and_before_the_answer() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(7, "wire_reports", &json!({ "steps": 3 }))).bytes());
    assert_eq!(connection.head().header("content-type"), Some("text/event-stream"));
    let mut events = Vec::new();
    while let Some((id, data)) = connection.event() {
        events.push((id.unwrap(), serde_json::from_str::<Value>(&data).unwrap_or_default()));
    }
    let ids: Vec<&str> = events.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["2-0", "2-1", "2-2", "2-3", "2-4"]);
    assert_eq!(events[1].1["params"]["progress"], 1.0);
    assert_eq!(events[4].1["result"]["structuredContent"]["text"], "done");
    let alone = Ask::alone(&server, "ping", json!({})).answer(&server).status;
    assert_eq!(alone, 404, "ping is gone in 2026-07-28");
}

#[test]
fn a_client_that_lost_its_connection_comes_back_for_the_answer() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(9, "wire_sleeps", &json!({ "milliseconds": 300 }))).bytes());
    connection.head();
    let (opened, _) = connection.event().unwrap();
    let opened = opened.unwrap();
    drop(connection);
    // Before the answer is there, and again after it was read.
    for _ in 0..2 {
        let mut connection = server.connect();
        connection.send(&session.ask("GET").with("Last-Event-ID", &opened).bytes());
        assert_eq!(connection.head().status, 200);
        assert_eq!(connection.event().unwrap().0.as_deref(), Some(opened.as_str()));
        let (_, answer) = connection.event().unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["text"]), (&json!(9), &json!("awake")));
        assert_eq!(connection.event(), None);
    }
    for forgotten in ["77-0", "x"] {
        let answer = session.ask("GET").with("Last-Event-ID", forgotten).answer(&server);
        assert_eq!(answer.status, 400, "{forgotten}");
    }
}

#[test]
fn an_answer_that_nobody_fetched_is_forgotten() {
    let server = door_server(&["answers=50", "unused=2000"]);
    let session = Session::open(&server);
    session.say(PING);
    assert!(eventually(|| session.ask("GET").with("Last-Event-ID", "2-0").answer(&server).status == 400));
}

#[test]
fn a_cancelled_request_is_not_answered_and_its_stream_ends() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(3, "wire_sleeps", &json!({ "milliseconds": 60_000 }))).bytes());
    connection.head();
    connection.event();
    assert!(eventually(|| running(&server, "wire_sleeps")));
    for other in [r#""3""#, "999"] {
        let frame =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{other}}}}}"#);
        assert_eq!(session.say(&frame).status, 202);
    }
    assert!(running(&server, "wire_sleeps"));
    session.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#);
    assert_eq!(connection.event(), None);
    server.until_it_says("wire_sleeps was cancelled");
    assert!(session.say(PING).json()["result"].is_object());
}

#[test]
fn a_call_has_a_deadline_alone_and_in_a_session_whose_client_has_gone() {
    assert_eq!(Listening::at(([127, 0, 0, 1], 0).into()).calls, CALL_DEADLINE);
    assert_eq!(CALL_DEADLINE, Duration::from_mins(1));
    let server = door_server(&["calls=300", "unused=200"]);
    let sleeps = json!({ "milliseconds": 60_000 });
    let alone = Ask::call(&server, "wire_sleeps", &sleeps).answer(&server).json();
    assert_eq!(alone["result"]["isError"], true);
    assert!(alone["result"]["content"][0]["text"].as_str().unwrap().contains(r#""code":"timeout""#), "{alone}");
    let cancelled = || server.complaints().matches("wire_sleeps was cancelled").count();
    assert!(eventually(|| cancelled() == 1));
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(3, "wire_sleeps", &sleeps)).bytes());
    connection.head();
    drop(connection);
    assert!(eventually(|| cancelled() == 2), "nobody listens any more, and it ends all the same");
    // Then nothing is left of it: neither the call, nor the session that it kept.
    assert!(eventually(|| !running(&server, "wire_sleeps")));
    std::thread::sleep(Duration::from_millis(400));
    assert!(eventually(|| session.ask("GET").with("Last-Event-ID", "9-9").answer(&server).status == 404 || {
        std::thread::sleep(Duration::from_millis(400));
        false
    }));
}

#[test]
fn a_session_that_works_does_not_expire_before_its_answer() {
    let server = door_server(&["unused=200"]);
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(3, "wire_sleeps", &json!({ "milliseconds": 1_500 }))).bytes());
    connection.head();
    let opened = connection.event().unwrap().0.unwrap();
    drop(connection);
    // Nothing is asked or read for longer than an unused session lives.
    std::thread::sleep(Duration::from_millis(900));
    let mut connection = server.connect();
    connection.send(&session.ask("GET").with("Last-Event-ID", &opened).bytes());
    assert_eq!(connection.head().status, 200);
    connection.event();
    let answer: Value = serde_json::from_str(&connection.event().unwrap().1).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["text"], "awake");
}

#[test]
fn requests_that_share_an_id_are_answered_each() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut slow = server.connect();
    slow.send(&session.post(call(5, "wire_sleeps", &json!({ "milliseconds": 200 }))).bytes());
    assert_eq!(
        session.say(&call(5, "wire_talks", &json!({ "bytes": 2 }))).json()["result"]["structuredContent"]["text"],
        "xx"
    );
    assert_eq!(slow.answer().json()["result"]["structuredContent"]["text"], "awake");
}

#[test]
fn the_end_of_a_session_cancels_what_it_asked_for() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut connection = server.connect();
    connection.send(&session.post(call(3, "wire_sleeps", &json!({ "milliseconds": 60_000 }))).bytes());
    connection.head();
    assert!(eventually(|| running(&server, "wire_sleeps")));
    assert_eq!(session.ask("DELETE").answer(&server).status, 204);
    server.until_it_says("wire_sleeps was cancelled");
    connection.event();
    assert_eq!(connection.event(), None);
}
