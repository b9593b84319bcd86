//! Servers that go on for ever or say what nobody should read: the call ends in time, and with an error of its own.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::time::Duration;

use contract_tests::fake_server::{FakeServer, Request, begin_events, reply, write_event};
use serde_json::json;

use super::{TOKEN, error_of, forwarding, progress, with_token};

#[test]
fn a_stream_without_an_end_is_told_as_what_it_is() {
    /// What comes again and again after the stream has begun.
    type Again = fn(&Request, &mut TcpStream) -> bool;
    let lines: [(&str, Again, &str, &str); 4] = [
        ("comments", |_, stream| stream.write_all(b": alive\n\n").is_ok(), "timeout", "did not answer within"),
        ("reports", |request, stream| write_event(stream, &progress(request, 1)), "timeout", "did not answer within"),
        ("an event", |_, stream| stream.write_all(&[b'x'; 16_000]).is_ok(), "upstream_error", "more than is taken"),
        ("no events", |_, stream| stream.write_all(b"data: \xff\xfe\n\n").is_ok(), "upstream_error", "no answer"),
    ];
    for (what, again, code, part) in lines {
        let (ended, end) = channel();
        let server = FakeServer::of_tools(move |request, stream| {
            begin_events(stream);
            let _ = stream.write_all(if what == "an event" { b"data: " } else { b"" });
            while again(request, stream) {
                // What is sent does not have to be fast to be endless.
                if what != "an event" {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            let _ = ended.send(());
        });
        let time = if code == "timeout" { "300" } else { "20000" };
        let mut client = forwarding(&server.url(), &[("LOOPOVER_TOKEN", TOKEN), ("LOOPOVER_API_TIMEOUT_MS", time)]);
        let (found, message) = error_of(&mut client, "wire_guarded", &json!({}));
        assert_eq!(found, code, "{what}: {message}");
        assert!(message.contains(part), "{what}: {message}");
        end.recv_timeout(Duration::from_secs(20)).expect("the connection ends with the call");
    }
}

#[test]
fn what_the_server_says_is_passed_on_in_bounds_and_without_secrets() {
    let message = format!("{TOKEN} was\u{1b}[2J refused\nat /var/lib {}", "and again ".repeat(10_000));
    let envelope = json!({ "error": { "code": "forbidden", "message": message } });
    let report = message.clone();
    let server = FakeServer::of_tools(move |request, stream| {
        begin_events(stream);
        let mut told = progress(request, 1);
        told["params"]["message"] = report.as_str().into();
        write_event(stream, &told);
        let content = json!([{ "type": "text", "text": envelope.to_string() }]);
        let result = json!({ "resultType": "complete", "isError": true, "content": content });
        write_event(stream, &reply(request, &result));
    });
    let mut client = with_token(&server.url());
    client.send(
        r#"{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"wire_guarded","_meta":{"progressToken":1}}}"#,
    );
    let report = client.next_line();
    assert!(report.contains("[redacted] was [2J refused at /var/lib") && report.len() < 1_000, "{report}");
    let answer = client.next_line();
    assert!(answer.contains("forbidden") && answer.contains("[redacted] was") && answer.len() < 3_000, "{answer}");
    for line in [report, answer] {
        assert!(!line.contains(TOKEN) && !line.contains("u001b"), "{line}");
    }
}
