//! Older stores, newer stores, and rows that nobody expects.

use contract_tests::stdio_client::StdioClient;
use contract_tools::miner::Store;
use serde_json::{Value, json};

use super::state::{STORES, State, TOOLS, arguments, call_all, failure, readers, value};

#[test]
fn a_newer_version_is_refused_with_both_numbers_by_every_tool_that_reads_it() {
    for store in STORES {
        let state = State::of("main");
        state.execute(store, "PRAGMA user_version = 99");
        let before = state.seen();
        for (tool, result) in call_all(&mut state.client()) {
            if readers(store).contains(&tool) {
                let (code, reason, message) = failure(&result);
                assert_eq!((code.as_str(), reason.as_str()), ("store_unavailable", "too_new"), "{tool}");
                assert!(message.contains("99") && message.contains("up to"), "{message}");
            } else {
                value(&result);
            }
        }
        assert_eq!(before, state.seen());
    }
}

#[test]
fn a_newer_version_is_refused_before_its_columns_are_looked_at() {
    let state = State::of("main");
    state
        .execute(Store::ClaimLedger, "ALTER TABLE miner_claims RENAME COLUMN note TO remark; PRAGMA user_version = 99");
    assert_eq!(failure(&state.client().call("loopover_miner_list_claims", &json!({}))).1, "too_new");
}

#[test]
fn a_version_counts_in_its_own_store_only() {
    let other = "CREATE TABLE something_else (x); DROP TABLE miner_claims";
    for (change, version, expect) in [
        ("", 99, "too_new"),
        ("ALTER TABLE miner_claims RENAME COLUMN id TO number", 99, "too_new"),
        ("ALTER TABLE miner_claims RENAME TO t; CREATE VIEW miner_claims AS SELECT * FROM t", 99, "too_new"),
        ("ALTER TABLE miner_claims RENAME TO t; CREATE VIEW miner_claims AS SELECT * FROM t", 3, "wrong_schema"),
        ("ALTER TABLE miner_claims RENAME COLUMN id TO number", 3, "wrong_schema"),
        (other, 3, "wrong_schema"),
        (other, 99, "wrong_schema"),
    ] {
        let state = State::of("main");
        state.execute(Store::ClaimLedger, &format!("{change}; PRAGMA user_version = {version}"));
        let result = state.client().call("loopover_miner_list_claims", &json!({}));
        assert_eq!(failure(&result).1, expect, "{change} at version {version}");
    }
    let state = State::of("main");
    let path = state.path(Store::ClaimLedger);
    let mut client = state.client();
    std::fs::copy(state.path(Store::PortfolioQueue), &path).unwrap();
    assert_eq!(failure(&client.call("loopover_miner_list_claims", &json!({}))).1, "wrong_schema", "another store");
    for (version, expect) in [(3, None), (99, Some("too_new"))] {
        std::fs::remove_file(&path).unwrap();
        state.execute(Store::ClaimLedger, &format!("PRAGMA user_version = {version}"));
        let result = client.call("loopover_miner_list_claims", &json!({}));
        match expect {
            None => assert_eq!(value(&result)["initialised"], false),
            Some(reason) => assert_eq!(failure(&result).1, reason, "nothing in it at version {version}"),
        }
    }
}

#[test]
fn an_older_version_is_read_and_what_it_lacks_is_null() {
    let state = State::of("main");
    state.execute(Store::ClaimLedger, "ALTER TABLE miner_claims DROP COLUMN note; PRAGMA user_version = 1");
    state.execute(Store::PlanStore, "ALTER TABLE miner_plans DROP COLUMN tenant_id; PRAGMA user_version = 0");
    let mut client = state.client();
    let claims = client.call("loopover_miner_list_claims", &json!({}));
    assert_eq!(value(&claims)["claims"].as_array().map(Vec::len), Some(4));
    assert_eq!(value(&claims)["claims"][0]["note"], Value::Null);
    let plans = client.call("loopover_miner_list_plans", &json!({}));
    assert_eq!(value(&plans)["plans"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_required_column_that_is_gone_is_a_wrong_schema() {
    let state = State::of("main");
    state.execute(Store::ClaimLedger, "ALTER TABLE miner_claims RENAME COLUMN claimed_at TO at");
    assert_eq!(failure(&state.client().call("loopover_miner_list_claims", &json!({}))).1, "wrong_schema");
}

/// A table of a store without the constraints that keep bad rows out.
fn without_constraints(state: &State, store: Store, table: &str) {
    let sql =
        format!("CREATE TABLE loose AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE loose RENAME TO {table}");
    state.execute(store, &sql);
}

#[test]
fn numbers_that_json_does_not_carry_are_left_out_and_never_rounded() {
    let state = State::of("main");
    state.execute(
        Store::ClaimLedger,
        "INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at, status)
           VALUES ('https://api.github.com', 'a/b', 9007199254740993, 't', 'active'),
                  ('https://api.github.com', 'a/b', 9007199254740991, 't', 'active')",
    );
    state.execute(
        Store::EventLedger,
        "INSERT INTO miner_event_ledger (seq, event_type, payload_json, created_at) VALUES (1152921504606846976, 'x', '{}', 't')",
    );
    let mut client = state.client();
    let claims = client.call("loopover_miner_list_claims", &json!({ "repoFullName": "a/b" }));
    let numbers: Vec<&Value> =
        value(&claims)["claims"].as_array().unwrap().iter().map(|claim| &claim["issueNumber"]).collect();
    assert_eq!(numbers, [&json!(9_007_199_254_740_991_i64)]);
    assert_eq!(value(&claims)["skippedRows"], 1);
    let feed = client.call("loopover_miner_get_audit_feed", &json!({ "type": "x" }));
    assert_eq!((&value(&feed)["events"], &value(&feed)["skippedRows"]), (&json!([]), &json!(1)));
}

#[test]
fn a_row_with_something_else_in_it_is_left_out_and_counted_by_every_tool() {
    let state = State::of("main");
    for (store, table) in [
        (Store::ClaimLedger, "miner_claims"),
        (Store::EventLedger, "miner_event_ledger"),
        (Store::PortfolioQueue, "miner_portfolio_queue"),
        (Store::RunState, "miner_run_state"),
        (Store::PlanStore, "miner_plans"),
        (Store::GovernorLedger, "governor_events"),
        (Store::PredictionLedger, "predictions"),
    ] {
        without_constraints(&state, store, table);
    }
    let mut client = state.client();
    let before = call_all(&mut client);
    state.execute(
        Store::ClaimLedger,
        "INSERT INTO miner_claims (id, api_base_url, repo_full_name, issue_number, claimed_at, status)
           VALUES (90, 'h', X'ff00', 1, 't', 'active'), (91, 'h', 'a/b', 'notint', 't', 'active'),
                  (92, 'h', 'a/b', 1, 't', NULL), (93, 'h', CAST(X'c328' AS TEXT), 1, 't', 'active')",
    );
    state.execute(
        Store::EventLedger,
        "INSERT INTO miner_event_ledger (id, seq, event_type, repo_full_name, payload_json, created_at)
           VALUES (90, 90, 'pr_outcome', 'a/b', '{', 't'), (91, 91, 'manage_pr_update', X'00', '{}', 't'),
                  (92, 'x', 'x', 'a/b', '{}', 't')",
    );
    state.execute(
        Store::PortfolioQueue,
        "INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, priority, status, enqueued_at)
           VALUES ('h', X'ff', 'pr:1', 1, 'queued', 't'), ('h', 'a/b', 'pr:2', 1, NULL, 't')",
    );
    state.execute(
        Store::RunState,
        "INSERT INTO miner_run_state (api_base_url, repo_full_name, state, updated_at) VALUES ('h', 'a/b', 7, 't')",
    );
    state.execute(Store::PlanStore, "INSERT INTO miner_plans (plan_id, plan_json, status, updated_at) VALUES ('bad', '{}', 'failed', 't'), ('bad2', X'00', 'failed', 't')");
    state.execute(Store::GovernorLedger, "INSERT INTO governor_events (id, ts, event_type, action_class, decision, reason) VALUES (90, 't', X'00', 'a', 'b', 'c')");
    state.execute(
        Store::PredictionLedger,
        "INSERT INTO predictions (id, ts, repo_full_name, target_id, conclusion) VALUES (90, 't', 'a/b', 1.5, 'merge')",
    );
    for tool in TOOLS {
        let result = client.call(tool, &arguments(tool));
        let skipped = value(&result)["skippedRows"].as_u64().unwrap_or_default();
        let expect = match tool {
            "loopover_miner_list_claims" | "loopover_miner_get_manage_status" => 4,
            "loopover_miner_get_audit_feed" => 3,
            "loopover_miner_get_portfolio_dashboard"
            | "loopover_miner_list_plans"
            | "loopover_miner_get_calibration_report" => 2,
            "loopover_miner_get_run_state" | "loopover_miner_get_governor_decisions" => 1,
            _ => 0,
        };
        assert_eq!(skipped, expect, "{tool}: {result}");
        if !matches!(tool, "loopover_miner_status" | "loopover_miner_ping") {
            let strip = |result: &Value| {
                let mut value = result["structuredContent"].clone();
                for member in ["skippedRows", "nextSince"] {
                    value.as_object_mut().unwrap().shift_remove(member);
                }
                value
            };
            assert_eq!(strip(&result), strip(&before[tool]), "{tool}: the other rows are what they were");
        }
    }
    let bad = client.call("loopover_miner_get_plan", &json!({ "planId": "bad" }));
    assert_eq!((&value(&bad)["found"], &value(&bad)["skippedRows"]), (&json!(false), &json!(1)));
}

#[test]
fn the_same_repository_on_two_hosts_is_two() {
    let state = State::of("main");
    let mut client = state.client();
    let managed = client.call("loopover_miner_get_manage_status", &json!({}));
    let widgets: Vec<(&Value, &Value, &Value)> = value(&managed)["runPortfolio"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|repository| repository["repoFullName"] == "acme/widgets")
        .map(|repository| (&repository["apiBaseUrl"], &repository["runState"], &repository["prCount"]))
        .collect();
    assert_eq!(
        widgets,
        [
            (&json!("https://api.github.com"), &json!("preparing"), &json!(2)),
            (&json!("https://ghe.example.com/api/v3"), &json!("discovering"), &json!(1)),
        ]
    );
    let elsewhere = client.call("loopover_miner_get_run_state", &json!({ "repoFullName": "ghe/only" }));
    assert_eq!(value(&elsewhere)["apiBaseUrl"], "https://ghe.example.com/api/v3");
}

#[test]
fn an_identifier_that_names_no_plan_is_not_repeated_at_any_length() {
    let state = State::of("main");
    let mut client = state.client();
    let asked = |client: &mut StdioClient, plan_id: &str| {
        value(&client.call("loopover_miner_get_plan", &json!({ "planId": plan_id })))["planId"].clone()
    };
    assert_eq!(asked(&mut client, "no-such"), "no-such");
    assert_eq!(asked(&mut client, &"é".repeat(1_000_000)), "é".repeat(256));
}
