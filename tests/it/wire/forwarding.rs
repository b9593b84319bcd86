//! Calls that are carried to another server: the credential, the arguments and the answer, progress, cancellation, and
//! every way in which that server can fail, each with an answer of its own.

/// Servers that go on for ever, and what is passed on of what they say.
mod hostile;

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use contract_tests::fake_server::{FakeServer, Request, begin_events, reply, write, write_event, write_json};
use contract_tests::http_client::{Ask, HttpServer, eventually};
use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::DOOR;

/// The credential that is configured.
const TOKEN: &str = "gts_secret-of-the-test";

fn forwarding(url: &str, variables: &[(&str, &str)]) -> StdioClient {
    let mut command = Command::new(DOOR);
    command.arg("forward").current_dir(std::env::temp_dir()).env_clear();
    command.env("LOOPOVER_API_URL", url).envs(variables.iter().copied());
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client
}

fn with_token(url: &str) -> StdioClient {
    forwarding(url, &[("LOOPOVER_TOKEN", TOKEN)])
}

/// The error that a call is answered with.
#[track_caller]
fn error_of(client: &mut StdioClient, tool: &str, arguments: &Value) -> (String, String) {
    let reply = client.call(tool, arguments);
    let result = &reply;
    assert_eq!(result["isError"], true, "{reply}");
    assert!(result.get("structuredContent").is_none(), "{reply}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    let part = |name: &str| text["error"][name].as_str().unwrap_or_default().to_owned();
    assert!(!reply.to_string().contains(TOKEN), "{reply}");
    (part("code"), part("message"))
}

/// The result of a tool that answered `content`.
fn success(content: &Value) -> Value {
    json!({
        "resultType": "complete", "content": [{ "type": "text", "text": content.to_string() }],
        "structuredContent": content
    })
}

fn says(text: &'static str) -> FakeServer {
    FakeServer::of_tools(move |request, stream| write_json(stream, &reply(request, &success(&json!({ "text": text })))))
}

fn calls(server: &FakeServer) -> Vec<Request> {
    server.requests().into_iter().filter(|request| request.method() == "tools/call").collect()
}

#[test]
fn a_call_is_carried_with_the_credential_and_the_arguments_as_given() {
    let server = FakeServer::of_tools(|request, stream| {
        let content = json!({ "zebra": 1.0, "text": "from afar", "apple": [1e21, 0.1] });
        write_json(stream, &reply(request, &success(&content)));
    });
    let mut client = with_token(&server.url());
    client.send(r#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"wire_guarded","arguments":{"share":null}}}"#);
    let line = client.next_line();
    assert!(line.contains(r#""structuredContent":{"zebra":1.0,"text":"from afar","apple":[1e+21,0.1]}"#), "{line}");
    let calls = calls(&server);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].line, "POST /mcp HTTP/1.1");
    assert_eq!(calls[0].header("authorization"), Some(&*format!("Bearer {TOKEN}")));
    assert_eq!(calls[0].body["params"]["arguments"].to_string(), r#"{"share":null}"#);
}

#[test]
fn its_tools_are_listed_and_wrong_arguments_are_never_sent() {
    let server = says("never asked");
    let mut client = with_token(&server.url());
    let listed = client.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "wire_guarded"));
    let (code, message) = error_of(&mut client, "wire_guarded", &json!({ "share": "half" }));
    assert_eq!(code, "invalid_input");
    assert!(message.contains("/share"), "{message}");
    assert!(server.requests().is_empty());
}

#[test]
fn without_a_token_nothing_is_sent_and_the_answer_says_what_to_do() {
    let server = says("for anyone");
    let mut client = forwarding(&server.url(), &[]);
    let (code, message) = error_of(&mut client, "wire_guarded", &json!({}));
    assert_eq!(code, "unauthorized");
    assert!(message.contains("LOOPOVER_TOKEN") && message.contains("loopover session create"), "{message}");
    assert!(server.requests().is_empty());
    // What needs none is asked for without one.
    let reply = client.call("wire_talks", &json!({ "bytes": 1 }));
    assert_eq!(reply["structuredContent"]["text"], "for anyone");
    assert_eq!(calls(&server)[0].header("authorization"), None);
}

#[test]
fn a_server_of_another_contract_is_an_error_that_names_the_field() {
    for (content, place) in [(json!({ "text": 7 }), "/text"), (json!({ "words": "x" }), "/text: is required")] {
        let server =
            FakeServer::of_tools(move |request, stream| write_json(stream, &reply(request, &success(&content))));
        let (code, message) = error_of(&mut with_token(&server.url()), "wire_guarded", &json!({}));
        assert_eq!(code, "upstream_error");
        assert!(message.contains(place), "{message}");
    }
}

#[test]
fn an_error_of_the_tool_is_passed_on() {
    let envelope = json!({ "error": { "code": "store_unavailable", "message": "busy; try again", "reason": "busy" } });
    let text = envelope.to_string();
    let server = FakeServer::of_tools(move |request, stream| {
        let result =
            json!({ "resultType": "complete", "isError": true, "content": [{ "type": "text", "text": text }] });
        write_json(stream, &reply(request, &result));
    });
    let reply = with_token(&server.url()).call("wire_guarded", &json!({}));
    assert_eq!(reply["content"][0]["text"], envelope.to_string());
}

#[test]
fn what_is_no_answer_of_a_tool_is_an_error() {
    let results = [
        json!({ "resultType": "complete", "content": [] }),
        json!({ "resultType": "complete", "content": [{ "type": "text", "text": "hush" }], "isError": true }),
        json!({ "resultType": "complete", "content": [{ "type": "text", "text": "{\"error\":{\"code\":\"new\"}}" }], "isError": true }),
        json!({ "resultType": "complete", "content": [{ "type": "text", "text": "{\"error\":{\"code\":\"new\",\"message\":\"hush\"}}" }], "isError": true }),
    ];
    for result in results {
        let server = FakeServer::of_tools(move |request, stream| write_json(stream, &reply(request, &result)));
        let (code, message) = error_of(&mut with_token(&server.url()), "wire_guarded", &json!({}));
        assert_eq!(code, "upstream_error");
        assert!(!message.contains("hush"), "{message}");
    }
    let server = FakeServer::of_tools(|request, stream| {
        let error = json!({ "code": -32602, "message": "unknown tool hush" });
        write_json(stream, &json!({ "jsonrpc": "2.0", "id": request.body["id"], "error": error }));
    });
    let (code, message) = error_of(&mut with_token(&server.url()), "wire_guarded", &json!({}));
    assert_eq!(code, "upstream_error");
    assert!(message.contains("-32602") && !message.contains("hush"), "{message}");
}

#[test]
fn each_way_of_not_answering_has_its_own_error() {
    let plain = |status: &'static str, headers: &'static str, body: &'static str| {
        FakeServer::start(move |_, stream| write(stream, status, headers, body))
    };
    let html = "content-type: text/html\r\n";
    let cases = [
        (plain("401 Unauthorized", "www-authenticate: Bearer\r\n", ""), "unauthorized", "does not know"),
        (
            plain("401 Unauthorized", "content-type: application/json\r\n", "{\"error\":\"hush\"}"),
            "unauthorized",
            "does not know",
        ),
        (plain("403 Forbidden", "", "hush"), "forbidden", "refuses"),
        (plain("404 Not Found", html, "<p>hush"), "upstream_error", "no MCP server"),
        (plain("200 OK", html, "<p>hush"), "upstream_error", "no MCP server"),
        (plain("200 OK", "content-type: application/json\r\n", "{\"hush\":1}"), "upstream_error", "no MCP server"),
        (plain("500 Internal Server Error", html, "hush"), "upstream_error", "HTTP status 500"),
        (plain("503 Service Unavailable", html, "hush"), "upstream_error", "HTTP status 503"),
        (plain("429 Too Many Requests", "", "hush"), "rate_limited", "wait"),
        (FakeServer::start(|_, _| {}), "upstream_error", "ended the connection"),
        (
            FakeServer::of_tools(|_, stream| {
                begin_events(stream);
            }),
            "upstream_error",
            "ended the connection",
        ),
    ];
    for (server, code, part) in cases {
        let (found, message) = error_of(&mut with_token(&server.url()), "wire_guarded", &json!({}));
        assert_eq!(found, code, "{message}");
        assert!(message.contains(part) && !message.contains("hush"), "{part}: {message}");
    }
    let closed = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let (code, message) = error_of(&mut with_token(&format!("http://{closed}")), "wire_guarded", &json!({}));
    assert_eq!(code, "upstream_error");
    assert!(message.contains("cannot be reached") && message.contains("LOOPOVER_API_URL"), "{message}");
    let (code, _) = error_of(&mut with_token("no url"), "wire_guarded", &json!({}));
    assert_eq!(code, "not_configured");
    for cleartext in ["http://192.0.2.2:9", "HTTP://localhost.example.org"] {
        let (code, message) = error_of(&mut with_token(cleartext), "wire_guarded", &json!({}));
        assert_eq!(code, "not_configured");
        // The words that `sync` has for the same.
        assert!(message.contains("the token would be sent for everybody to read"), "{message}");
    }
    let mut unsendable = forwarding(&says("x").url(), &[("LOOPOVER_TOKEN", "a\u{7f}b")]);
    let (code, message) = error_of(&mut unsendable, "wire_guarded", &json!({}));
    assert_eq!((code.as_str(), message.contains("cannot be sent")), ("unauthorized", true), "{message}");
}

#[test]
fn a_server_that_is_slow_is_waited_for_as_long_as_is_said() {
    let server = FakeServer::of_tools(|_, stream| {
        // Until the client gives up.
        let _ = stream.read(&mut [0]);
    });
    let variables = [("LOOPOVER_TOKEN", TOKEN), ("LOOPOVER_API_TIMEOUT_MS", "300")];
    let started = Instant::now();
    let (code, message) = error_of(&mut forwarding(&server.url(), &variables), "wire_guarded", &json!({}));
    assert_eq!(code, "timeout");
    assert!(message.contains("300 ms"), "{message}");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn nothing_goes_to_a_host_that_is_not_configured() {
    let elsewhere = says("hush");
    let target = elsewhere.url();
    let server = FakeServer::start(move |_, stream| {
        write(stream, "307 Temporary Redirect", &format!("location: {target}/mcp\r\n"), "");
    });
    let proxy = elsewhere.url();
    let variables =
        [("LOOPOVER_TOKEN", TOKEN), ("HTTP_PROXY", &*proxy), ("http_proxy", &*proxy), ("ALL_PROXY", &*proxy)];
    let (code, message) = error_of(&mut forwarding(&server.url(), &variables), "wire_guarded", &json!({}));
    assert_eq!(code, "upstream_error");
    assert!(message.contains("redirects"), "{message}");
    assert!(elsewhere.requests().is_empty());
    assert_eq!(server.requests().len(), 1, "the proxy was not asked");
}

fn progress(request: &Request, step: u32) -> Value {
    let token = &request.body["params"]["_meta"]["progressToken"];
    json!({
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": { "progressToken": token, "progress": step, "total": 3, "message": format!("step {step}") }
    })
}

#[test]
fn progress_is_passed_on_while_the_call_runs() {
    let (go_on, told_to) = channel();
    let told_to = std::sync::Mutex::new(told_to);
    let server = FakeServer::of_tools(move |request, stream| {
        begin_events(stream);
        write_event(stream, &progress(request, 1));
        // Only when the first report has arrived at the other end.
        let _ = told_to.lock().unwrap().recv();
        for step in [2, 1, 3] {
            write_event(stream, &progress(request, step));
        }
        write_event(stream, &reply(request, &success(&json!({ "text": "done" }))));
    });
    let mut client = with_token(&server.url());
    client.send(
        r#"{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"wire_guarded","_meta":{"progressToken":"mine"}}}"#,
    );
    let report = client.next_message();
    assert_eq!(
        report["params"],
        json!({ "progressToken": "mine", "progress": 1.0, "total": 3.0, "message": "step 1" })
    );
    go_on.send(()).unwrap();
    // The rest in order, without the one that goes back, and all before the answer.
    for step in [2.0, 3.0] {
        assert_eq!(client.next_message()["params"]["progress"], step);
    }
    assert_eq!(client.next_message()["result"]["structuredContent"]["text"], "done");
}

#[test]
fn a_cancelled_call_is_withdrawn_from_the_server() {
    let (ended, end) = channel();
    let (arrived, arrival) = channel();
    let server = FakeServer::of_tools(move |request, stream| {
        if request.method() == "tools/call" {
            let _ = arrived.send(());
            until_closed(stream);
            let _ = ended.send(());
        }
    });
    let mut client = with_token(&server.url());
    client.send(r#"{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wire_guarded"}}"#);
    arrival.recv_timeout(Duration::from_secs(20)).expect("the call arrives");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}"#);
    end.recv_timeout(Duration::from_secs(20)).expect("the connection ends with the call");
    // And nothing is said about it any more.
    let pong = client.request("ping", &json!({}));
    assert!(pong.get("result").is_some(), "{pong}");
}

fn until_closed(stream: &mut TcpStream) {
    let mut bytes = [0; 64];
    while matches!(stream.read(&mut bytes), Ok(1..)) {}
}

#[test]
fn a_server_of_an_older_revision_is_spoken_to_as_it_speaks() {
    let server = FakeServer::start(|request, stream| match request.method() {
        "initialize" => {
            let result = json!({
                "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                "serverInfo": { "name": "old", "version": "1" }
            });
            let body = reply(request, &result).to_string();
            write(stream, "200 OK", "content-type: application/json\r\nmcp-session-id: s1\r\n", &body);
        }
        "notifications/initialized" => write(stream, "202 Accepted", "", ""),
        "tools/call" => write_json(
            stream,
            &reply(
                request,
                &json!({
                    "content": [{ "type": "text", "text": "{}" }], "structuredContent": { "text": "old" }
                }),
            ),
        ),
        "" => write(stream, "405 Method Not Allowed", "", ""),
        _ => write_json(
            stream,
            &json!({
                "jsonrpc": "2.0", "id": request.body["id"], "error": { "code": -32601, "message": "no such method" }
            }),
        ),
    });
    let reply = with_token(&server.url()).call("wire_guarded", &json!({}));
    assert_eq!(reply["structuredContent"]["text"], "old", "{reply}");
    let call = &calls(&server)[0];
    assert_eq!(call.header("mcp-session-id"), Some("s1"));
}

#[test]
fn a_token_may_stand_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("token");
    std::fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let server = says("read");
    let mut client = forwarding(&server.url(), &[("LOOPOVER_TOKEN_FILE", file.to_str().unwrap())]);
    assert_eq!(client.call("wire_guarded", &json!({}))["structuredContent"]["text"], "read");
    assert_eq!(calls(&server)[0].header("authorization"), Some(&*format!("Bearer {TOKEN}")));
}

/// The server of the same tools, and a client's program in front of it.
fn in_front_of_a_server() -> (HttpServer, StdioClient) {
    let mut command = Command::new(DOOR);
    command.arg("http");
    let server = HttpServer::start(command, 1);
    let client = forwarding(&format!("http://{}", server.address), &[]);
    (server, client)
}

#[test]
fn progress_and_cancellation_go_through_a_server_of_our_own() {
    let (server, mut client) = in_front_of_a_server();
    client.send(
        r#"{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"wire_reports","arguments":{"steps":3},"_meta":{"progressToken":7}}}"#,
    );
    let mut last = 0.0;
    let reply = loop {
        let message = client.next_message();
        if message["id"] == "p" {
            break message;
        }
        let done = message["params"]["progress"].as_f64().unwrap();
        assert!(message["params"]["progressToken"] == 7 && done > last, "{message}");
        last = done;
    };
    assert_eq!(reply["result"]["structuredContent"]["text"], "done");
    assert!(last > 0.0, "no report came through");
    client.send(
        r#"{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"wire_sleeps","arguments":{"milliseconds":60000}}}"#,
    );
    let is_running = || {
        let metrics = Ask::new(&server, "GET", "/metrics").answer(&server).text();
        metrics.contains(r#"tool_calls_running{tool="wire_sleeps"} 1"#)
    };
    assert!(eventually(is_running), "the call arrives");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}"#);
    server.until_it_says("wire_sleeps was cancelled");
}
