//! `loopover serve` itself, over the invented repository: what it prints, who sees which tools, and the same answers as at
//! the prompt.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use contract_tests::http_client::{Answer, Ask, HttpServer, Session, initialize};
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");
const NOW: &str = "1767225600";

/// The calls that the demonstration answers.
fn calls() -> [(&'static str, Value); 4] {
    [
        ("loopover_get_repo_context", json!({ "owner": "acme", "repo": "widgets" })),
        ("loopover_get_pr_reviewability", json!({ "owner": "acme", "repo": "widgets", "number": 101 })),
        (
            "loopover_predict_gate",
            json!({ "owner": "acme", "repo": "widgets", "login": "demo", "title": "Fix the gears" }),
        ),
        ("loopover_preflight_pr", json!({ "repoFullName": "acme/widgets", "title": "Fix the gears" })),
    ]
}

fn program() -> Command {
    let mut command = Command::new(BINARY);
    command.args(["--now", NOW]).env_clear().current_dir(std::env::temp_dir());
    command
}

fn demo(change: impl FnOnce(&mut Command)) -> HttpServer {
    let mut command = program();
    command.args(["serve", "--demo", "--bind", "127.0.0.1:0"]);
    change(&mut command);
    HttpServer::start(command, 3)
}

fn token(server: &HttpServer) -> String {
    format!("Bearer {}", server.said[1])
}

fn listed(server: &HttpServer, change: impl FnOnce(Ask) -> Ask) -> Vec<String> {
    let list = change(Ask::alone(server, "tools/list", json!({}))).answer(server).json();
    let tools = list["result"]["tools"].as_array().unwrap_or_else(|| panic!("{list}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_demonstration_prints_its_address_its_token_and_a_call() {
    let server = demo(|_| {});
    let [url, token, call] = server.said.as_slice() else { panic!("{:?}", server.said) };
    assert_eq!(*url, format!("http://{}/mcp", server.address));
    let digits = token.strip_prefix("gts_").unwrap();
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    assert!(call.starts_with("curl -sS http://127.0.0.1:") && call.contains(token.as_str()));
    assert!(!server.complaints().contains(token.as_str()));
    // What the line sends is answered.
    let body = call.split(" -d '").nth(1).and_then(|rest| rest.strip_suffix('\'')).unwrap();
    let mut ask = Ask::post(&server, body);
    for header in call.split(" -H '").skip(1) {
        let (name, value) = header.split('\'').next().unwrap().split_once(": ").unwrap();
        ask = ask.with_other(name, value);
    }
    let answer = ask.with_other("Accept", "*/*").answer(&server).json();
    assert_eq!(answer["result"]["structuredContent"]["repoFullName"], "acme/widgets", "{answer}");
}

#[test]
fn the_prompt_and_both_kinds_of_conversation_give_the_same_bytes() {
    let server = demo(|_| {});
    let token = token(&server);
    let session = Session::open_with(&server, |ask| ask.with("Authorization", &token));
    for (tool, arguments) in calls() {
        let prompt = program().args(["tools", "call", tool, &arguments.to_string(), "--demo"]).output().unwrap();
        let prompt: Value = serde_json::from_slice(&prompt.stdout)
            .unwrap_or_else(|_| panic!("{tool}: {}", String::from_utf8_lossy(&prompt.stderr)));
        let alone = Ask::call(&server, tool, &arguments).with("Authorization", &token).answer(&server).json();
        let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
        let in_session = session.post(frame.to_string()).with("Authorization", &token).answer(&server).json();
        let text = prompt.to_string();
        assert_eq!(alone["result"]["structuredContent"].to_string(), text, "{tool}");
        assert_eq!(in_session["result"]["structuredContent"].to_string(), text, "{tool}");
        assert_eq!(in_session["result"]["content"][0]["text"], text, "{tool}");
    }
}

#[test]
fn what_is_listed_is_what_may_be_called() {
    let server = demo(|_| {});
    let token = token(&server);
    let anonymous = listed(&server, |ask| ask);
    assert!(!anonymous.iter().any(|tool| tool == "loopover_get_repo_context"), "{anonymous:?}");
    let mut all = listed(&server, |ask| ask.with("Authorization", &token));
    for (tool, arguments) in calls() {
        assert!(all.iter().any(|listed| listed == tool), "{all:?}");
        let refused = Ask::call(&server, tool, &arguments).answer(&server).json();
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert!(
            refused["result"]["content"][0]["text"]
                .as_str()
                .is_some_and(|text| text.contains(r#""code":"unauthorized""#))
        );
    }
    all.retain(|tool| tool.contains("local") || tool.contains("miner") || tool.contains("admin"));
    assert_eq!(all, Vec::<String>::new());
    assert_eq!(
        Ask::alone(&server, "ping", json!({})).with("Authorization", "Bearer gts_0").answer(&server).status,
        401
    );
    let index = Ask::new(&server, "GET", "/.well-known/agent-tools.json").answer(&server).json();
    assert_eq!(index["tools"], json!(anonymous));
}

#[test]
fn administrative_tools_exist_where_they_are_enabled() {
    let admin = ("loopover_admin_get_config", json!({ "scope": "global" }));
    let call = |server: &HttpServer| {
        Ask::call(server, admin.0, &admin.1).with("Authorization", &token(server)).answer(server).json()
    };
    assert_eq!(call(&demo(|_| {}))["error"]["code"], -32602);
    let enabled = demo(|command| {
        command.env("LOOPOVER_MCP_ADMIN_ENABLED", "true");
    });
    let refused = call(&enabled);
    assert!(
        refused["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("forbidden")),
        "{refused}"
    );
    // Whoever has no credential is not told to make a session, which would not open it.
    let anonymous = Ask::call(&enabled, admin.0, &admin.1).answer(&enabled).json();
    let text = anonymous["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("unauthorized") && text.contains("administrator") && !text.contains("session create"),
        "{text}"
    );
    let near = Ask::call(&enabled, "loopover_admin_get_confi", &admin.1).answer(&enabled).text();
    assert!(near.contains("unknown tool") && !near.contains(admin.0), "{near}");
}

#[test]
fn pages_that_the_operator_allows_may_ask_and_no_other_hears_anything() {
    let server = demo(|command| {
        command.args(["--allowed-origin", "https://app.example"]);
    });
    let token = token(&server);
    let preflight = |origin: &str, path: &str| {
        let asked =
            "authorization, content-type, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name";
        let ask = Ask::new(&server, "OPTIONS", path).with("Access-Control-Request-Method", "POST");
        ask.with("Access-Control-Request-Headers", asked).with("Origin", origin).answer(&server)
    };
    for path in ["/mcp", "/.well-known/agent-tools.json"] {
        let allowed = preflight("https://app.example", path);
        assert_eq!(allowed.status, 200);
        assert_eq!(allowed.header("access-control-allow-origin"), Some("https://app.example"));
        assert_eq!(allowed.header("access-control-allow-methods"), Some("GET,POST,DELETE"));
        assert_eq!(allowed.header("access-control-allow-credentials"), None);
        assert!(allowed.header("vary").is_some_and(|vary| vary.contains("origin")));
        let headers = allowed.header("access-control-allow-headers").unwrap();
        for header in [
            "authorization",
            "content-type",
            "mcp-protocol-version",
            "mcp-session-id",
            "last-event-id",
            "mcp-method",
            "mcp-name",
        ] {
            assert!(headers.split(',').any(|allowed| allowed == header), "{header}: {headers}");
        }
        for other in
            ["https://evil.example", "https://app.example:1", "http://app.example", "https://app.example.evil", "null"]
        {
            let refused = preflight(other, path);
            assert_eq!((refused.status, says_cors(&refused)), (403, false), "{other}");
        }
    }
    // What is asked then, whatever comes of it, can be read by the page.
    let (tool, arguments) = calls()[0].clone();
    let call = Ask::call(&server, tool, &arguments);
    let from_page = call.clone().with("Origin", "https://app.example").with("Sec-Fetch-Site", "cross-site");
    for (credential, status) in [(token.as_str(), 200), ("Bearer nobody", 401)] {
        let answer = from_page.clone().with("Authorization", credential).answer(&server);
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example"));
        let exposed = answer.header("access-control-expose-headers").unwrap();
        assert!(exposed.contains("mcp-session-id") && exposed.contains("www-authenticate"), "{exposed}");
    }
    let opened = Ask::post(&server, initialize("2025-11-25")).with("Origin", "https://app.example").answer(&server);
    assert!(opened.header("mcp-session-id").is_some() && says_cors(&opened));
    // Whoever is no such page is answered as ever.
    let own = format!("http://{}", server.address);
    for answer in [call.clone().answer(&server), call.with("Origin", &own).answer(&server)] {
        assert_eq!((answer.status, says_cors(&answer)), (200, false));
    }
    let options = Ask::new(&server, "OPTIONS", "/mcp").with("Access-Control-Request-Method", "POST").answer(&server);
    assert_eq!((options.status, says_cors(&options)), (405, false));
}

fn says_cors(answer: &Answer) -> bool {
    let names = ["origin", "methods", "headers", "credentials"].map(|name| format!("access-control-allow-{name}"));
    names.iter().any(|name| answer.header(name).is_some()) || answer.header("access-control-expose-headers").is_some()
}

#[test]
fn behind_a_proxy_the_server_says_what_its_operator_says() {
    let index = |server: &HttpServer, host: Option<&str>| {
        let ask = Ask::new(server, "GET", "/.well-known/agent-tools.json").with("X-Forwarded-Proto", "https");
        let ask = ask.with("X-Forwarded-Host", "evil.example").with("Forwarded", "proto=https;host=evil.example");
        host.map_or(ask.clone(), |host| ask.with_other("Host", host)).answer(server)
    };
    let endpoint = |server: &HttpServer, host| index(server, host).json()["executor"]["endpoint"].clone();
    let plain = demo(|_| {});
    assert_eq!(endpoint(&plain, None), format!("http://{}/mcp", plain.address));
    assert_eq!(index(&plain, Some("tools.example")).status, 403);
    let behind = demo(|command| {
        command.args(["--public-url", "https://tools.example/loopover/"]);
    });
    // A proxy passes its own name on, or asks by the server's.
    for host in [None, Some("tools.example")] {
        assert_eq!(endpoint(&behind, host), "https://tools.example/loopover/mcp");
    }
    assert_eq!(behind.said[0], format!("http://{}/mcp", behind.address));
}

#[test]
fn a_store_that_is_not_there_is_not_made_and_served_as_soon_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge.sqlite3");
    let mut command = program();
    command.args(["serve", "--bind", "127.0.0.1:0", "--store"]).arg(&store).env("LOOPOVER_API_TOKEN", "a-secret");
    let mut server = HttpServer::start(command, 1);
    let (tool, arguments) = calls()[0].clone();
    let call = Ask::call(&server, tool, &arguments);
    let said = || {
        let answer = call.clone().with("Authorization", "Bearer a-secret").answer(&server).json();
        answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    let status = |path| Ask::new(&server, "GET", path).answer(&server).status;
    assert!(said().contains("store_unavailable"), "{}", said());
    assert_eq!((status("/healthz"), status("/readyz"), store.exists()), (200, 503, false));
    let made = program().args(["session", "create", "kim", "--store"]).arg(&store).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(said().contains("not_found"), "{}", said());
    assert_eq!(status("/readyz"), 200);
    assert_eq!(call.clone().with("Authorization", "Bearer another").answer(&server).status, 401);
    assert!(!server.complaints().contains("a-secret"));
    assert_eq!(server.end("-TERM"), Some(143));
}

#[test]
fn the_demonstration_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    let mut server = demo(|command| {
        command.env("TMPDIR", scratch.path());
    });
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    assert_eq!(server.end("-TERM"), Some(143));
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn a_command_line_that_cannot_be_followed_says_what_would_be_right() {
    for (arguments, said) in [
        (&["serve", "--demo", "--bind", "127.0.0.1:0", "--allowed-host", "http://x"][..], "write NAME or NAME:PORT"),
        (&["serve", "--demo", "--bind", "127.0.0.1:0", "--allowed-origin", "x"], "write https://NAME"),
        (&["serve", "--demo", "--bind", "127.0.0.1:0", "--public-url", "tools.example"], "write https://NAME"),
        (&["serve", "--demo", "--store", "x"], "cannot be used with"),
        (&["serve", "--demo", "--bind", "localhost"], "invalid"),
    ] {
        let output = program().args(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

#[test]
fn an_environment_that_cannot_be_meant_ends_the_start_and_an_odd_one_is_told() {
    let secret = "one-and-the-same-secret";
    for (variables, said) in [
        (
            &[("LOOPOVER_API_TOKEN", secret), ("LOOPOVER_MCP_ADMIN_TOKEN", secret)][..],
            "LOOPOVER_API_TOKEN and LOOPOVER_MCP_ADMIN_TOKEN are the same",
        ),
        (&[("LOOPOVER_MCP_TOKEN", " ")], "LOOPOVER_MCP_TOKEN is blank"),
        (&[("INTERNAL_JOB_TOKEN", "\u{1f511}")], "INTERNAL_JOB_TOKEN has characters"),
        (&[("ADMIN_GITHUB_IDS", "abc")], "ADMIN_GITHUB_IDS"),
        (&[("MCP_READ_REPO_ALLOWLIST", "!!")], "MCP_READ_REPO_ALLOWLIST"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut command = program();
        command.args(["serve", "--bind", "127.0.0.1:0", "--store"]).arg(directory.path().join("store"));
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && stderr.contains(said), "{variables:?}: {stderr}");
        assert!(output.stdout.is_empty() && !stderr.contains(secret), "{stderr}");
    }
    let directory = tempfile::tempdir().unwrap();
    let mut command = program();
    command.args(["serve", "--bind", "127.0.0.1:0", "--store"]).arg(directory.path().join("store"));
    command.env("LOOPOVER_API_TOKEN", "short").env("LOOPOVER_REPO_CONFIG_DIR", directory.path().join("nope"));
    let server = HttpServer::start(command, 1);
    server.until_it_says(r#""variable":"LOOPOVER_API_TOKEN""#);
    server.until_it_says(r#""variable":"LOOPOVER_REPO_CONFIG_DIR""#);
    assert!(!server.complaints().contains("short\""));
}

#[test]
fn a_demonstration_clears_what_a_killed_one_left_and_leaves_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let left = temporary.path().join("loopover-demo-abcdef");
    fs::create_dir(&left).unwrap();
    fs::set_permissions(&left, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(left.join("forge.sqlite3"), "").unwrap();
    let kept = temporary.path().join("loopover-demo-ghijkl");
    fs::create_dir(&kept).unwrap();
    fs::write(kept.join("notes"), "").unwrap();
    let arguments = json!({ "owner": "acme", "repo": "widgets" }).to_string();
    let call = ["tools", "call", "loopover_get_repo_context", &arguments, "--demo"];
    let called = program().args(call).env("TMPDIR", temporary.path()).output().unwrap();
    assert!(called.status.success(), "{}", String::from_utf8_lossy(&called.stderr));
    let names: Vec<_> = fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names, [kept]);
}
