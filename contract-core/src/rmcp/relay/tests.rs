//! What comes out of the relay, frame by frame.

use ::rmcp::model::{ClientRequest, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult};
use serde_json::{Value, json};

use super::{ArgumentText, ClientJsonRpcMessage, Incoming, Relay};
use crate::wire::{Limits, read_frame};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}"#;

fn incoming(relay: &mut Relay, text: &str) -> Incoming {
    relay.incoming(read_frame(text.as_bytes(), &Limits::default()))
}

#[track_caller]
fn forwarded(relay: &mut Relay, text: &str) -> ClientJsonRpcMessage {
    match incoming(relay, text) {
        Incoming::Forward(message) => *message,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn number(message: &ClientJsonRpcMessage) -> i64 {
    let JsonRpcMessage::Request(request) = message else { panic!("{message:?}") };
    let RequestId::Number(number) = request.id else { panic!("{message:?}") };
    number
}

#[track_caller]
fn refused(relay: &mut Relay, text: &str) -> Value {
    match incoming(relay, text) {
        Incoming::Reply(reply) => serde_json::from_str(reply.as_str()).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn answer(relay: &mut Relay, number: i64) -> Option<String> {
    let result = ServerResult::EmptyResult(serde_json::from_value(json!({})).unwrap());
    relay.outgoing(ServerJsonRpcMessage::response(result, RequestId::Number(number)))
}

fn opened() -> Relay {
    let mut relay = Relay::new();
    let initialize = forwarded(&mut relay, INITIALIZE);
    assert!(relay.is_opening());
    answer(&mut relay, number(&initialize)).unwrap();
    assert!(!relay.is_opening());
    relay
}

#[test]
fn requests_that_share_an_id_are_answered_each_under_its_own_text() {
    let mut relay = Relay::new();
    let plain = number(&forwarded(&mut relay, r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#));
    let escaped = number(&forwarded(&mut relay, r#"{"jsonrpc":"2.0","id":"\u0061","method":"ping"}"#));
    assert_eq!(relay.in_flight(), 2);
    let line = answer(&mut relay, escaped).unwrap();
    assert_eq!(line, r#"{"jsonrpc":"2.0","id":"\u0061","result":{}}"#);
    assert_eq!(answer(&mut relay, plain).unwrap(), r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    assert_eq!((answer(&mut relay, plain), relay.in_flight(), relay.held()), (None, 0, 0));
}

#[test]
fn a_call_travels_with_the_text_of_its_arguments() {
    let mut relay = opened();
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":1e400}}}"#;
    let JsonRpcMessage::Request(request) = forwarded(&mut relay, text) else { panic!() };
    let ClientRequest::CallToolRequest(call) = request.request else { panic!() };
    let ArgumentText(arguments) = call.extensions.get().unwrap();
    assert_eq!(arguments, r#"{"a":1,"a":1e400}"#);
    assert_eq!(call.params.arguments, Some(serde_json::Map::new()));
}

#[test]
fn a_cancelled_request_is_known_by_what_its_id_means_and_gets_no_reply() {
    let mut relay = opened();
    let three = number(&forwarded(&mut relay, r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#));
    for other in [r#""3""#, "999", "3.0", "null", "{}"] {
        let text =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{other}}}}}"#);
        assert!(matches!(incoming(&mut relay, &text), Incoming::Nothing), "{other}");
    }
    let text = r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#;
    assert!(matches!(incoming(&mut relay, text), Incoming::Nothing));
    let text = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"enough"}}"#;
    assert!(matches!(forwarded(&mut relay, text), JsonRpcMessage::Notification(_)));
    assert_eq!((answer(&mut relay, three), relay.in_flight()), (None, 0));
}

#[test]
fn an_initialize_cannot_be_cancelled() {
    let mut relay = Relay::new();
    let initialize = number(&forwarded(&mut relay, INITIALIZE));
    let text = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#;
    assert!(matches!(incoming(&mut relay, text), Incoming::Nothing));
    assert!(answer(&mut relay, initialize).is_some());
}

#[test]
fn parameters_that_rmcp_cannot_type_are_refused_here() {
    let mut relay = opened();
    for (method, params, part) in [
        ("initialize", "{}", "protocolVersion"),
        ("tools/list", r#"{"cursor":5}"#, "cursor"),
        ("tools/list", r#"{"cursor":["x"],"_meta":{}}"#, "cursor"),
        ("tools/call", r#"{"name":"t","requestState":5}"#, "do not fit"),
        ("ping", r#"{"_meta":5}"#, "_meta"),
        ("server/discover", r#"{"_meta":[]}"#, "_meta"),
        ("server/discover", "null", "protocolVersion"),
        ("no/such", r#"{"_meta":"x"}"#, "_meta"),
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{params}}}"#);
        let reply = refused(&mut relay, &text);
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!("x"), &json!(-32602)), "{method}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(part), "{reply}");
    }
    assert_eq!(relay.in_flight(), 0);
}

#[test]
fn tools_wait_for_a_session_or_name_the_revision_that_has_none() {
    let mut relay = Relay::new();
    let list = |meta: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":{meta}}}}}}}"#
        )
    };
    for revision in ["null", "5", r#""2025-11-25""#] {
        assert_eq!(refused(&mut relay, &list(revision))["error"]["code"], -32602, "{revision}");
    }
    for revision in [r#""2026-07-28""#, r#""2099-01-01""#] {
        forwarded(&mut relay, &list(revision));
    }
    for other in ["ping", "logging/setLevel", "no/such"] {
        forwarded(&mut relay, &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{other}"}}"#));
    }
    forwarded(&mut opened(), &list(r#""2025-11-25""#));
}

#[test]
fn an_answer_that_cannot_be_read_fails_what_it_answers() {
    let mut relay = opened();
    let text = r#"{"jsonrpc":"2.0","id":0,"error":{"code":"x"}}"#;
    assert!(matches!(forwarded(&mut relay, text), JsonRpcMessage::Error(_)));
    let text = r#"{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}"#;
    assert!(matches!(forwarded(&mut relay, text), JsonRpcMessage::Response(_)));
    let text = r#"{"jsonrpc":"2.0","id":null,"error":{"code":"x"}}"#;
    assert!(matches!(incoming(&mut relay, text), Incoming::Nothing));
}

#[test]
fn what_is_given_up_is_answered() {
    let mut relay = opened();
    forwarded(&mut relay, r#"{"jsonrpc":"2.0","id":"7","method":"ping"}"#);
    let replies = relay.abandon();
    assert_eq!(replies.len(), 1);
    assert!(replies[0].as_str().starts_with(r#"{"jsonrpc":"2.0","id":"7","error""#));
    assert_eq!((relay.in_flight(), relay.held()), (0, 0));
}

#[test]
fn a_subscription_goes_by_the_id_of_its_request_as_it_was_written() {
    let mut relay = opened();
    let listen = r#"{"jsonrpc":"2.0","id":"\u0061","method":"ping"}"#;
    let number = number(&forwarded(&mut relay, listen));
    let notification = |number: i64| {
        let meta = json!({ "io.modelcontextprotocol/subscriptionId": number });
        let params = json!({ "_meta": meta, "uri": format!("\"io.modelcontextprotocol/subscriptionId\":{number},") });
        let message = json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": params });
        serde_json::from_value::<ServerJsonRpcMessage>(message).unwrap()
    };
    let text = relay.outgoing(notification(number)).unwrap();
    assert!(text.contains(r#""io.modelcontextprotocol/subscriptionId":"\u0061"}"#), "{text}");
    assert!(text.contains(&format!(r#"subscriptionId\":{number},"#)), "{text}");
    // One that nobody has asked for stays what it is.
    let text = relay.outgoing(notification(number + 10)).unwrap();
    assert!(text.contains(&format!(r#"subscriptionId":{}"#, number + 10)), "{text}");
}
