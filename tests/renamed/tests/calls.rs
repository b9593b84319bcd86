//! The renamed crate's tools, called through the door by their typed handles.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::SystemTime;

use contract_renamed::{Ledger, Method, PayInput, Positions, Receipt, RenamedFind, RenamedFindInput, RenamedPay};
use toolbox::{
    Arguments, CallContext, Caller, Client, Clock, ErrorCode, Provided, Registry, ToolFilter, TrustProcessOwner,
    serde_json,
};

fn client() -> Client {
    let registry = Registry::collect().expect("the crate's tools keep the conventions");
    Client::new(registry, Caller::anonymous(), TrustProcessOwner, || {
        let provided = Provided::new().with(Ledger { positions: vec![50, 250] });
        CallContext::new(Clock::frozen(SystemTime::UNIX_EPOCH)).with_provided(provided)
    })
}

/// None of these tools waits for anything.
#[track_caller]
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the tool waits"),
    }
}

#[test]
fn a_whole_input_is_called_by_its_handle() {
    let input = PayInput { position: 1, paid_by: Method::CreditCard };
    let receipt = now(client().call::<RenamedPay>(input)).expect("the position is there");
    assert_eq!(receipt, Receipt { paid_cents: 250, paid_by: Method::CreditCard });
    let error = now(client().call::<RenamedPay>(PayInput { position: 9, paid_by: Method::Cash })).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
}

#[test]
fn flat_parameters_are_called_by_their_handle() {
    let found = now(client().call::<RenamedFind>(RenamedFindInput { least_cents: 50 })).expect("nothing is wrong");
    assert_eq!(found, Positions { positions: vec![0, 1] });
    let reply = now(client().call_json("renamed_find", Arguments::Text("{}".to_owned()))).expect("it is a tool");
    assert_eq!(reply.text(), r#"{"positions":[1]}"#, "the default applies");
}

#[test]
fn names_are_camel_case_and_the_category_is_our_own() {
    let registry = Registry::collect().expect("the crate's tools keep the conventions");
    let pay = registry.get("renamed_pay").expect("it is linked");
    assert_eq!(pay.category(), "billing");
    let input = serde_json::to_value(pay.input_schema()).expect("a schema is JSON");
    assert_eq!(input["properties"]["paidBy"]["enum"], serde_json::json!(["creditCard", "cash"]));
    assert_eq!(registry.list_tool_definitions(&ToolFilter::new()).len(), 2);
}

#[test]
fn every_law_holds() {
    toolbox::testing::assert_laws();
}
