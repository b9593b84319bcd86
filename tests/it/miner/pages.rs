//! Ledgers of twenty thousand rows: every row is reached, and no answer grows with them.

use std::fs;

use contract_tools::miner::Store;
use serde_json::{Value, json};

use super::state::{State, call_all, value};

const ROWS: u64 = 20_000;

/// No answer is larger than this, whatever is in the stores.
const LARGEST_ANSWER: usize = 4 << 20;

fn large() -> State {
    let state = State::demo();
    let rows = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})");
    for (store, sql) in [
        (
            Store::ClaimLedger,
            "INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at) \
             SELECT 'https://api.github.com', 'many/repo' || (i % 1500), i, 't' FROM n",
        ),
        (
            Store::EventLedger,
            r#"INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at)
             SELECT i + 10, iif(i % 2, 'pr_outcome', 'manage_pr_update'), 'many/repo' || (i % 1500),
               '{"prNumber":' || i || ',"decision":"merged","branch":"b"}', '2026-03-01T00:00:00.000Z' FROM n"#,
        ),
        (
            Store::PortfolioQueue,
            "INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, enqueued_at) \
             SELECT 'https://api.github.com', 'many/repo' || (i % 1500), 'pr:' || i, '2026-03-01T00:00:00.000Z' FROM n",
        ),
        (
            Store::RunState,
            "INSERT INTO miner_run_state (api_base_url, repo_full_name, state, updated_at) \
             SELECT 'https://api.github.com', 'many/repo' || i, 'idle', 't' FROM n",
        ),
        (
            Store::PlanStore,
            r#"INSERT INTO miner_plans (plan_id, plan_json, status, updated_at)
             SELECT 'p' || (i * 7919 % 20011), '{"steps":[{"id":"a","title":"t","dependsOn":[],"status":"pending","attempts":0,"maxAttempts":1}]}',
               'pending', 't' FROM n"#,
        ),
        (
            Store::GovernorLedger,
            "INSERT INTO governor_events (ts, event_type, repo_full_name, action_class, decision, reason, payload_json) \
             SELECT '2026-03-01T00:00:00.000Z', 'allowed', 'many/repo', 'a', 'b', 'c', '{}' FROM n",
        ),
        (
            Store::PredictionLedger,
            "INSERT INTO predictions (ts, repo_full_name, target_id, conclusion, pack, blocker_codes_json, warning_codes_json, \
             engine_version) SELECT '2026-03-01T00:00:00.000Z', 'many/repo' || (i % 1500), i, 'success', 'p', '[]', '[]', '1' FROM n",
        ),
    ] {
        state.execute(store, &format!("{} {}", "", sql.replacen("SELECT", &format!("{rows} SELECT"), 1)));
    }
    state
}

#[test]
fn each_list_is_read_to_its_end_and_no_row_comes_twice() {
    let state = large();
    let mut client = state.client();
    for (tool, list, more) in [
        ("loopover_miner_list_claims", "claims", 2),
        ("loopover_miner_get_audit_feed", "events", 4),
        ("loopover_miner_list_plans", "plans", 1),
        ("loopover_miner_get_governor_decisions", "decisions", 2),
    ] {
        let first = client.call(tool, &json!({}));
        assert_eq!(value(&first)[list].as_array().map(Vec::len), Some(200), "{tool} without a limit");
        let (mut since, mut seen) = (json!(0), std::collections::BTreeSet::new());
        loop {
            let page = client.call(tool, &json!({ "since": since, "limit": 1000 }));
            let page = value(&page);
            for row in page[list].as_array().unwrap() {
                assert!(seen.insert(row["seq"].as_i64().unwrap()), "{tool}: {row} came twice");
            }
            since = page["nextSince"].clone();
            if page["truncated"] == false {
                break;
            }
        }
        assert_eq!(seen.len() as u64, ROWS + more, "{tool}");
        let end = client.call(tool, &json!({ "since": since }));
        assert_eq!(
            (&value(&end)[list], &value(&end)["nextSince"]),
            (&json!([]), &since),
            "{tool}: nothing has happened since"
        );
    }
}

#[test]
fn no_answer_grows_with_the_rows() {
    let state = large();
    let mut client = state.client();
    for (tool, result) in call_all(&mut client) {
        let bytes = result["content"][0]["text"].as_str().unwrap().len();
        assert!(bytes < LARGEST_ANSWER, "{tool} answered {bytes} bytes");
        let value = value(&result);
        let longest = value.as_object().unwrap().values().filter_map(Value::as_array).map(Vec::len).max().unwrap_or(0);
        assert!(longest <= 1000, "{tool} listed {longest}");
        if matches!(tool, "loopover_miner_get_portfolio_dashboard" | "loopover_miner_get_manage_status") {
            assert_eq!(value["truncated"], true, "{tool}");
        }
    }
    let dashboard = client.call("loopover_miner_get_portfolio_dashboard", &json!({}));
    assert_eq!(value(&dashboard)["total"], ROWS + 3, "what is not listed is counted");
    let memory = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let highest = memory.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = highest.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kibibytes < 400 << 10, "the server took {kibibytes} KiB");
}

#[test]
fn large_cells_do_not_make_large_answers() {
    let state = State::demo();
    state.execute(
        Store::ClaimLedger,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
         INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at, note) \
         SELECT 'h', 'a/b', i, 't', printf('%.*c', iif(i = 100, 100000, 60000), 'x') FROM n",
    );
    let mut client = state.client();
    let (mut since, mut claims, mut pages, mut skipped) = (json!(0), 0, 0, 0);
    loop {
        let page = client.call("loopover_miner_list_claims", &json!({ "since": since, "limit": 1000 }));
        assert!(page["content"][0]["text"].as_str().unwrap().len() < 2 << 20);
        claims += value(&page)["claims"].as_array().unwrap().len();
        skipped += value(&page)["skippedRows"].as_u64().unwrap();
        pages += 1;
        since = value(&page)["nextSince"].clone();
        if value(&page)["truncated"] == false {
            break;
        }
    }
    assert_eq!((claims, skipped), (201, 1), "the row that is too large is counted");
    assert!(pages > 5, "{pages} pages");
}
