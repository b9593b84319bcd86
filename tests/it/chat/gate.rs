//! The link lets one browser in, once; nobody else learns anything or makes anything happen.

use serde_json::json;

use super::server::{Miner, send};

const QUESTION: &[u8] = br#"{"messages":[{"role":"user","content":"hi"}]}"#;
const PLAN: &str = "init; text fine; result";

#[test]
fn nobody_without_the_cookie_is_answered_on_any_route() {
    let miner = Miner::with(PLAN);
    let json = [("Content-Type", "application/json")];
    for line in [
        "POST /api/chat",
        "GET /api/chat",
        "POST /api/chat?token=x",
        "POST /api//chat",
        "GET /api/state",
        "DELETE /api/later",
        "OPTIONS /api/chat",
        "GET /no/such/page",
        "POST /",
        "POST /__auth/bootstrap",
    ] {
        let answer = miner.ask(line, &json, QUESTION);
        assert_eq!(answer.status, 401, "{line}: {answer:?}");
        assert!(answer.error().starts_with("unauthenticated: "), "{answer:?}");
        assert_eq!(answer.header("set-cookie"), None, "{line}");
    }
    assert!(!miner.has_started());
}

#[test]
fn a_stranger_is_refused_before_the_body_is_read() {
    let miner = Miner::with(PLAN);
    let headers =
        [("Host", miner.address.as_str()), ("Content-Length", "900000"), ("Content-Type", "application/json")];
    // Not a byte of the body is ever sent.
    let mut stream = send(&miner.address, "POST /api/chat", &headers, b"");
    assert_eq!(stream.head().status, 401);
}

#[test]
fn the_link_works_once_and_leaves_no_trace_in_the_address() {
    let miner = Miner::with(PLAN);
    let token = miner.link.split("token=").nth(1).unwrap().to_owned();
    assert!(token.len() == 48 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let path = |query: &str| format!("GET /__auth/bootstrap{query}");
    for query in [
        String::new(),
        "?token=".to_owned(),
        format!("?token={}", "0".repeat(48)),
        format!("?token={token}&token={token}"),
    ] {
        let answer = miner.ask(&path(&query), &[], b"");
        assert_eq!((answer.status, answer.body.as_str()), (404, "Not Found"), "{query}");
        assert_eq!(answer.header("set-cookie"), None);
    }
    // The token itself means something in one place only, also while it is still good.
    for (line, status) in [("GET /", 200), ("GET /api/state", 401), ("POST /api/chat", 401), ("GET /__auth", 401)] {
        let answer = miner.ask(&format!("{line}?token={token}"), &[("Content-Type", "application/json")], QUESTION);
        assert_eq!((answer.status, answer.header("set-cookie")), (status, None), "{line}");
        assert!(!answer.body.contains(&token) && answer.header("location").is_none(), "{line}: {answer:?}");
    }
    assert!(!miner.has_started());
    let seen = miner.ask(&format!("HEAD /__auth/bootstrap?token={token}"), &[], b"");
    assert_eq!(seen.status, 404, "whoever looks ahead does not use it up");

    let answer = miner.ask(&path(&format!("?token={token}")), &[], b"");
    assert_eq!((answer.status, answer.header("location")), (302, Some("/")));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let cookie = answer.header("set-cookie").unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/");
    let (name, value) = pair.split_once('=').unwrap();
    assert_eq!(name, format!("loopover_miner_ui_token_{}", miner.address.split(':').nth(1).unwrap()));
    assert!(value.len() == 48 && value != token);
    assert_eq!(miner.ask(&path(&format!("?token={token}")), &[], b"").status, 404, "it works once");

    let said = miner.said.lock().unwrap();
    assert_eq!(said.matches(&token).count(), 1, "the link is printed once: {said}");
    assert!(!said.contains(value), "the cookie is printed nowhere");
}

#[test]
fn a_cookie_that_is_not_quite_right_is_wrong() {
    let other = Miner::with(PLAN).entered();
    let miner = Miner::with(PLAN).entered();
    let ask = |cookie: &str| miner.ask("GET /api/x", &[("Cookie", cookie)], b"").status;
    assert_eq!(ask(&miner.cookie), 404, "a route that is not there is behind the gate like all others");
    let (name, value) = miner.cookie.split_once('=').unwrap();
    for cookie in [
        String::new(),
        other.cookie.clone(),
        format!("{name}={}", other.cookie.split_once('=').unwrap().1),
        format!("loopover_miner_ui_token={value}"),
        format!("{name}={}", &value[1..]),
        format!("{name}={value}; {name}={value}"),
        format!("{name}=x; {name}={value}"),
        format!("{name}={}", "x".repeat(64_000)),
    ] {
        assert_eq!(ask(&cookie), 401, "{}", &cookie[..cookie.len().min(80)]);
    }
    // Cookies of other servers on this machine, which may be anything.
    for cookies in [
        vec![format!("x=é; {}", miner.cookie)],
        vec![format!("{}; é; =;", miner.cookie)],
        vec!["x=é".to_owned(), miner.cookie.clone(), "y=z".to_owned()],
    ] {
        let headers: Vec<(&str, &str)> = cookies.iter().map(|cookie| ("Cookie", cookie.as_str())).collect();
        assert_eq!(miner.ask("GET /api/x", &headers, b"").status, 404, "{cookies:?}");
    }
    let known = miner.ask("GET /", &[("Cookie", &format!("a=b; junk; {}", miner.cookie))], b"");
    assert_eq!(known.status, 200);
    assert!(known.header("set-cookie").unwrap().starts_with(&miner.cookie), "it is given again");
    assert_eq!(miner.ask("GET /api/x?token=y", &[("Cookie", &miner.cookie)], b"").status, 404);
}

#[test]
fn another_host_is_refused_everywhere() {
    let miner = Miner::with(PLAN).entered();
    let path = &miner.link[miner.link.find("/__auth").unwrap()..];
    for line in ["GET /", "GET /api/state", "POST /api/chat", "GET /nothing", &format!("GET {path}")] {
        for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"] {
            let headers = [("Host", host), ("Cookie", miner.cookie.as_str()), ("Content-Type", "application/json")];
            let answer = send(&miner.address, line, &headers, QUESTION).answer();
            assert_eq!(answer.status, 403, "{line} at {host}");
            assert!(answer.error().starts_with("wrong_host: "));
            assert!(!answer.error().contains("--"), "a flag that this command has not: {}", answer.error());
        }
    }
    assert!(!miner.has_started());
}

#[test]
fn a_question_comes_as_json_from_a_page_of_this_server() {
    let miner = Miner::with(PLAN).entered();
    let own = format!("http://{}", miner.address);
    let cookie = ("Cookie", miner.cookie.as_str());
    let json = ("Content-Type", "application/json");
    let ask = |headers: &[(&str, &str)]| miner.ask("POST /api/chat", headers, QUESTION);
    let neighbour = "http://127.0.0.1:1";
    for (headers, status, code) in [
        (vec![cookie, ("Content-Type", "text/plain"), ("Origin", "https://evil.example")], 403, "wrong_origin"),
        (vec![cookie, ("Origin", &own)], 415, "unsupported_media_type"),
        (vec![cookie, json, ("Origin", "https://evil.example")], 403, "wrong_origin"),
        (vec![cookie, json, ("Origin", neighbour)], 403, "wrong_origin"),
        (vec![cookie, json, ("Origin", "null")], 403, "wrong_origin"),
        (vec![cookie, json, ("Sec-Fetch-Site", "same-site")], 403, "wrong_origin"),
        (vec![cookie, json, ("Origin", &own), ("Sec-Fetch-Site", "cross-site")], 403, "wrong_origin"),
        (vec![cookie, json, ("Origin", &own), ("Sec-Fetch-Site", "same-site")], 403, "wrong_origin"),
        (vec![cookie, json], 403, "wrong_origin"),
    ] {
        let answer = ask(&headers);
        assert_eq!(answer.status, status, "{headers:?}");
        assert!(answer.error().starts_with(code), "{answer:?}");
    }
    assert!(!miner.has_started());
    for headers in [vec![cookie, json, ("Origin", own.as_str())], vec![cookie, json, ("Sec-Fetch-Site", "same-origin")]]
    {
        assert_eq!(ask(&headers).status, 200, "{headers:?}");
    }
}

#[test]
fn the_page_says_what_runs_here_and_to_whom_it_belongs() {
    let miner = Miner::start(
        PLAN,
        &[],
        &[("MINER_CODING_AGENT_PROVIDER", "claude-cli"), ("MINER_CODING_AGENT_CLAUDE_MODEL", "a<b")],
    )
    .entered();
    let stranger = miner.ask("GET /", &[], b"");
    assert_eq!((stranger.status, stranger.header("set-cookie")), (200, None));
    assert!(
        !stranger.body.contains("loopover_miner_ping") && !stranger.body.contains("claude-cli"),
        "{}",
        stranger.body
    );
    let known = miner.ask("GET /", &[("Cookie", &miner.cookie)], b"");
    assert_eq!(known.status, 200);
    assert_eq!(known.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(known.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert_eq!(known.header("cache-control"), Some("no-store"));
    for part in [
        "POST /api/chat",
        "claude-cli",
        "a&lt;b",
        "120000 ms",
        "off: the configured coding agent is claude-cli",
        "on the search path",
        "claim-ledger",
    ] {
        assert!(known.body.contains(part), "{part}: {}", known.body);
    }
    for tool in crate::miner::state::TOOLS {
        assert!(known.body.contains(tool), "{tool}");
    }
    let on = Miner::with(PLAN).entered();
    assert!(on.ask("GET /", &[("Cookie", &on.cookie)], b"").body.contains("<td>on</td>"));
}

#[test]
fn other_methods_are_told_which_would_be_right() {
    let miner = Miner::with(PLAN).entered();
    let own = format!("http://{}", miner.address);
    let headers = [("Cookie", miner.cookie.as_str()), ("Origin", own.as_str()), ("Content-Type", "application/json")];
    for (line, allowed) in [("GET /api/chat", "POST"), ("PUT /api/chat", "POST"), ("POST /", "GET, HEAD")] {
        let answer = miner.ask(line, &headers, b"{}");
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{line}");
        assert!(answer.error().starts_with("method_not_allowed: "));
    }
    assert_eq!(miner.ask("GET /api/chat/", &headers, b"").status, 404);
    let with_query = miner.ask("POST /api/chat?x=1", &headers, QUESTION);
    assert_eq!(with_query.status, 200, "a query changes nothing");
    assert_eq!(json!(with_query.header("content-type")), "text/event-stream");
}

#[test]
fn a_server_whose_link_cannot_be_told_does_not_stay() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(crate::wire::BINARY);
    let output = command.args(["miner", "serve", "--bind", "127.0.0.1:0"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the link cannot be told"));
}

#[test]
fn it_listens_on_the_loopback_alone() {
    for (address, part) in [("0.0.0.0:0", "loopback"), ("192.0.2.1:0", "loopback")] {
        let output = std::process::Command::new(crate::wire::BINARY)
            .args(["miner", "serve", "--bind", address])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(part));
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output =
        std::process::Command::new(crate::wire::BINARY).args(["miner", "serve", "--bind", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be listened on"));
    for time in ["0", "-1", "soon", "1e9"] {
        let arguments = ["miner", "serve", "--chat-time", time];
        assert_eq!(
            std::process::Command::new(crate::wire::BINARY).args(arguments).output().unwrap().status.code(),
            Some(2),
            "{time}"
        );
    }
    for number in ["0", "65", "18446744073709551615", "-1", "few"] {
        let arguments = ["miner", "serve", "--most-chats", number];
        let output = std::process::Command::new(crate::wire::BINARY).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{number}: {output:?}");
    }
}
