//! A store is replaced under those who read it: they read the one or the other, and leave nothing beside either.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use contract_tools::miner::Store;

use super::state::{State, arguments, failure, value};

const TOOL: &str = "loopover_miner_get_calibration_report";
const READINGS: usize = 400;

#[test]
fn a_store_that_is_replaced_again_and_again_is_read_and_gets_nothing_beside_it() {
    let state = State::of("main");
    let path = state.path(Store::PredictionLedger);
    let copies = state.directory.join("../copies");
    fs::create_dir(&copies).unwrap();
    let (rollback, resting, next) = (copies.join("rollback"), copies.join("resting"), copies.join("next"));
    fs::copy(&path, &rollback).unwrap();
    drop(state.make_write_ahead(Store::PredictionLedger));
    fs::copy(&path, &resting).unwrap();
    assert_eq!([&rollback, &resting].map(|copy| fs::read(copy).unwrap()[19]), [1, 2], "one of each kind");

    let entries = || -> BTreeSet<OsString> {
        fs::read_dir(&state.directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    let before = entries();
    let mut client = state.client();
    let expected = value(&client.call(TOOL, &arguments(TOOL))).clone();
    let (is_over, mut read) = (AtomicBool::new(false), 0);
    thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            let mut swaps = 0_u64;
            while !is_over.load(Ordering::Relaxed) {
                fs::copy(if swaps.is_multiple_of(2) { &rollback } else { &resting }, &next).unwrap();
                fs::rename(&next, &path).unwrap();
                swaps += 1;
                // From so short that a reading meets many to so long that some readings meet none.
                let (placed, stays) = (Instant::now(), Duration::from_micros(swaps % 30 * 500));
                while placed.elapsed() < stays {
                    thread::yield_now();
                }
            }
            swaps
        });
        let mut faults = Vec::new();
        for reading in 0..READINGS {
            let result = client.call(TOOL, &arguments(TOOL));
            if result["isError"] == true {
                let (code, reason, message) = failure(&result);
                if (code.as_str(), reason.as_str()) != ("store_unavailable", "busy") {
                    faults.push(message);
                }
            } else {
                read += 1;
                if value(&result) != &expected {
                    faults.push(format!("another answer: {result}"));
                }
            }
            let made: Vec<_> = entries().difference(&before).cloned().collect();
            if !made.is_empty() {
                faults.push(format!("made at reading {reading}: {made:?}"));
            }
            if !faults.is_empty() {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        let swaps = swapper.join().unwrap();
        assert!(faults.is_empty(), "after {swaps} swaps: {faults:?}");
        assert!(swaps > 100, "{swaps} swaps show nothing");
    });
    assert!(read > READINGS / 2, "only {read} of {READINGS} were read");
}

#[test]
fn what_a_writer_left_that_kept_its_store_to_itself_is_no_matter_of_permissions() {
    let (state, copy) = (State::of("main"), State::empty());
    let writer = state.writer(Store::ClaimLedger);
    writer.query_row("PRAGMA locking_mode = EXCLUSIVE", [], |_| Ok(())).unwrap();
    writer.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
    writer.execute_batch("UPDATE miner_claims SET note = 'in the log' WHERE id = 1").unwrap();
    for ending in ["", "-wal"] {
        let name = format!("{}{ending}", Store::ClaimLedger.file());
        fs::copy(state.directory.join(&name), copy.directory.join(&name)).unwrap();
    }
    let before = copy.seen();
    let mut client = copy.client();
    let (code, reason, message) = failure(&client.call("loopover_miner_list_claims", &arguments("")));
    assert_eq!((code.as_str(), reason.as_str()), ("store_unavailable", "unreadable"));
    assert!(message.contains("was interrupted; start the miner once"), "{message}");
    assert_eq!(before, copy.seen());
    // What the message says helps.
    let miner = copy.writer(Store::ClaimLedger);
    miner.execute_batch("BEGIN IMMEDIATE; COMMIT").unwrap();
    let claims = client.call("loopover_miner_list_claims", &arguments(""));
    assert_eq!(value(&claims)["claims"][0]["note"], "in the log");
}

#[test]
fn a_log_without_a_byte_beside_a_store_that_has_none_is_no_hindrance() {
    let state = State::of("main");
    fs::write(state.directory.join(format!("{}-wal", Store::ClaimLedger.file())), "").unwrap();
    let before = state.seen();
    let claims = state.client().call("loopover_miner_list_claims", &arguments(""));
    assert_eq!(value(&claims)["claims"].as_array().map(Vec::len), Some(4));
    assert_eq!(before, state.seen());
}
