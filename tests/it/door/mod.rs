//! The one door: what every call meets, whichever server it comes through. Each test is named after its rule.

mod answers;
mod arguments;
mod clients;
mod faults;
mod order;
mod tools;
mod upstream;
mod waiting;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, Authorize, CallContext, CallReply, CallRequest, Caller, Clock, ProtocolFault, Provided, Registry,
    ToolFilter, TrustProcessOwner,
};
use serde_json::Value;

/// Every tool that this binary links; the tests name those of [`tools`].
fn registry() -> Registry {
    Registry::collect().unwrap()
}

fn context() -> CallContext {
    let now = SystemTime::UNIX_EPOCH + Duration::from_hours(1);
    CallContext::new(Clock::frozen(now)).with_provided(Provided::new().with(tools::Store { name: "shelf" }))
}

fn request(tool: &str, arguments: Arguments, policy: impl Authorize + 'static) -> CallRequest {
    CallRequest { tool: tool.to_owned(), arguments, caller: Caller::anonymous(), policy: Arc::new(policy) }
}

/// What the door answers to `arguments`, as a client would send them.
fn answer(tool: &str, arguments: &str) -> Result<CallReply, ProtocolFault> {
    let request = request(tool, Arguments::Text(arguments.to_owned()), TrustProcessOwner);
    block_on(registry().call(&ToolFilter::new(), request, context()))
}

/// A success.
#[track_caller]
fn accepted(tool: &str, arguments: &str) -> Value {
    answer(tool, arguments).unwrap().into_result().unwrap_or_else(|error| panic!("{arguments} is refused: {error}"))
}

/// The issues of a call that is refused as invalid: `pointer: message`, one a line.
#[track_caller]
fn refused(tool: &str, arguments: &str) -> String {
    let error = answer(tool, arguments).unwrap().into_result().expect_err(arguments);
    assert_eq!(error.code(), contract_core::ErrorCode::InvalidInput, "{error}");
    let lines: Vec<String> = error.issues().iter().map(ToString::to_string).collect();
    lines.join("\n")
}
