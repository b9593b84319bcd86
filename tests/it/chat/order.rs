//! What is asked of a request, and in which order: each fault is told before whatever comes behind it.

use contract_tests::http_client::Connection;

use super::server::{Answer, Miner, kinds, send};

const QUESTION: &str = r#"{"messages":[{"role":"user","content":"hi"}]}"#;
const PLAN: &str = "init; text fine; result";

fn ask(miner: &Miner, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let headers: Vec<_> = headers.iter().copied().chain([("Connection", "close")]).collect();
    send(&miner.address, line, &headers, body).answer()
}

/// A question as the server's own page sends it, with other headers in place of those of the same name.
fn ask_with(miner: &Miner, others: &[(&str, &str)]) -> Answer {
    let own = miner.own_headers();
    let own = own.iter().map(|(name, value)| (*name, value.as_str()));
    let kept = own.filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    let headers: Vec<(&str, &str)> = kept.chain(others.iter().copied()).collect();
    ask(miner, "POST /api/chat", &headers, QUESTION.as_bytes())
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, part: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.error().starts_with(&format!("{code}: ")) && answer.error().contains(part), "{answer:?}");
}

#[test]
fn faults_are_told_in_this_order() {
    let miner = Miner::with(PLAN).entered();
    let own = format!("http://{}", miner.address);
    let too_long = " ".repeat(1_100_000);
    // Everything is wrong at first; then one thing after another is mended.
    let mut line = "DELETE /api/later";
    let mut body = too_long.as_str();
    let mut headers = vec![
        ("Host", "evil.example"),
        ("Cookie", "a=b"),
        ("Origin", "https://evil.example"),
        ("Content-Type", "text/plain"),
        ("Content-Encoding", "gzip"),
    ];
    refused(&ask(&miner, line, &headers, body.as_bytes()), 403, "wrong_host", "");
    headers[0].1 = &miner.address;
    refused(&ask(&miner, line, &headers, body.as_bytes()), 401, "unauthenticated", "link");
    headers[1].1 = &miner.cookie;
    refused(&ask(&miner, line, &headers, body.as_bytes()), 404, "not_found", "");
    line = "DELETE /api/chat";
    refused(&ask(&miner, line, &headers, body.as_bytes()), 405, "method_not_allowed", "POST");
    line = "POST /api/chat";
    refused(&ask(&miner, line, &headers, body.as_bytes()), 403, "wrong_origin", "");
    headers[2].1 = &own;
    refused(&ask(&miner, line, &headers, body.as_bytes()), 415, "unsupported_media_type", "application/json");
    headers[3].1 = "application/json";
    refused(&ask(&miner, line, &headers, body.as_bytes()), 415, "unsupported_media_type", "identity");
    headers[4].1 = "identity";
    refused(&ask(&miner, line, &headers, body.as_bytes()), 413, "payload_too_large", "1048576");
    body = "{}";
    refused(&ask(&miner, line, &headers, body.as_bytes()), 400, "invalid_messages", "`messages`");
    assert!(!miner.has_started());
    let mut stream = send(&miner.address, line, &headers, QUESTION.as_bytes());
    assert_eq!(stream.head().status, 200);
    assert_eq!(kinds(&stream.rest()), ["text", "done"]);
}

#[test]
fn another_method_is_told_which_is_right_whatever_else_the_request_has() {
    let miner = Miner::with(PLAN).entered();
    let host = ("Host", miner.address.as_str());
    let cookie = ("Cookie", miner.cookie.as_str());
    for method in ["OPTIONS", "DELETE", "GET", "HEAD", "PUT", "PATCH", "TRACE", "BREW", "post"] {
        let line = format!("{method} /api/chat");
        for more in [None, Some(("Origin", "https://evil.example")), Some(("Content-Type", "text/plain"))] {
            let headers: Vec<_> = [host, cookie].into_iter().chain(more).collect();
            let answer = ask(&miner, &line, &headers, b"");
            assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")), "{line} {more:?}");
            assert!(method == "HEAD" || answer.error() == "method_not_allowed: this address takes POST", "{answer:?}");
        }
        assert_eq!(ask(&miner, &line, &[host], b"").status, 401, "{line}");
        assert_eq!(ask(&miner, &line, &[("Host", "evil.example"), cookie], b"").status, 403, "{line}");
    }
    for path in ["/", "/__auth/bootstrap"] {
        let answer = ask(&miner, &format!("DELETE {path}"), &[host, cookie], b"");
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
    for line in ["POST /api/chat/", "POST /api/Chat", "POST //api/chat", "POST /api/%63hat", "OPTIONS *", "POST /api"] {
        refused(&ask(&miner, line, &[host, cookie], b""), 404, "not_found", "");
    }
    assert!(!miner.has_started());
}

#[test]
fn an_origin_is_the_servers_own_to_the_letter() {
    let miner = Miner::with(PLAN).entered();
    let port = miner.address.split(':').nth(1).unwrap();
    for origin in [
        format!("https://127.0.0.1:{port}"),
        "null".to_owned(),
        String::new(),
        "http://127.0.0.1".to_owned(),
        "http://127.0.0.1:1".to_owned(),
        format!("http://127.0.0.1:0{port}"),
        format!("http://127.0.0.1.:{port}"),
        format!("http://user@127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}@evil.example"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("ws://127.0.0.1:{port}"),
        format!("127.0.0.1:{port}"),
        format!("http://127.1:{port}"),
        format!("http://localhost:{port}"),
        format!("http://[::1]:{port}"),
        format!("http://127.0.0.1:{port} http://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}, null"),
    ] {
        refused(&ask_with(&miner, &[("Origin", &origin)]), 403, "wrong_origin", "only the server's own");
        // What a browser says beside it does not make it better.
        let both = [("Origin", origin.as_str()), ("Sec-Fetch-Site", "same-origin")];
        refused(&ask_with(&miner, &both), 403, "wrong_origin", "");
    }
    let localhost = format!("localhost:{port}");
    for (host, origin, status) in [
        (&localhost, format!("http://{localhost}"), 200),
        (&localhost.to_uppercase(), format!("http://{localhost}"), 200),
        (&localhost, format!("http://LOCALHOST:{port}"), 403),
        (&localhost, format!("https://{localhost}"), 403),
        (&localhost, format!("http://localhost.:{port}"), 403),
        (&localhost, format!("http://127.0.0.1:{port}"), 403),
    ] {
        assert_eq!(ask_with(&miner, &[("Host", host), ("Origin", &origin)]).status, status, "{host} {origin}");
    }
}

#[test]
fn what_says_whose_a_request_is_stands_there_once() {
    let miner = Miner::with(PLAN).entered();
    let own = format!("http://{}", miner.address);
    for second in [own.as_str(), "null", "https://evil.example"] {
        for pair in [[("Origin", own.as_str()), ("Origin", second)], [("Origin", second), ("Origin", own.as_str())]] {
            refused(&ask_with(&miner, &pair), 403, "wrong_origin", "");
        }
    }
    let sites = [("Origin", own.as_str()), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")];
    refused(&ask_with(&miner, &sites), 403, "wrong_origin", "");
    for second in [miner.address.as_str(), "evil.example"] {
        for pair in [[("Host", miner.address.as_str()), ("Host", second)], [("Host", second), ("Host", &miner.address)]]
        {
            refused(&ask_with(&miner, &pair), 400, "bad_request", "`Host`");
        }
    }
    let nobodys = ask(&miner, "POST /api/chat", &[("Cookie", miner.cookie.as_str())], QUESTION.as_bytes());
    refused(&nobodys, 400, "bad_request", "`Host`");
    let foreign = send(
        &miner.address,
        "GET http://evil.example/",
        &[("Host", miner.address.as_str()), ("Cookie", miner.cookie.as_str())],
        b"",
    );
    refused(&foreign.answer(), 403, "wrong_host", "");
    assert!(!miner.has_started());
}

#[test]
fn a_question_is_json_in_utf_8_and_not_packed() {
    let miner = Miner::with(PLAN).entered();
    let json = ("Content-Type", "application/json");
    for (headers, part) in [
        (vec![json, json], "once"),
        (vec![json, ("Content-Type", "text/plain")], "once"),
        (vec![("Content-Type", "application/json, application/json")], "application/json"),
        (vec![("Content-Type", "text/json")], "application/json"),
        (vec![("Content-Type", "application/json; charset=utf-16")], "UTF-8"),
        (vec![("Content-Type", "application/json; charset=\"latin1\"")], "UTF-8"),
        (vec![("Content-Type", "application/json;charset=utf-8;charset=utf-16")], "UTF-8"),
        (vec![json, ("Content-Encoding", "gzip")], "identity"),
        (vec![json, ("Content-Encoding", "deflate, identity")], "identity"),
        (vec![json, ("Content-Encoding", "identity"), ("Content-Encoding", "br")], "identity"),
    ] {
        refused(&ask_with(&miner, &headers), 415, "unsupported_media_type", part);
    }
    assert!(!miner.has_started());
    for headers in [
        vec![("Content-Type", "APPLICATION/JSON; charset=UTF-8")],
        vec![("Content-Type", "application/json; charset=\"utf-8\""), ("Content-Encoding", "Identity")],
    ] {
        assert_eq!(ask_with(&miner, &headers).status, 200, "{headers:?}");
    }
}

#[test]
fn a_body_has_one_end() {
    let miner = Miner::with(PLAN).entered();
    let own: String = miner.own_headers().iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let chunked = format!("{:x}\r\n{QUESTION}\r\n0\r\n\r\n", QUESTION.len());
    let next = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", miner.address);
    let open = |framing: &str| {
        let mut connection = Connection::to(miner.address.parse().unwrap());
        connection.send(format!("POST /api/chat HTTP/1.1\r\n{own}{framing}\r\n{chunked}{next}").as_bytes());
        connection
    };
    for framing in [
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: +5\r\n",
    ] {
        let mut connection = open(framing);
        assert_eq!(connection.answer().status, 400, "{framing:?}");
        assert!(connection.is_closed(), "{framing:?}");
    }
    assert!(!miner.has_started());
    let length = QUESTION.len();
    for framing in [
        format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
        format!("Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n"),
        "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n".to_owned(),
    ] {
        let mut connection = open(&framing);
        let answer = connection.answer();
        assert_eq!(answer.status, 200, "{framing:?}: {}", answer.text());
        assert!(answer.text().ends_with("data: {\"type\":\"done\"}\n\n"), "{}", answer.text());
        // The chunks were read, and what follows them is nobody's request.
        assert!(connection.is_closed(), "{framing:?}");
    }
}
