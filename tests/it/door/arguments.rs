//! Arguments: what is taken, what is refused, and how the refusal helps.

use contract_core::testing::block_on;
use contract_core::{Arguments, ProtocolFault, ToolFilter, TrustProcessOwner};
use expect_test::expect;
use serde_json::json;

use super::{accepted, answer, context, refused, registry, request};

#[test]
fn absent_and_null_arguments_are_the_empty_object() {
    for arguments in [
        Arguments::Absent,
        Arguments::Parsed(json!(null)),
        Arguments::Text("null".to_owned()),
        Arguments::Text("{}".to_owned()),
    ] {
        let request = request("door_ping", arguments, TrustProcessOwner);
        let reply = block_on(registry().call(&ToolFilter::new(), request, context())).unwrap();
        assert_eq!(reply.result().unwrap()["seen"], "\"pong\"");
    }
    expect!["/planId: is required: a string"].assert_eq(&refused("door_get_plan", "{}"));
}

#[test]
fn arguments_that_are_no_object_are_a_fault_of_the_protocol() {
    for (arguments, found) in [("[\"a\",5]", "array"), ("\"{}\"", "string"), ("5", "integer"), ("true", "boolean")] {
        assert_eq!(answer("door_get_plan", arguments).unwrap_err(), ProtocolFault::ArgumentsNotAnObject { found });
    }
}

#[test]
fn an_unknown_tool_is_a_fault_of_the_protocol_and_names_the_nearest() {
    let fault = answer("door_get_plans", "{}").unwrap_err();
    assert_eq!(fault.to_string(), "unknown tool `door_get_plans`; did you mean `door_get_plan`?");
}

#[test]
fn an_unknown_key_names_the_nearest_and_all_known_keys() {
    expect![[r"
        /repo: unknown key `repo` (did you mean `repoFullName`?); known keys: `repoFullName`, `status`
        /state: unknown key `state` (did you mean `status`?); known keys: `repoFullName`, `status`"]]
    .assert_eq(&refused("door_list_claims", r#"{"repo":"acme/api","state":"active"}"#));
    expect!["/x: unknown key `x`; this takes no keys"].assert_eq(&refused("door_ping", r#"{"x":1}"#));
}

#[test]
fn a_key_that_a_host_adds_is_refused_by_name() {
    let said = refused("door_ping", r#"{"sessionId":"x","action":"sendMessage","chatInput":"hi"}"#);
    assert!(["`sessionId`", "`action`", "`chatInput`"].iter().all(|key| said.contains(key)), "{said}");
}

#[test]
fn an_unknown_key_is_refused_at_any_depth() {
    let call = r#"{"variants":[{"repoFullName":"a/b","pendingCnt":3}],"operation":{"kind":"drop"}}"#;
    expect!["/variants/0/pendingCnt: unknown key `pendingCnt` (did you mean `pendingCount`?); known keys: `repoFullName`, `pendingCount`"]
        .assert_eq(&refused("door_variants", call));
    let call = r#"{"variants":[],"operation":{"kind":"compare","depth":1,"too":1}}"#;
    expect!["/operation/too: unknown key `too`; known keys: `kind`, `depth`"]
        .assert_eq(&refused("door_variants", call));
}

#[test]
fn a_duplicate_key_is_refused_at_any_depth() {
    expect!["/planId: is written twice; send each key once"]
        .assert_eq(&refused("door_get_plan", r#"{"planId":"a","planId":"b"}"#));
    let call = r#"{"variants":[{"repoFullName":"a/b","repoFullName":"c/d"}],"operation":{"kind":"drop"}}"#;
    expect!["/variants/0/repoFullName: is written twice; send each key once"]
        .assert_eq(&refused("door_variants", call));
}

#[test]
fn a_wrong_type_says_both_types_and_never_missing() {
    expect!["/planId: must be a string, got integer"].assert_eq(&refused("door_get_plan", r#"{"planId":123}"#));
    expect!["/planId: must be a string, got null"].assert_eq(&refused("door_get_plan", r#"{"planId":null}"#));
}

#[test]
fn json_inside_a_string_is_refused_and_told_apart() {
    expect![[r"
        /linkedIssues: must be an array, got a string that holds one; send the JSON array itself, without quotes
        /attempt: must be an integer, got a string that holds one; send the JSON integer itself, without quotes"]]
    .assert_eq(&refused("door_predict", r#"{"linkedIssues":"[12, 15]","attempt":"890"}"#));
}

#[test]
fn every_violation_is_reported_at_once() {
    let said = refused("door_predict", r#"{"linkedIssues":[1,2,"x",4],"attempt":-1,"share":2,"zzz":0}"#);
    assert_eq!(said.lines().count(), 5, "{said}");
}

#[test]
fn null_of_an_optional_member_is_absent() {
    assert_eq!(
        accepted("door_list_claims", r#"{"repoFullName":null,"status":null}"#),
        accepted("door_list_claims", "{}")
    );
    assert_eq!(accepted("door_audit_feed", r#"{"since":null,"limit":null}"#)["seen"], "(None, 200, None)");
}

#[test]
fn an_integral_float_is_an_integer_and_a_fraction_is_not() {
    assert_eq!(accepted("door_audit_feed", r#"{"since":30.0}"#)["seen"], "(Some(30), 200, None)");
    assert_eq!(accepted("door_audit_feed", r#"{"since":3e1}"#)["seen"], "(Some(30), 200, None)");
    for arguments in [r#"{"since":30.5}"#, r#"{"since":0.5}"#, r#"{"since":1.5}"#] {
        expect!["/since: must be an integer, got number"].assert_eq(&refused("door_audit_feed", arguments));
    }
}

#[test]
fn integers_past_their_type_or_past_exactness_are_refused_and_never_wrap() {
    expect!["/attempt: must be at most 4294967295"].assert_eq(&refused("door_predict", r#"{"attempt":5000000000}"#));
    for number in ["9007199254740992", "9007199254740993", "18446744073709551615", "18446744073709551616", "1e300"] {
        let said = refused("door_audit_feed", &format!("{{\"since\":{number}}}"));
        assert_eq!(said, "/since: must be at most 9007199254740991", "{number}");
    }
    let said = refused("door_audit_feed", r#"{"since":1e400}"#);
    assert!(said.starts_with("/since: is a number too large") && !said.contains("float"), "{said}");
    assert_eq!(
        accepted("door_audit_feed", r#"{"since":9007199254740991}"#)["seen"],
        "(Some(9007199254740991), 200, None)"
    );
}

#[test]
fn bounds_patterns_and_words_are_enforced_and_an_empty_filter_is_no_filter() {
    let call = |arguments| refused("door_list_claims", arguments);
    assert!(call(r#"{"repoFullName":""}"#).contains("at least 3 characters"));
    expect!["/repoFullName: must match the pattern ^[^/]+/[^/]+$"].assert_eq(&call(r#"{"repoFullName":"no-slash"}"#));
    expect![[r#"/status: must be one of "active", "released", "expired" (did you mean "active"?)"#]]
        .assert_eq(&call(r#"{"status":"Active"}"#));
    expect![[r#"/status: must be one of "active", "released", "expired" (did you mean "active"?)"#]]
        .assert_eq(&call(r#"{"status":"active "}"#));
    expect!["/linkedIssues: must have at most 3 items"]
        .assert_eq(&refused("door_predict", r#"{"linkedIssues":[1,2,3,4]}"#));
    expect!["/share: must be at most 1"].assert_eq(&refused("door_predict", r#"{"share":1.01}"#));
}

#[test]
fn string_bounds_count_code_points() {
    accepted("door_get_plan", r#"{"planId":"🦀🦀🦀🦀🦀🦀🦀🦀"}"#);
    expect!["/planId: must have at most 8 characters"]
        .assert_eq(&refused("door_get_plan", r#"{"planId":"🦀🦀🦀🦀🦀🦀🦀🦀🦀"}"#));
}

#[test]
fn a_union_reports_the_branch_that_was_meant() {
    let call = |operation: &str| refused("door_variants", &format!(r#"{{"variants":[],"operation":{operation}}}"#));
    expect!["/operation/depth: is required: an integer"].assert_eq(&call(r#"{"kind":"compare"}"#));
    expect!["/operation/depth: must be at most 255"].assert_eq(&call(r#"{"kind":"compare","depth":256}"#));
    expect![[r#"/operation/kind: must be one of "compare", "drop""#]].assert_eq(&call(r#"{"kind":"keep"}"#));
    expect![[r#"/operation: must be an object whose `kind` is one of "compare", "drop", got string"#]]
        .assert_eq(&call(r#""drop""#));
}

#[test]
fn a_map_takes_any_key() {
    let call = r#"{"variants":[],"operation":{"kind":"drop"},"labels":{"a":"b","c d":"e"}}"#;
    assert!(accepted("door_variants", call)["seen"].as_str().unwrap().contains("\"c d\""));
}

#[test]
fn a_struct_is_never_read_from_an_array() {
    let said = refused("door_variants", r#"{"variants":[["a/b",1]],"operation":{"kind":"drop"}}"#);
    assert_eq!(said, "/variants/0: must be an object, got array");
}

#[test]
fn deep_nesting_is_refused_and_the_next_call_answered() {
    for depth in [300, 100_000] {
        let said = refused("door_list_claims", &format!(r#"{{"repoFullName":{}"#, "[".repeat(depth)));
        assert!(said.contains("nested too deeply"), "{said}");
    }
    accepted("door_ping", "{}");
}

#[test]
fn text_that_is_no_json_is_refused_with_its_place() {
    expect!["is JSON that stops in the middle (line 1, column 10)"]
        .assert_eq(&refused("door_get_plan", r#"{"planId":"#));
}

#[test]
fn no_refusal_repeats_a_value_that_was_sent() {
    for arguments in [r#"{"planId":"hunter2hunter2"}"#, r#"{"planId":["hunter2"]}"#, r#"{"planId":{"hunter2":1}}"#] {
        assert!(!refused("door_get_plan", arguments).contains("hunter2"), "{arguments}");
    }
}

#[test]
fn a_raw_identifier_is_its_plain_name_on_the_wire() {
    assert_eq!(accepted("door_audit_feed", r#"{"type":"merge"}"#)["seen"], "(None, 200, Some(\"merge\"))");
}
