//! One test per rule; the frames of the case list are in here by their letter and number.

use serde_json::Value;

use super::{Frame, Id, Limits, Message, Request, read_frame, read_too_long};

fn read(frame: &(impl AsRef<[u8]> + ?Sized)) -> Frame<'_> {
    read_frame(frame.as_ref(), &Limits::default())
}

/// The reply's id as it is written, its code and its message.
#[track_caller]
fn reply(frame: Frame<'_>) -> (String, i64, String) {
    let Frame::Reply(reply) = frame else { panic!("no reply: {frame:?}") };
    let (_, rest) = reply.as_str().split_once(r#""id":"#).unwrap();
    let (id, _) = rest.split_once(r#","error":"#).unwrap();
    let value: Value = serde_json::from_str(reply.as_str()).unwrap();
    assert_eq!(value["jsonrpc"], "2.0");
    let error = &value["error"];
    (id.to_owned(), error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
}

#[track_caller]
fn refused(frame: &(impl AsRef<[u8]> + ?Sized), id: &str, code: i64, part: &str) {
    let (found, number, message) = reply(read(frame));
    assert_eq!((found.as_str(), number), (id, code), "{message}");
    assert!(message.contains(part), "{message}");
}

#[track_caller]
fn silent(frame: &(impl AsRef<[u8]> + ?Sized)) {
    let frame = read(frame);
    assert!(matches!(frame, Frame::Nothing(Some(_))), "{frame:?}");
}

#[track_caller]
fn request(frame: &(impl AsRef<[u8]> + ?Sized)) -> Request<'_> {
    match read(frame) {
        Frame::Message(Message::Request(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

/// A ping with other text for its id, or with more members.
fn ping(id: &str, more: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"{more}}}"#)
}

/// A call of `t`.
fn call(arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"t"{arguments}}}}}"#)
}

#[test]
fn a_frame_is_read_past_a_byte_order_mark_and_white_space_d02() {
    for frame in [format!("\u{feff}{}", ping("1", "")), format!("  {} \r", ping("1", ""))] {
        assert_eq!(request(&frame).text(), ping("1", ""));
    }
    for empty in ["", " \r", "\u{feff}"] {
        assert_eq!(read(empty), Frame::Nothing(None));
    }
}

#[test]
fn text_that_is_no_json_is_a_parse_error_without_an_id_d02_d03() {
    for text in ["not json", "[2026-01-02 INFO] started", "{", &format!("{} x", ping("1", "")), "{\"id\":1,}", "\0"] {
        refused(text, "null", -32700, "is not JSON");
    }
    refused("{secret}", "null", -32700, "column 2)");
}

#[test]
fn bytes_that_are_no_utf8_are_a_parse_error_for_the_id_where_it_is_intact_c16() {
    let bad =
        |text: &str| text.replace('?', "\u{1}").bytes().map(|b| if b == 1 { 0xff } else { b }).collect::<Vec<_>>();
    refused(&bad(&call(r#","arguments":{"a":"?"}"#)), "2", -32700, "UTF-8");
    refused(&bad(r#"{"params":{"a":"?"},"jsonrpc":"2.0","method":"ping","id":"x"}"#), r#""x""#, -32700, "UTF-8");
    refused(&bad(&ping(r#""a?b""#, "")), "null", -32700, "UTF-8");
    refused(&bad("?{}"), "null", -32700, "UTF-8");
    silent(&bad(r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"?"}}"#));
    silent(&bad(r#"{"jsonrpc":"2.0","id":1,"result":{"a":"?"}}"#));
}

#[test]
fn nesting_without_end_is_refused_for_its_id_wherever_that_stands_c15() {
    for depth in [126, 300, 100_000, 1_000_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        refused(&call(&format!(r#","arguments":{{"repoFullName":{deep}}}"#)), "2", -32600, "limit is 127 levels");
        let before = format!(r#"{{"jsonrpc":"2.0","params":{{"a":{deep}}},"method":"ping","id":"x"}}"#);
        refused(&before, r#""x""#, -32600, "limit is 127 levels");
        refused(&ping("3", &format!(r#","params":{{"a":{}"#, "[".repeat(depth))), "3", -32600, "127 levels");
        silent(&format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"a":{deep}}}}}"#));
        silent(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"a":{deep}}}}}"#));
        refused(&"[".repeat(depth), "null", -32700, "is not JSON");
    }
    let deepest = format!("{}{}", "[".repeat(124), "]".repeat(124));
    assert!(request(&call(&format!(r#","arguments":{{"a":{deepest}}}"#))).call().is_some());
}

#[test]
fn more_values_than_the_limit_are_refused_before_anything_holds_them() {
    let many = "[],".repeat(250_000);
    refused(&call(&format!(r#","arguments":{{"a":[{many}0]}}"#)), "2", -32600, "limit is 250000");
}

#[test]
fn a_long_frame_passes_and_one_past_the_limit_is_refused_for_its_id_d16() {
    let long = |size: usize| call(&format!(r#","arguments":{{"a":"{}"}}"#, "x".repeat(size)));
    assert!(request(&long(200 * 1024)).call().is_some());
    refused(&long(17 << 20), "2", -32600, "16777216 bytes");

    let limits = Limits { size: 40, ..Limits::default() };
    let kept = |text: &str| reply(read_too_long(text.as_bytes(), &limits)).0;
    assert_eq!(kept(r#"{"jsonrpc":"2.0","id":12,"method":"pi"#), "12");
    assert_eq!(kept(r#"{"jsonrpc":"2.0","id":12"#), "null");
    assert_eq!(kept(r#"{"jsonrpc":"2.0","id":"12"#), "null");
    assert_eq!(kept(r#"{"jsonrpc":"2.0","method":"p","params":"#), "null");
    assert_eq!(kept("xxxx"), "null");
    let response = read_too_long(br#"{"jsonrpc":"2.0","id":12,"result":{"a"#, &limits);
    assert!(matches!(response, Frame::Nothing(Some(_))));
}

#[test]
fn a_key_written_twice_outside_the_arguments_is_refused_by_its_name() {
    refused(&ping("1", r#","method":"pong""#), "1", -32600, "`method`");
    refused(&ping("1", r#","x":1,"\u0078":1"#), "1", -32600, "`x`");
    refused(&ping("1", r#","id":2"#), "null", -32600, "`id`");
    refused(&ping("1", r#","params":{"a":1,"a":1}"#), "1", -32600, "`/params/a`");
    refused(&ping("1", r#","params":{"_meta":{"x":[{"y/z":1,"y/z":2}]}}"#), "1", -32600, "`/params/_meta/x/0/y~1z`");
    refused(&ping("1", r#","x":{"y":1,"y":2}"#), "1", -32600, "`/x/y`");
    refused(&call(r#","arguments":{},"arguments":{}"#), "2", -32600, "`/params/arguments`");
    silent(r#"{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":1}}"#);
}

#[test]
fn arguments_stay_text_so_that_the_call_says_what_is_wrong_in_them() {
    for text in [r#"{"a":1,"a":2}"#, r#"{ "since": 1e400 }"#, r#"{"a":"\ud800"}"#, "{}"] {
        let frame = call(&format!(r#","arguments": {text} "#));
        assert_eq!(request(&frame).call().unwrap().arguments, Some(text));
    }
    let other = call(r#","arguments":{"a":1,"a":2}"#).replace("tools/call", "prompts/get");
    refused(&other, "2", -32600, "`/params/arguments/a`");
}

#[test]
fn what_a_reader_further_on_would_choke_on_is_refused_by_its_place() {
    refused(&ping("1", r#","params":{"_meta":{"n":1e400}}"#), "1", -32602, "`/params/_meta/n` is a number too large");
    refused(&ping("1", r#","params":{"a":"\ud800"}"#), "1", -32602, "`/params/a`");
    refused(&ping("1", r#","params":{"\ud800":1}"#), "1", -32602, "`params` has a key");
    refused(&ping(r#""\ud800""#, ""), "null", -32600, "`id`");
}

#[test]
fn a_batch_is_one_error_without_an_id_d15() {
    for batch in ["[]", &format!("[{},{}]", ping("5", ""), ping("6", "")), "[1]"] {
        refused(batch, "null", -32600, "batches are not part of this protocol revision");
    }
    refused("17", "null", -32600, "got a number");
}

#[test]
fn the_envelope_is_named_where_it_is_wrong_c03() {
    refused(r#"{"id":1,"method":"ping"}"#, "1", -32600, "`jsonrpc`");
    refused(r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, "1", -32600, "`jsonrpc`");
    refused(r#"{"jsonrpc":"2.0","id":1}"#, "1", -32600, "`method` is required");
    refused(r#"{"jsonrpc":"2.0","id":1,"method":123}"#, "1", -32600, "`method` must be a string, got a number");
    refused(&ping("1", r#","params":["x"]"#), "1", -32602, "`params` must be an object, got an array");
    refused(&ping("1", r#","params":"{}""#), "1", -32602, "got a string");
    refused(&ping("1", r#","result":{}"#), "1", -32600, "not two of them");
    assert_eq!(request(&ping("1", r#","params":null"#)).params(), None);
    assert_eq!(request(&ping("1", r#","extra":[1]"#)).params(), None);
}

#[test]
fn a_call_names_its_tool_and_sends_an_object_c01_c02_c03() {
    let without = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#;
    refused(without, "2", -32602, "`params.name` is required");
    refused(&call("").replace(r#""name":"t""#, ""), "2", -32602, "`params.name` is required");
    refused(&call("").replace(r#""t""#, "{}"), "2", -32602, "`params.name` must be a string, got an object");
    for (sent, found) in
        [(r#"["acme/api",5]"#, "an array"), (r#""{}""#, "a string"), ("5", "a number"), ("true", "a b")]
    {
        let expected = format!("`params.arguments` must be an object, got {found}");
        refused(&call(&format!(r#","arguments":{sent}"#)), "2", -32602, &expected);
    }
    for absent in [call(""), call(r#","arguments":null"#)] {
        assert_eq!(request(&absent).call().unwrap().arguments, None);
    }
}

#[test]
fn strings_and_integers_are_ids_and_come_back_as_they_were_written_d14() {
    let big = "9".repeat(40);
    for id in [r#""""#, "-7", "0", "9007199254740993", r#""007""#, "18446744073709551615", &big, r#""\u0061\/""#] {
        assert_eq!(request(&ping(id, "")).id().raw(), id);
        refused(&ping(id, r#","params":5"#), id, -32602, "`params`");
    }
    for id in ["1.5", "1.0", "1e2", "null", "true", "{}", "[]", r#"{"a":1}"#] {
        refused(&ping(id, ""), "null", -32600, "`id` must be a string or an integer");
    }
}

#[test]
fn a_message_without_an_id_is_never_answered_d08_d12() {
    for method in ["notifications/roots/list_changed", "notifications/cancelled", "tools/list", "whatever"] {
        let frame = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"requestId":0}}}}"#);
        let Frame::Message(Message::Notification(notification)) = read(&frame) else { panic!("{frame}") };
        assert_eq!(notification.method, method);
        assert_eq!(notification.params, Some(r#"{"requestId":0}"#));
    }
    for malformed in [
        "{}",
        r#"{"method":"x"}"#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","method":5}"#,
        r#"{"jsonrpc":"2.0","method":"x","params":[]}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{}}"#,
    ] {
        silent(malformed);
    }
}

#[test]
fn a_response_is_passed_on_or_dropped_and_never_answered_d03() {
    let response = |frame: &str| match read(frame) {
        Frame::Message(Message::Response(response)) => (response.id.map(|id| id.raw().to_owned()), response.is_error),
        other => panic!("{frame}: {other:?}"),
    };
    let parse_error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
    assert_eq!(response(parse_error), (None, true));
    assert_eq!(response(r#"{"jsonrpc":"2.0","error":{}}"#), (None, true));
    assert_eq!(response(r#"{"jsonrpc":"2.0","id":"a","result":{"x":1,"x":2}}"#), (Some(r#""a""#.to_owned()), false));
    for malformed in [
        r#"{"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"cut off"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{}} x"#,
    ] {
        silent(malformed);
    }
}

#[test]
fn a_method_that_nobody_knows_passes_d11_d13_d19() {
    let discover = r#"{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"a":1}}}"#;
    assert_eq!(request(discover).params(), Some(r#"{"_meta":{"a":1}}"#));
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools\/list","params":{"cursor":"bogus"}}"#;
    assert_eq!((request(list).method(), request(list).call()), ("tools/list", None));
    for method in ["logging/setLevel", "no/such/method", ""] {
        assert_eq!(request(&format!(r#"{{"jsonrpc":"2.0","id":0,"method":"{method}"}}"#)).method(), method);
    }
}

#[test]
fn a_relayed_request_has_another_id_and_no_arguments_to_lose_anything_of() {
    let frame = r#"{"params":{"arguments":{"a":1,"a":1e400},"name":"t","_meta":{"id":2}}, "id":"x" ,"jsonrpc":"2.0","method":"tools/call"}"#;
    assert_eq!(
        request(frame).relayed(17),
        r#"{"params":{"arguments":{},"name":"t","_meta":{"id":2}}, "id":17 ,"jsonrpc":"2.0","method":"tools/call"}"#
    );
    assert_eq!(request(&ping("18446744073709551615", "")).relayed(-1), ping("-1", ""));
    assert_eq!(request(&ping("7", "")).id(), &Id::read("7").unwrap());
}

#[test]
fn a_message_is_shown_without_what_is_in_it() {
    let frame =
        read(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"a":"hidden"}}}"#);
    let shown = format!("{frame:?}");
    assert!(shown.contains("tools/call") && !shown.contains("hidden"), "{shown}");
}
