//! Clients that are slow, gone, many, or too eager; and the end of the server.

use std::io::Read as _;
use std::net::Shutdown;
use std::time::{Duration, Instant};

use contract_tests::http_client::{Ask, Connection, Session, eventually, resident_kibibytes};
use serde_json::json;

use super::door_server;

#[test]
fn a_client_that_goes_away_cancels_a_request_that_stands_alone() {
    let server = door_server(&["half-closed=200"]);
    for shutdown in [Shutdown::Both, Shutdown::Write] {
        let mut connection = server.connect();
        let already = server.complaints().matches("was cancelled").count();
        connection.send(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 60_000 })).bytes());
        let running = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
        assert!(eventually(|| running().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 1"#)));
        connection.socket().shutdown(shutdown).unwrap();
        assert!(eventually(|| server.complaints().matches("was cancelled").count() > already));
        assert!(eventually(|| running().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 0"#)));
    }
}

/// As `nc -N` and other clients do: the end of what they send is the end of their question, not of their patience.
#[test]
fn a_client_that_closes_only_its_side_gets_its_answer() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wire_sleeps","arguments":{"milliseconds":300}}}"#;
    let padded = json!({ "jsonrpc": "2.0", "id": 7, "method": "ping", "params": { "pad": "x".repeat(200_000) } });
    let half_closed = |ask: &Ask| {
        let mut connection = server.connect();
        connection.send(&ask.bytes());
        connection.socket().shutdown(Shutdown::Write).unwrap();
        let mut said = Vec::new();
        connection.socket().read_to_end(&mut said).unwrap();
        String::from_utf8_lossy(&said).into_owned()
    };
    for _ in 0..6 {
        let said = half_closed(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 300 })));
        assert!(said.starts_with("HTTP/1.1 200 ") && said.contains("awake"), "{said}");
        let said = half_closed(&session.post(call));
        assert!(said.starts_with("HTTP/1.1 200 ") && said.contains("awake"), "{said}");
        let said = half_closed(&session.post(padded.to_string()));
        assert!(said.starts_with("HTTP/1.1 200 ") && said.contains(r#""id":7"#), "{said}");
        let long = half_closed(&Ask::call(&server, "wire_talks", &json!({ "bytes": 3_000_000 })));
        assert!(long.starts_with("HTTP/1.1 200 ") && long.len() > 3_000_000, "{}", long.len());
        let said = half_closed(&Ask::call(&server, "wire_who", &json!({})).with("Authorization", "Bearer three"));
        assert!(said.starts_with("HTTP/1.1 401 "), "{said}");
    }
}

#[test]
fn a_body_that_is_too_long_is_refused_before_it_is_read() {
    let server = door_server(&[]);
    let mut connection = server.connect();
    let declared = Ask::post(&server, "").with("Content-Length", "1073741824").bytes();
    connection.send(&declared);
    let answer = connection.answer();
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (413, &json!(-32600)));
    let mut connection = server.connect();
    connection.send(&Ask::post(&server, "").with("Transfer-Encoding", "chunked").bytes());
    let chunk = [b"100000\r\n".as_slice(), &vec![b' '; 0x10_0000], b"\r\n"].concat();
    for _ in 0..6 {
        connection.send(&chunk);
    }
    assert_eq!(connection.answer().status, 413);
    let long = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "pad": "x".repeat(200_000) } });
    assert!(Session::open(&server).say(&long.to_string()).json()["result"].is_object());
}

#[test]
fn a_head_that_does_not_arrive_is_given_up() {
    let server = door_server(&["head=200"]);
    let mut slow = server.connect();
    slow.send(b"POST /mcp HTTP/1.1\r\nHost: x\r\n");
    assert!(slow.is_closed());
    let mut silent = server.connect();
    assert!(silent.is_closed());
}

#[test]
fn a_client_that_sends_in_drops_is_understood() {
    let server = door_server(&[]);
    let mut connection = server.connect();
    for byte in Ask::call(&server, "wire_talks", &json!({ "bytes": 2 })).bytes() {
        connection.send(&[byte]);
    }
    assert_eq!(connection.answer().json()["result"]["structuredContent"]["text"], "xx");
    // And the connection serves another request.
    assert_eq!(connection.ask(&Ask::new(&server, "GET", "/healthz")).text(), "ok\n");
}

#[test]
fn a_client_that_reads_nothing_is_given_up() {
    let server = door_server(&["stall=200"]);
    let before = descriptors(server.id());
    let mut connection = server.connect();
    connection.send(&Ask::call(&server, "wire_talks", &json!({ "bytes": 10_000_000 })).bytes());
    let counted = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
    assert!(eventually(|| counted().contains(r#"tool="wire_talks",code="ok"} 1"#)));
    // The answer is longer than what the system holds for a reader, so it cannot be over yet; being given up is.
    assert!(eventually(|| descriptors(server.id()) <= before));
    let mut read = 0;
    let mut bytes = vec![0; 65_536];
    while let Some(length) = connection.socket().read(&mut bytes).ok().filter(|length| *length > 0) {
        read += length;
    }
    assert!(read < 20_000_000, "{read}");
}

#[test]
fn idle_connections_are_bounded_and_a_new_client_is_served() {
    let server = door_server(&["connections=64"]);
    let mut busy = server.connect();
    busy.send(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 3_000 })).bytes());
    let asked = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
    assert!(eventually(|| asked().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 1"#)));
    let mut idle: Vec<Connection> = Vec::new();
    for number in 0..10_000 {
        idle.push(server.connect());
        // This process has a bound on descriptors as well.
        if idle.len() == 400 {
            idle.drain(..300);
        }
        if number % 1_000 == 0 {
            assert_eq!(Ask::new(&server, "GET", "/healthz").answer(&server).text(), "ok\n");
        }
    }
    assert!(eventually(|| descriptors(server.id()) < 64 + 40), "{} descriptors", descriptors(server.id()));
    assert_eq!(Ask::new(&server, "GET", "/healthz").answer(&server).text(), "ok\n");
    // Who was being served all the while still is.
    assert_eq!(busy.answer().json()["result"]["structuredContent"]["text"], "awake");
}

#[test]
fn clients_that_only_listen_lock_nobody_out() {
    let server = door_server(&["connections=4"]);
    let mut listening: Vec<Connection> = Vec::new();
    for _ in 0..4 {
        let session = Session::open(&server);
        let mut connection = server.connect();
        connection.send(&session.ask("GET").bytes());
        assert_eq!(connection.head().status, 200);
        connection.event();
        listening.push(connection);
    }
    let mut fresh = server.connect();
    assert_eq!(fresh.ask(&Ask::new(&server, "GET", "/healthz")).text(), "ok\n");
    // The first to come has made room, and may come back.
    assert_eq!(listening[0].event(), None);
}

#[test]
fn requests_that_never_arrive_whole_lock_nobody_out() {
    let server = door_server(&["connections=4"]);
    let mut busy = server.connect();
    busy.send(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 2_000 })).bytes());
    let asked = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
    assert!(eventually(|| asked().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 1"#)));
    let begun = Instant::now();
    let mut withheld: Vec<Connection> = Vec::new();
    for _ in 0..8 {
        let mut connection = server.connect();
        connection.send(&Ask::post(&server, "{").with("Content-Length", "1000").bytes());
        withheld.push(connection);
    }
    let answer = Ask::call(&server, "wire_talks", &json!({ "bytes": 2 })).answer(&server);
    assert_eq!(answer.json()["result"]["structuredContent"]["text"], "xx");
    assert!(withheld[0].is_closed());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // A request that is there is not given up for those that are not.
    assert_eq!(busy.answer().json()["result"]["structuredContent"]["text"], "awake");
}

#[test]
fn bodies_that_never_end_take_little_memory_and_keep_nobody_out() {
    const LONG: usize = 4 * 1024 * 1024 - 1;
    let server = door_server(&[]);
    let withheld = vec![b' '; LONG];
    // What is allocated once is allocated now.
    assert_eq!(Ask::post(&server, [&withheld[..], b"1"].concat()).answer(&server).status, 400);
    let before = resident_kibibytes(server.id());
    let declared = Ask::post(&server, "").with("Content-Length", &(LONG + 1).to_string()).bytes();
    let mut stalled: Vec<Connection> = Vec::new();
    for _ in 0..300 {
        let mut connection = server.connect();
        connection.send(&declared);
        connection.send(&withheld);
        stalled.push(connection);
    }
    let after = resident_kibibytes(server.id());
    assert!(after < before + 128 * 1024, "{before} KiB, then {after} KiB for {} bodies", stalled.len());
    let refused = stalled.last_mut().expect("the last").head();
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    // Whoever asks something ordinary, or has a credential, is answered meanwhile.
    let asks = |bytes: usize| {
        let padding = "x".repeat(bytes);
        let params = json!({ "name": "wire_talks", "arguments": { "bytes": 2 }, "_meta": { "pad": padding } });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
    };
    let session = Session::open(&server);
    assert!(session.say(&asks(1_000)).text().contains("xx"));
    assert_eq!(session.say(&asks(1_000_000)).status, 503);
    let known = Ask::call(&server, "wire_who", &json!({ "pad": "x".repeat(1_000_000) }));
    assert_eq!(known.with("Authorization", "Bearer one").answer(&server).status, 200);
    drop(stalled);
    assert!(eventually(|| session.say(&asks(1_000_000)).text().contains("xx")));
}

#[test]
fn whoever_is_not_known_is_told_so_before_the_body_is_read() {
    let server = door_server(&[]);
    let mut connection = server.connect();
    let declared = Ask::post(&server, "").with("Content-Length", "4000000").with("Authorization", "Bearer three");
    connection.send(&declared.bytes());
    assert_eq!(connection.head().status, 401);
}

#[test]
fn a_call_takes_room_until_it_is_answered() {
    let server = door_server(&[]);
    let session = Session::open(&server);
    let mut sleeping: Vec<Connection> = Vec::new();
    let long = |id: u32| {
        let params = json!({
            "name": "wire_sleeps", "arguments": { "milliseconds": 60_000 }, "_meta": { "pad": "x".repeat(3_500_000) }
        });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    // Each is allowed more than this by itself; together they are not, over as many sessions as there may be.
    let sessions: Vec<Session<'_>> = (0..3).map(|_| Session::open(&server)).collect();
    let mut refused = 0;
    for (number, session) in (0..12).zip(sessions.iter().cycle()) {
        let mut connection = server.connect();
        connection.send(&session.post(long(number)).bytes());
        match connection.head().status {
            200 => sleeping.push(connection),
            status => refused += u32::from(status == 503),
        }
    }
    assert!((6..=9).contains(&sleeping.len()) && sleeping.len() + refused as usize == 12, "{}", sleeping.len());
    // The end of what is worked on makes room again.
    drop(sleeping);
    for id in 0..12 {
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        for session in &sessions {
            assert_eq!(session.say(&cancelled.to_string()).status, 202);
        }
    }
    let long =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "_meta": { "pad": "x".repeat(3_500_000) } } });
    assert!(session.say(&long.to_string()).json()["result"].is_object());
}

fn descriptors(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count)
}

#[test]
fn the_end_of_the_server_answers_what_it_has_accepted() {
    let mut server = door_server(&[]);
    let session = Session::open(&server);
    let mut listening = server.connect();
    listening.send(&session.ask("GET").bytes());
    listening.head();
    listening.event();
    let mut alone = server.connect();
    alone.send(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 500 })).bytes());
    let mut in_session = server.connect();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wire_sleeps","arguments":{"milliseconds":500}}}"#;
    in_session.send(&session.post(call).bytes());
    let asked = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
    assert!(eventually(|| asked().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 2"#)));
    let mut idle = server.connect();
    assert_eq!(idle.ask(&Ask::new(&server, "GET", "/readyz")).text(), "ready\n");
    let address = server.address;
    assert_eq!(server.end("-TERM"), Some(143));
    assert_eq!(alone.answer().json()["result"]["structuredContent"]["text"], "awake");
    assert_eq!(in_session.answer().json()["result"]["structuredContent"]["text"], "awake");
    assert_eq!(listening.event(), None);
    assert!(idle.is_closed());
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn the_end_of_the_server_does_not_wait_for_ever() {
    let mut server = door_server(&["drain=200"]);
    let mut alone = server.connect();
    alone.send(&Ask::call(&server, "wire_sleeps", &json!({ "milliseconds": 60_000 })).bytes());
    let asked = || Ask::new(&server, "GET", "/metrics").answer(&server).text();
    assert!(eventually(|| asked().contains(r#"loopover_tool_calls_running{tool="wire_sleeps"} 1"#)));
    let begun = Instant::now();
    assert_eq!(server.end("-INT"), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(alone.is_closed());
}
