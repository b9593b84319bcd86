//! Answers: what a success and a failure look like, and what never leaves.

use contract_core::ErrorCode;
use serde_json::{Value, json};

use super::{accepted, answer, registry};

#[test]
fn a_success_is_a_value_and_the_compact_json_of_it() {
    for count in 0..3 {
        let reply = answer("door_claims", &format!("{{\"count\":{count}}}")).unwrap();
        let value = reply.result().unwrap().clone();
        assert_eq!(value["claims"].as_array().map(Vec::len), Some(count), "an object with a list in all cases");
        assert_eq!(serde_json::from_str::<Value>(&reply.text()).unwrap(), value);
        assert!(!reply.text().contains('\n') && !reply.text().contains(": "), "compact");
    }
}

#[test]
fn a_skipped_member_is_not_required_of_the_output() {
    assert!(accepted("door_claims", r#"{"count":1}"#).get("warnings").is_none());
    let registry = registry();
    let schema = registry.get("door_claims").unwrap().output_schema();
    assert_eq!(schema["required"], json!(["claims"]));
}

#[test]
fn a_failure_is_an_envelope_without_what_happened_inside() {
    let reply = answer("door_fails", "{}").unwrap();
    assert!(reply.is_error());
    assert_eq!(
        serde_json::from_str::<Value>(&reply.text()).unwrap(),
        json!({ "error": { "code": "store_unavailable", "message": "the store is busy; try again in a moment" } })
    );
}

#[test]
fn bad_arguments_are_an_answer_with_every_issue() {
    let envelope: Value = serde_json::from_str(&answer("door_get_plan", "{}").unwrap().text()).unwrap();
    assert_eq!(envelope["error"]["code"], "invalid_input");
    assert_eq!(
        envelope["error"]["issues"],
        json!([{ "pointer": "/planId", "rule": "required", "message": "is required: a string" }])
    );
}

#[test]
fn an_answer_that_breaks_its_own_contract_is_withheld() {
    for arguments in [r#"{"nan":true}"#, r#"{"nan":false}"#] {
        let error = answer("door_breaks_its_word", arguments).unwrap().into_result().unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownError);
        assert!(!error.message().contains("9007"), "{error}");
    }
}

#[test]
fn a_panic_is_an_answer_and_its_text_stays_inside() {
    for tool in ["door_panics", "door_panics_blocking"] {
        let reply = answer(tool, "{}").unwrap();
        assert!(reply.is_error() && !reply.text().contains("hunter2"), "{}", reply.text());
        assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::UnknownError);
    }
}
