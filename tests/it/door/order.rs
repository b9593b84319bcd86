//! The order of the door: slice, level, arguments, scope, handler. What an earlier step refuses, no later step sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, Auth, Authorize, Availability, BoxFuture, CallContext, CallReply, CallRequest, Caller, Clock, Decision,
    ErrorCode, Locality, ProtocolFault, Provided, PublicOnly, ToolDefinition, ToolFilter, TrustProcessOwner,
};
use serde_json::{Map, Value};

use super::{context, registry, request};

/// Allows the level, counts how often the scope is asked, and denies it.
struct DenyScope(Arc<AtomicUsize>);

impl Authorize for DenyScope {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        Decision::Allow
    }

    fn scope(&self, _: &Caller, _: &ToolDefinition, arguments: &Map<String, Value>) -> BoxFuture<Decision> {
        self.0.fetch_add(1, Ordering::Relaxed);
        assert!(arguments.get("planId").is_some_and(Value::is_string), "the scope sees validated arguments");
        Box::pin(async { Decision::Deny("not your plan".to_owned()) })
    }
}

fn call(slice: &ToolFilter, request: CallRequest) -> Result<CallReply, ProtocolFault> {
    block_on(registry().call(slice, request, context()))
}

fn code(reply: Result<CallReply, ProtocolFault>) -> ErrorCode {
    reply.unwrap().into_result().unwrap_err().code()
}

#[test]
fn a_tool_outside_the_slice_is_an_unknown_tool() {
    let remote = ToolFilter::new().locality(Locality::Remote);
    let reply = call(&remote, request("door_ping", Arguments::Absent, TrustProcessOwner));
    assert!(matches!(reply, Err(ProtocolFault::UnknownTool { .. })));
}

#[test]
fn the_level_is_asked_before_the_arguments_and_names_the_credential() {
    let broken = || Arguments::Text("{\"nonsense\":".to_owned());
    let anonymous = call(&ToolFilter::new(), request("door_store", broken(), PublicOnly));
    assert_eq!(code(anonymous), ErrorCode::Unauthorized);
    let mut known = request("door_store", broken(), PublicOnly);
    known.caller = Caller::authenticated("somebody");
    assert_eq!(code(call(&ToolFilter::new(), known)), ErrorCode::Forbidden);
}

#[test]
fn the_scope_is_asked_after_the_arguments() {
    let asked = Arc::new(AtomicUsize::new(0));
    let with = |arguments: &str| {
        request("door_get_plan", Arguments::Text(arguments.to_owned()), DenyScope(Arc::clone(&asked)))
    };
    assert_eq!(code(call(&ToolFilter::new(), with("{}"))), ErrorCode::InvalidInput);
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    assert_eq!(code(call(&ToolFilter::new(), with(r#"{"planId":"p"}"#))), ErrorCode::Unauthorized);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn the_list_shows_what_the_level_lets_in() {
    let registry = registry();
    let everything = ToolFilter::new();
    let shown = registry.list_for(&everything, &Caller::anonymous(), &PublicOnly);
    assert!(shown.iter().all(|tool| tool.auth() == Auth::Public));
    assert!(
        shown.iter().any(|tool| tool.name() == "door_ping") && !shown.iter().any(|tool| tool.name() == "door_store")
    );
    let all = registry.list_for(&everything, &Caller::anonymous(), &TrustProcessOwner);
    assert_eq!(all.len(), registry.len());
}

#[test]
fn a_hidden_tool_is_not_suggested_for_a_misspelt_name() {
    let fault = call(&ToolFilter::new(), request("door_stor", Arguments::Absent, PublicOnly)).unwrap_err();
    assert_eq!(fault.to_string(), "unknown tool `door_stor`");
}

#[test]
fn filters_intersect_and_change_nothing() {
    let registry = registry();
    let before = registry.list_tool_definitions(&ToolFilter::new()).len();
    let cloud = registry.list_tool_definitions(&ToolFilter::new().availability(Availability::Cloud));
    assert!(cloud.iter().all(|tool| tool.availability() != Availability::Selfhost));
    assert!(cloud.iter().any(|tool| tool.availability() == Availability::Both));
    let narrow = ToolFilter::new().locality(Locality::Remote).availability(Availability::Cloud).category("utility");
    assert!(registry.list_tool_definitions(&narrow).iter().any(|tool| tool.name() == "door_store"));
    assert!(registry.list_tool_definitions(&narrow.category("review")).iter().all(|tool| tool.category() == "review"));
    assert_eq!(registry.list_tool_definitions(&ToolFilter::new()).len(), before);
}

#[test]
fn what_a_server_forgot_to_provide_is_named_when_it_starts() {
    let registry = registry();
    let slice = ToolFilter::new().locality(Locality::Remote).availability(Availability::Cloud).category("utility");
    let missing = registry.require_provided(&slice, &Provided::new()).unwrap_err().to_string();
    assert!(missing.contains("door_store needs a `") && missing.contains("Store`"), "{missing}");
    assert!(registry.require_provided(&slice, &Provided::new().with(super::tools::Store { name: "x" })).is_ok());
    // A server that did not ask finds out at the call, and the caller learns nothing about its insides.
    let bare = CallContext::new(Clock::frozen(std::time::SystemTime::UNIX_EPOCH));
    let reply = block_on(registry.call(&slice, request("door_store", Arguments::Absent, TrustProcessOwner), bare));
    let error = reply.unwrap().into_result().unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotConfigured);
    assert!(!error.message().contains("Store"), "{error}");
}

#[test]
fn a_binary_that_lost_tools_is_told_which() {
    let missing = registry().require(["door_ping", "door_gone", "door_lost"]).unwrap_err().to_string();
    assert!(missing.contains("door_gone, door_lost") && !missing.contains("door_ping"), "{missing}");
}
