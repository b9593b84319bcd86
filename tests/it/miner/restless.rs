//! A second process writes every store as fast as it can while all tools are called: neither side sees an error, and every
//! answer is one moment of its store. A few seconds each here, ten in the gate; `MINER_WRITER_SECONDS=60` for longer.

use std::process::{Command, Stdio};

use contract_tests::print_line;
use serde_json::{Value, json};

use super::state::{State, TOOLS, value};

const WRITER: &str = env!("CARGO_BIN_EXE_store-writer");

#[track_caller]
fn check(mode: &str) {
    let seconds = std::env::var("MINER_WRITER_SECONDS").unwrap_or_else(|_| "3".to_owned());
    let state = State::demo();
    // Rows of the demo would make even numbers odd.
    for (store, table) in [
        (contract_tools::miner::Store::ClaimLedger, "miner_claims"),
        (contract_tools::miner::Store::EventLedger, "miner_event_ledger"),
        (contract_tools::miner::Store::PortfolioQueue, "miner_portfolio_queue"),
        (contract_tools::miner::Store::RunState, "miner_run_state"),
        (contract_tools::miner::Store::PlanStore, "miner_plans"),
        (contract_tools::miner::Store::GovernorLedger, "governor_events"),
        (contract_tools::miner::Store::PredictionLedger, "predictions"),
    ] {
        state.execute(store, &format!("DELETE FROM {table}"));
    }
    let mut writer =
        Command::new(WRITER).arg(&state.directory).args([&seconds, mode]).stdout(Stdio::piped()).spawn().unwrap();
    let mut client = state.client();
    let (mut rounds, mut followed) = (0, json!(0));
    while writer.try_wait().unwrap().is_none() {
        for tool in TOOLS {
            let arguments = match tool {
                "loopover_miner_get_plan" => json!({ "planId": "plan-1" }),
                "loopover_miner_list_claims"
                | "loopover_miner_list_plans"
                | "loopover_miner_get_governor_decisions" => {
                    json!({ "limit": 1000 })
                }
                "loopover_miner_get_audit_feed" => json!({ "limit": 1000, "since": followed }),
                _ => json!({}),
            };
            let result = client.call(tool, &arguments);
            let answer = value(&result);
            let rows = |name: &str| answer[name].as_array().map_or(0, Vec::len);
            let number = match tool {
                "loopover_miner_get_portfolio_dashboard" => usize::try_from(answer["total"].as_u64().unwrap()).unwrap(),
                "loopover_miner_list_claims" => rows("claims"),
                "loopover_miner_list_plans" => rows("plans"),
                "loopover_miner_get_governor_decisions" => rows("decisions"),
                "loopover_miner_get_run_state" => rows("states"),
                "loopover_miner_get_audit_feed" => {
                    let seqs: Vec<i64> = events(answer);
                    let after = followed.as_i64().unwrap();
                    assert!(
                        seqs.iter().zip(after + 1..).all(|(seq, expect)| *seq == expect),
                        "a hole after {after}: {seqs:?}"
                    );
                    followed = answer["nextSince"].clone();
                    rows("events")
                }
                "loopover_miner_status" => {
                    let checks = answer["doctor"].as_array().unwrap();
                    let broken =
                        checks.iter().filter(|check| check["name"].as_str().unwrap().starts_with("store-integrity"));
                    let broken: Vec<&Value> = broken.filter(|check| check["ok"] != true).collect();
                    assert!(broken.is_empty(), "{broken:?}");
                    0
                }
                _ => 0,
            };
            assert_eq!(number % 2, 0, "{tool} saw half of a transaction: {number} rows");
        }
        rounds += 1;
    }
    let ended = writer.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{said}");
    let transactions: u64 = said.trim().parse().unwrap();
    print_line(&format!("{mode}: {rounds} rounds of all tools beside {transactions} transactions a store"));
    assert!(rounds > 0 && transactions > 0);
}

fn events(answer: &Value) -> Vec<i64> {
    answer["events"].as_array().unwrap().iter().map(|event| event["seq"].as_i64().unwrap()).collect()
}

#[test]
fn beside_a_writer_with_a_rollback_journal() {
    check("delete");
}

#[test]
fn beside_a_writer_with_a_write_ahead_log() {
    check("wal");
}

#[test]
fn beside_a_writer_that_comes_and_goes() {
    check("reopen");
}
