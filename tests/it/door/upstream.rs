//! A server that stands for a handler: asked in its place and nowhere else, and its answers are held to the contract.

use std::sync::{Arc, Mutex};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, Authorize, BoxFuture, Caller, Decision, ErrorCode, Forwarded, Locality, ToolDefinition, ToolError,
    ToolFilter, TrustProcessOwner, Upstream,
};
use serde_json::{Map, Value, json};

use super::{context, registry, request};

/// Answers remote tools with one value and remembers what it was sent.
struct Elsewhere {
    answer: Value,
    sent: Mutex<Vec<String>>,
}

impl Upstream for Elsewhere {
    fn answers(&self, tool: &ToolDefinition) -> bool {
        tool.locality() == Locality::Remote
    }

    fn ask(&self, call: Forwarded) -> BoxFuture<Result<Value, ToolError>> {
        self.sent.lock().unwrap().push(format!("{} {}", call.tool, Value::Object(call.arguments)));
        Box::pin(std::future::ready(Ok(self.answer.clone())))
    }
}

/// What the door answers, and what was sent elsewhere for it.
fn asked(
    tool: &str,
    arguments: &str,
    answer: Value,
    policy: impl Authorize + 'static,
) -> (Result<Value, ToolError>, Vec<String>) {
    let elsewhere = Arc::new(Elsewhere { answer, sent: Mutex::default() });
    let request = request(tool, Arguments::Text(arguments.to_owned()), policy);
    let context = context().with_upstream(Arc::<Elsewhere>::clone(&elsewhere));
    let result = block_on(registry().call(&ToolFilter::new(), request, context)).unwrap().into_result();
    let sent = elsewhere.sent.lock().unwrap().clone();
    (result, sent)
}

#[test]
fn a_tool_of_its_is_answered_there_with_the_arguments_as_they_were_given() {
    let given = r#"{"linkedIssues":null,"attempt":2.0}"#;
    let (result, sent) = asked("door_predict", given, json!({ "seen": "elsewhere", "more": 1 }), TrustProcessOwner);
    assert_eq!(result.unwrap(), json!({ "seen": "elsewhere", "more": 1 }));
    assert_eq!(sent, [format!("door_predict {given}")]);
    let (result, sent) = asked("door_ping", "{}", json!({}), TrustProcessOwner);
    assert_eq!((result.unwrap(), sent.len()), (json!({ "seen": "\"pong\"" }), 0), "its handler is here");
}

#[test]
fn an_answer_that_does_not_fit_is_an_error_that_names_the_place() {
    for (answer, place) in [
        (json!({ "seen": 7 }), "/seen"),
        (json!({}), "/seen: is required"),
        (json!([]), "object"),
        (json!({ "seen": "x", "n": 9_007_199_254_740_993_u64 }), "/n"),
    ] {
        let error = asked("door_predict", "{}", answer, TrustProcessOwner).0.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UpstreamError);
        assert!(error.message().contains(place), "{error}");
    }
}

#[test]
fn what_the_door_refuses_is_never_sent() {
    let (result, sent) = asked("door_predict", r#"{"attempt":"two"}"#, json!({}), TrustProcessOwner);
    assert_eq!((result.unwrap_err().code(), sent.len()), (ErrorCode::InvalidInput, 0));
    let (result, sent) = asked("door_predict", "{}", json!({}), Scoped);
    assert_eq!((result.unwrap_err().code(), sent.len()), (ErrorCode::Unauthorized, 0));
}

/// Lets nobody do anything in particular.
struct Scoped;

impl Authorize for Scoped {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        Decision::Allow
    }

    fn scope(&self, _: &Caller, _: &ToolDefinition, _: &Map<String, Value>) -> BoxFuture<Decision> {
        Box::pin(std::future::ready(Decision::Deny("not this one".to_owned())))
    }
}

/// Counts calls, and lets none on.
struct Full(Arc<Mutex<u32>>);

impl Authorize for Full {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        Decision::Allow
    }

    fn admit(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        *self.0.lock().unwrap() += 1;
        Decision::Fail(ErrorCode::RateLimited, "wait 7 seconds".to_owned())
    }
}

#[test]
fn a_call_is_counted_once_before_its_arguments_are_looked_at_and_listing_is_not() {
    let counted = Arc::new(Mutex::new(0));
    let (result, sent) = asked("door_predict", "{{", json!({}), Full(Arc::clone(&counted)));
    let error = result.unwrap_err();
    assert_eq!((error.code(), error.message(), sent.len()), (ErrorCode::RateLimited, "wait 7 seconds", 0));
    registry().list_for(&ToolFilter::new(), &Caller::anonymous(), &Full(Arc::clone(&counted)));
    assert_eq!(*counted.lock().unwrap(), 1);
}
