//! The expansions that reviewers read are also what runs: each file is compiled here as it is printed, and its tool called.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::SystemTime;

use contract_core::serde_json::{self, Value, json};
use contract_core::{
    Arguments, CallContext, CallRequest, Caller, Clock, ContractTool, Provided, Registry, ToolFilter, TrustProcessOwner,
};

/// Printed code spells everything out, which lints take for a person's hand.
macro_rules! expansion {
    ($($name:ident in $path:literal;)*) => {$(
        #[path = $path]
        #[expect(clippy::allow_attributes, clippy::allow_attributes_without_reason, reason = "generated code allows")]
        #[expect(unused_imports, reason = "the macros that are imported are expanded already")]
        #[expect(unreachable_pub, reason = "a golden is written as a library's module would be")]
        mod $name;
    )*};
}

expansion! {
    flat in "../../contract-derive/golden/flat.expanded.rs";
    whole in "../../contract-derive/golden/whole.expanded.rs";
    empty in "../../contract-derive/golden/empty.expanded.rs";
    raw_identifiers in "../../contract-derive/golden/raw_identifiers.expanded.rs";
}

/// Calls the tool behind the handle `T` with this input, through the door.
#[track_caller]
fn call<T: ContractTool>(input: &impl serde::Serialize) -> Value {
    let registry = Registry::from_entries([T::entry()]).expect("a golden keeps the conventions");
    let request = CallRequest {
        tool: T::NAME.to_owned(),
        arguments: Arguments::Text(serde_json::to_string(input).expect("an input can be written")),
        caller: Caller::anonymous(),
        policy: Arc::new(TrustProcessOwner),
    };
    let shelf = flat::Shelf(vec!["Programming Rust".to_owned(), "Rust for Rustaceans".to_owned()]);
    let context = CallContext::new(Clock::frozen(SystemTime::UNIX_EPOCH)).with_provided(Provided::new().with(shelf));
    let mut future = pin!(registry.call(&ToolFilter::new(), request, context));
    let Poll::Ready(reply) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a golden has nothing to wait for");
    };
    let reply = reply.expect("the tool is in its registry");
    serde_json::from_str(&reply.text()).expect("a reply is JSON")
}

#[test]
fn flat_parameters_are_read_with_their_defaults() {
    let input = flat::GoldenFlatInput { title: "rust".to_owned(), max_titles: 1 };
    assert_eq!(call::<flat::GoldenFlat>(&input), json!({ "titles": ["Programming Rust"] }));
    let all = call::<flat::GoldenFlat>(&json!({ "title": "rust" }));
    assert_eq!(all["titles"].as_array().map(Vec::len), Some(2));
    let refused = call::<flat::GoldenFlat>(&json!({ "title": "", "max_titles": 3 }));
    assert_eq!(refused["error"]["issues"].as_array().map(Vec::len), Some(2), "{refused}");
}

#[test]
fn a_whole_input_is_read_and_an_error_converted() {
    let input = whole::Greeting { to_whom: "Ada".to_owned() };
    assert_eq!(call::<whole::GoldenWhole>(&input), json!({ "words": "Hello, Ada" }));
    let refused = call::<whole::GoldenWhole>(&json!({ "toWhom": "7" }));
    assert_eq!(refused["error"]["message"], "send a name with a letter in it");
}

#[test]
fn no_parameters_are_an_empty_object() {
    assert_eq!(call::<empty::GoldenEmpty>(&empty::GoldenEmptyInput {}), json!({ "alive": true }));
    let registry = Registry::from_entries([empty::GoldenEmpty::entry()]).expect("a golden keeps the conventions");
    let tool = registry.get("golden_empty").expect("it was put in");
    let schema = serde_json::to_string(tool.input_schema()).expect("a schema is JSON");
    assert_eq!(schema, r#"{"type":"object","properties":{},"additionalProperties":false}"#);
}

#[test]
fn keywords_are_names_on_the_wire() {
    let input = raw_identifiers::MatchInput { r#type: "plan".to_owned() };
    assert_eq!(call::<raw_identifiers::Match>(&input), json!({ "type": "plan" }));
}

#[test]
fn every_golden_is_submitted() {
    let registry = Registry::collect().expect("this program keeps the conventions");
    registry.require(["golden_flat", "golden_whole", "golden_empty", "golden_match"]).expect("goldens are linked");
}
