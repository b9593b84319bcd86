//! What goes wrong around a handler: whichever part of the server panics, stalls or floods, each call ends in a reply.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use contract_core::testing::block_on;
use contract_core::{
    Arguments, Authorize, BoxFuture, CallContext, CallReply, CallRequest, Caller, Clock, Decision, ErrorCode, Observer,
    Outcome, ProtocolFault, ToolDefinition, ToolFilter, TrustProcessOwner,
};
use serde_json::{Map, Value, json};

use super::{answer, context, registry, request};

fn call(request: CallRequest, context: CallContext) -> Result<CallReply, ProtocolFault> {
    block_on(registry().call(&ToolFilter::new(), request, context))
}

fn ping() -> CallRequest {
    request("door_ping", Arguments::Absent, TrustProcessOwner)
}

/// Panics wherever a server's part is asked.
struct Broken;

impl Observer for Broken {
    fn started(&self, _: &str) {
        panic!("observer");
    }

    fn ended(&self, _: &str, _: Outcome, _: Option<&str>, _: Duration) {
        panic!("observer");
    }
}

impl Authorize for Broken {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        panic!("policy");
    }
}

/// Panics at the scope alone.
struct BrokenScope;

impl Authorize for BrokenScope {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        Decision::Allow
    }

    fn scope(&self, _: &Caller, _: &ToolDefinition, _: &Map<String, Value>) -> BoxFuture<Decision> {
        panic!("scope");
    }
}

#[test]
fn an_observer_or_a_clock_that_panics_costs_no_answer() {
    assert!(!call(ping(), context().with_observer(Arc::new(Broken))).unwrap().is_error());
    let clock = Clock::new(|| panic!("clock"));
    assert!(!call(ping(), CallContext::new(clock)).unwrap().is_error());
    // Also when nobody waits for the end.
    let waiting = request("door_waits", Arguments::Absent, TrustProcessOwner);
    let mut dropped = registry().call(&ToolFilter::new(), waiting, context().with_observer(Arc::new(Broken)));
    assert!(dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(dropped);
}

#[test]
fn a_policy_that_panics_lets_nobody_in_and_shows_nothing() {
    let reply = call(request("door_ping", Arguments::Absent, Broken), context()).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::Unauthorized);
    let fault = call(request("door_pin", Arguments::Absent, Broken), context()).unwrap_err();
    assert_eq!(fault.to_string(), "unknown tool `door_pin`");
    assert!(registry().list_for(&ToolFilter::new(), &Caller::anonymous(), &Broken).is_empty());
    let reply = call(request("door_ping", Arguments::Absent, BrokenScope), context()).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::UnknownError);
}

#[test]
fn a_deadline_that_panics_is_an_answer() {
    let broken = poll_fn(|_| -> Poll<()> { panic!("deadline") });
    let waiting = request("door_waits", Arguments::Absent, TrustProcessOwner);
    let reply = call(waiting, context().with_deadline(broken)).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::UnknownError);
}

#[test]
fn what_panics_while_it_is_dropped_is_an_answer() {
    for tool in ["door_drops_a_bomb", "door_throws_a_bomb", "door_throws_a_bomb_blocking"] {
        let deadline = context().with_deadline(std::future::ready(()));
        let reply = call(request(tool, Arguments::Absent, TrustProcessOwner), deadline).unwrap();
        assert!(
            matches!(reply.into_result().unwrap_err().code(), ErrorCode::Timeout | ErrorCode::UnknownError),
            "{tool}"
        );
    }
    let offloaded = context().with_blocking(|job| drop(std::thread::spawn(job)));
    let reply = call(request("door_throws_a_bomb_blocking", Arguments::Absent, TrustProcessOwner), offloaded).unwrap();
    let error = reply.into_result().unwrap_err();
    assert!(error.message().contains("failed unexpectedly"), "{error}");
}

#[test]
fn a_runtime_that_polls_inside_wake_gets_through() {
    /// A call that is polled by whoever wakes it.
    struct Inline(Mutex<Option<BoxFuture<Result<CallReply, ProtocolFault>>>>, Mutex<Option<CallReply>>);
    impl Wake for Inline {
        fn wake(self: Arc<Self>) {
            let Some(mut call) = self.0.lock().unwrap().take() else { return };
            let waker = Waker::from(Arc::clone(&self));
            match call.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(reply) => *self.1.lock().unwrap() = reply.ok(),
                Poll::Pending => *self.0.lock().unwrap() = Some(call),
            }
        }
    }
    let job: Arc<Mutex<Option<contract_core::Job>>> = Arc::default();
    let kept = Arc::clone(&job);
    let context = context().with_blocking(move |job| *kept.lock().unwrap() = Some(job));
    let inline =
        Arc::new(Inline(Mutex::new(Some(registry().call(&ToolFilter::new(), ping(), context))), Mutex::new(None)));
    Arc::clone(&inline).wake();
    let job = job.lock().unwrap().take().expect("the handler was handed over");
    job();
    assert!(inline.1.lock().unwrap().take().is_some_and(|reply| !reply.is_error()));
}

#[test]
fn a_flood_of_unknown_keys_is_told_in_part_and_looked_at_in_part() {
    let keys: Map<String, Value> =
        (0..100_000).map(|number| (format!("{}{number}", "k".repeat(100)), json!(1))).collect();
    let started = std::time::Instant::now();
    let error = answer("door_predict", &Value::Object(keys).to_string()).unwrap().into_result().unwrap_err();
    assert_eq!(error.issues().len(), 32);
    assert!(error.message().len() < 32 * 512, "{}", error.message().len());
    assert!(started.elapsed() < contract_tests::stdio_client::ALIVE, "alive, not hung");
}

#[test]
fn a_key_of_any_length_is_shown_in_part() {
    let key = "k".repeat(1 << 20);
    let call = format!(r#"{{"variants":[],"operation":{{"kind":"drop"}},"labels":{{"{key}":5}}}}"#);
    let error = answer("door_variants", &call).unwrap().into_result().unwrap_err();
    assert!(error.message().len() < 1024, "{}", error.message().len());
    assert!(error.issues()[0].pointer.starts_with("/labels/kkk"));
}

#[test]
fn a_parsed_value_is_read_like_text() {
    let magic = json!({ "variants": [], "operation": { "kind": "drop" }, "labels": { "$serde_json::private::RawValue": "\"x\"" } });
    let call_with = request("door_variants", Arguments::Parsed(magic), TrustProcessOwner);
    let seen = call(call_with, context()).unwrap().into_result().unwrap();
    assert!(seen["seen"].as_str().unwrap().contains("RawValue"), "a key is a key: {seen}");
}
