//! Who is let in. Every test here writes its own bytes: a client that mends a forged `Host` would pass against no guard at all.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use contract_tests::http_client::{Ask, HttpServer, initialize};
use serde_json::json;

use super::door_server;

#[track_caller]
fn check(server: &HttpServer, change: impl FnOnce(Ask) -> Ask, status: u16) {
    let answer = change(Ask::post(server, initialize("2025-11-25"))).answer(server);
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("mcp-session-id").is_some(), status == 200);
    if status != 200 {
        assert_eq!(answer.json()["id"], json!(null));
        assert_eq!(answer.json()["error"]["code"], -32600);
    }
}

#[test]
fn a_forged_host_really_goes_over_the_wire() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let seen = thread::spawn(move || {
        let mut bytes = [0; 1024];
        let length = listener.accept().unwrap().0.read(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    });
    let server = door_server(&[]);
    let bytes = Ask::new(&server, "GET", "/mcp").with_other("Host", "evil.example").bytes();
    std::net::TcpStream::connect(address).unwrap().write_all(&bytes).unwrap();
    assert!(seen.join().unwrap().contains("\r\nHost: evil.example\r\n"));
}

#[test]
fn a_packed_body_is_not_taken_for_a_plain_one() {
    let server = door_server(&[]);
    check(&server, |ask| ask.with("Content-Encoding", "Identity"), 200);
    for encoding in ["gzip", "identity, gzip", "br"] {
        check(&server, |ask| ask.with("Content-Encoding", encoding), 415);
    }
}

#[test]
fn only_the_servers_own_names_are_answered() {
    let server = door_server(&[]);
    let port = server.address.port();
    for host in [format!("127.0.0.1:{port}"), format!("LocalHost:{port}"), format!("[::1]:{port}")] {
        check(&server, |ask| ask.with_other("Host", &host), 200);
    }
    for host in [
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost:{}", port ^ 1),
        "localhost".to_owned(),
        format!("user@localhost:{port}"),
        format!("localhost:0{port}"),
    ] {
        check(&server, |ask| ask.with_other("Host", &host), 403);
    }
    check(
        &server,
        |ask| ask.without("Host").with("X-Forwarded-For", "127.0.0.1").with("X-Forwarded-Host", "localhost"),
        400,
    );
    check(&server, |ask| ask.with("Host", &server.address.to_string()), 400);
}

#[test]
fn a_request_without_a_host_is_let_in_nowhere_also_in_the_oldest_form() {
    let server = door_server(&[]);
    for path in ["/mcp", "/healthz", "/metrics", "/.well-known/agent-tools.json", "/nowhere"] {
        let mut connection = server.connect();
        connection.send(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes());
        assert_eq!(connection.head().status, 400, "{path}");
        let mut connection = server.connect();
        connection.send(format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n").as_bytes());
        assert_eq!(connection.head().status, 403, "{path}");
        let mut connection = server.connect();
        let host = server.address;
        connection.send(format!("GET http://evil.example{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(connection.head().status, 403, "{path}");
    }
}

#[test]
fn web_pages_of_strangers_are_kept_out() {
    let server = door_server(&[]);
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "http://localhost"] {
        check(&server, |ask| ask.with("Origin", origin), 403);
    }
    for site in ["cross-site", "same-site"] {
        check(&server, |ask| ask.with("Sec-Fetch-Site", site), 403);
    }
    check(&server, |ask| ask.with("Origin", &format!("http://{}", server.address)), 200);
    check(&server, |ask| ask.with("Sec-Fetch-Site", "none"), 200);
}

#[test]
fn a_wrong_credential_is_not_taken_for_none() {
    let server = door_server(&[]);
    let who = Ask::call(&server, "wire_who", &json!({}));
    let said = |ask: &Ask| ask.answer(&server).json()["result"]["structuredContent"]["text"].clone();
    assert_eq!(said(&who), "");
    assert_eq!(said(&who.clone().with("Authorization", "Bearer one")), "one");
    for credential in ["Bearer three", "Basic b25l", "one", ""] {
        let answer = who.clone().with("Authorization", credential).answer(&server);
        assert_eq!(answer.status, 401, "{credential}");
        assert!(answer.header("www-authenticate").is_some_and(|challenge| challenge.starts_with("Bearer ")));
        assert!(answer.json()["error"]["message"].as_str().is_some_and(|message| message.contains("Bearer TOKEN")));
        assert!(credential.len() < 5 || !answer.text().contains(credential));
    }
    assert_eq!(who.clone().with("Authorization", "Bearer nobody-knows").answer(&server).status, 503);
    let twice = who.with("Authorization", "Bearer one").with("Authorization", "Bearer two").answer(&server);
    assert_eq!(twice.status, 400);
    assert!(!server.complaints().contains("three"));
}
