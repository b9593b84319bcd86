//! A store that its writer holds is waited for, for a short time and by nobody else.

use std::thread;
use std::time::{Duration, Instant};

use contract_tools::miner::{BUSY_TIMEOUT, Store};
use serde_json::json;

use super::state::{STORES, State, TOOLS, arguments, failure, readers, value};

#[test]
fn a_short_lock_is_waited_for() {
    let state = State::of("main");
    let mut client = state.client();
    let writer = state.writer(Store::ClaimLedger);
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let holds = thread::spawn(move || {
        let started = Instant::now();
        while started.elapsed() < Duration::from_millis(300) {
            thread::yield_now();
        }
        writer.execute_batch("COMMIT").unwrap();
    });
    let claims = client.call("loopover_miner_list_claims", &arguments(""));
    assert_eq!(value(&claims)["claims"].as_array().map(Vec::len), Some(4));
    holds.join().unwrap();
}

#[test]
fn a_long_lock_is_busy_after_the_stated_time_and_holds_nobody_else_up() {
    let state = State::of("main");
    let mut client = state.client();
    let writer = state.writer(Store::ClaimLedger);
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let started = Instant::now();
    let call = |id: &str, tool: &str| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": {} } })
            .to_string()
    };
    for id in ["held", "held too", "held as well"] {
        client.send(&call(id, "loopover_miner_list_claims"));
    }
    client.send(&call("free", "loopover_miner_list_plans"));
    assert!(client.reply_to(&json!("free"))["result"]["structuredContent"]["plans"].is_array());
    assert!(started.elapsed() < BUSY_TIMEOUT, "the free store was answered after {:?}", started.elapsed());
    for _ in 0..3 {
        let reply = client.next_message();
        let (code, reason, message) = failure(&reply["result"]);
        assert_eq!((code.as_str(), reason.as_str()), ("store_unavailable", "busy"), "{message}");
        assert!(started.elapsed() < Duration::from_secs(5), "{} took {:?}", reply["id"], started.elapsed());
    }
}

#[test]
fn every_tool_says_busy_of_its_own_stores_and_status_does_not_call_them_broken() {
    for store in STORES {
        let state = State::of("main");
        let mut client = state.client();
        let writer = state.writer(store);
        writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
        for tool in TOOLS {
            let result = client.call(tool, &arguments(tool));
            if readers(store).contains(&tool) {
                assert_eq!(failure(&result).1, "busy", "{tool} over {store:?}");
            } else {
                value(&result);
            }
        }
        let status = client.call("loopover_miner_status", &arguments(""));
        let name = format!("store-integrity:{}", store.name());
        let checks = value(&status)["doctor"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name.as_str()).unwrap();
        assert_eq!(check["ok"], true, "a store that is written is not broken: {check}");
        assert!(check["detail"].as_str().unwrap().contains("busy"), "{check}");
    }
}

#[test]
fn no_reading_goes_on_between_calls() {
    let state = State::of("main");
    let mut client = state.client();
    let writer = state.make_write_ahead(Store::ClaimLedger);
    for round in 0..200 {
        writer.execute("UPDATE miner_claims SET note = ?1", [round]).unwrap();
        if round % 20 == 0 {
            value(&client.call("loopover_miner_list_claims", &arguments("")));
            let blocked: i64 = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
            assert_eq!(blocked, 0, "the log cannot be emptied after round {round}");
        }
    }
    let log = state.directory.join(format!("{}-wal", Store::ClaimLedger.file()));
    assert!(log.metadata().unwrap().len() < 1 << 20);
}
