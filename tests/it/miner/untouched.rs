//! Each test looks at every byte, time stamp and entry before and after all eleven tools.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use contract_tests::stdio_client::StdioClient;
use contract_tools::miner::Store;

use super::state::{STORES, State, TOOLS, arguments, call_all, value};
use crate::wire::BINARY;

#[track_caller]
fn check_untouched(state: &State, client: &mut StdioClient) {
    let before = state.seen();
    for (tool, result) in call_all(client) {
        value(&result);
        assert_eq!(before, state.seen(), "{tool}");
    }
}

#[test]
fn a_state_at_rest_stays_as_it_is() {
    let state = State::of("main");
    check_untouched(&state, &mut state.client());
}

#[test]
fn an_old_state_is_not_moved_to_a_new_version() {
    let state = State::of("legacy");
    check_untouched(&state, &mut state.client());
}

#[test]
fn nothing_is_made_where_nothing_is() {
    let state = State::missing();
    let mut client = state.client();
    for (tool, result) in call_all(&mut client) {
        let value = value(&result);
        if !matches!(tool, "loopover_miner_ping" | "loopover_miner_status") {
            assert_eq!(value["initialised"], false, "{tool}");
        }
    }
    assert!(!state.directory.exists());
}

#[test]
fn retention_hides_and_deletes_nothing() {
    let state = State::of("main");
    let mut client = state.client_with([("LOOPOVER_MINER_LEDGER_RETENTION_MAX_ROWS", "2")]);
    check_untouched(&state, &mut client);
    let feed = client.call("loopover_miner_get_audit_feed", &arguments(""));
    assert_eq!(value(&feed)["events"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_writer_that_has_begun_is_neither_felt_nor_read() {
    let state = State::of("main");
    let mut client = state.client();
    let committed = call_all(&mut client);
    let writers: Vec<_> = STORES.iter().map(|store| state.writer(*store)).collect();
    for writer in &writers {
        writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    }
    writers[1].execute_batch("UPDATE miner_claims SET note = 'not yet'").unwrap();
    let before = state.seen();
    for tool in TOOLS {
        let started = Instant::now();
        let result = client.call(tool, &arguments(tool));
        assert!(started.elapsed() < Duration::from_secs(1), "{tool} took {:?}", started.elapsed());
        assert_eq!(result, committed[tool], "{tool}");
    }
    assert_eq!(before, state.seen());
    for writer in &writers {
        writer.execute_batch("COMMIT").unwrap();
    }
}

#[test]
fn live_write_ahead_stores_are_read_with_what_is_in_their_logs() {
    let state = State::of("main");
    let writers: Vec<_> = STORES.iter().map(|store| state.make_write_ahead(*store)).collect();
    for writer in &writers {
        writer.execute_batch("CREATE TABLE seen_in_the_log (x); BEGIN IMMEDIATE").unwrap();
    }
    let mut client = state.client();
    check_untouched(&state, &mut client);
    // What is committed while the server lives is seen by its next answer, and what is not is not.
    let claims = &writers[1];
    claims.execute_batch("UPDATE miner_claims SET note = 'first' WHERE id = 1").unwrap();
    let note = |client: &mut StdioClient| {
        value(&client.call("loopover_miner_list_claims", &arguments("")))["claims"][0]["note"].clone()
    };
    assert_eq!(note(&mut client), "taking this");
    claims.execute_batch("COMMIT").unwrap();
    assert_eq!(note(&mut client), "first");
    claims.execute_batch("UPDATE miner_claims SET note = 'second' WHERE id = 1").unwrap();
    assert_eq!(note(&mut client), "second");
}

#[test]
fn write_ahead_stores_at_rest_get_no_log() {
    let state = State::of("main");
    for store in STORES {
        drop(state.make_write_ahead(store));
    }
    assert!(state.seen().keys().all(|path| !path.as_os_str().as_bytes().ends_with(b"-wal")));
    check_untouched(&state, &mut state.client());
}

#[test]
fn a_log_that_an_interrupted_writer_left_is_read_and_stays() {
    let state = State::of("main");
    let copy = State::empty();
    let writer = state.make_write_ahead(Store::ClaimLedger);
    writer.execute_batch("UPDATE miner_claims SET note = 'in the log' WHERE id = 1").unwrap();
    for ending in ["", "-wal", "-shm"] {
        let name = format!("{}{ending}", Store::ClaimLedger.file());
        fs::copy(state.directory.join(&name), copy.directory.join(&name)).unwrap();
    }
    let mut client = copy.client();
    check_untouched(&copy, &mut client);
    let claims = client.call("loopover_miner_list_claims", &arguments(""));
    assert_eq!(value(&claims)["claims"][0]["note"], "in the log");
}

/// A command that runs as somebody who owns nothing here; as ourselves when we are not root, who is denied as well.
fn as_nobody(program: &std::path::Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program);
    command
}

#[test]
fn somebody_who_may_only_read_reads_and_is_denied_everything_else() {
    for is_write_ahead in [false, true] {
        let state = State::of("main");
        // Where nobody may look the program cannot be started from.
        let program = state.directory.join("../program");
        fs::copy(BINARY, &program).unwrap();
        for store in STORES {
            if is_write_ahead {
                drop(state.make_write_ahead(store));
            }
            fs::set_permissions(state.path(store), fs::Permissions::from_mode(0o444)).unwrap();
        }
        fs::set_permissions(state.path(Store::GovernorState), fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(state.path(Store::LaptopState), fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(&state.directory, fs::Permissions::from_mode(0o555)).unwrap();

        // The control: the same somebody can neither make an entry nor open a store for writing.
        for attempt in ["touch made", ": >> claim-ledger.sqlite3"] {
            let denied = as_nobody(std::path::Path::new("/bin/sh"))
                .args(["-c", attempt])
                .current_dir(&state.directory)
                .output()
                .unwrap();
            assert!(!denied.status.success(), "`{attempt}` is not denied, so this test shows nothing");
        }

        let mut client = StdioClient::start_command(state.command_of(as_nobody(&program)));
        client.initialize();
        check_untouched(&state, &mut client);
        let status = client.call("loopover_miner_status", &arguments(""));
        assert_eq!(value(&status)["doctor"][3]["ok"], false, "the state directory cannot be written");
        fs::set_permissions(&state.directory, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn no_descriptor_is_kept_whatever_came_of_a_call() {
    for name in ["main", "fault-truncated", "fault-not-a-database", "fault-wrong-table"] {
        let state = State::of(name);
        let mut client = state.client();
        call_all(&mut client);
        let open = |client: &StdioClient| fs::read_dir(format!("/proc/{}/fd", client.pid())).unwrap().count();
        let first = open(&client);
        for _ in 0..5 {
            call_all(&mut client);
        }
        assert!(open(&client) <= first + 1, "{name}: {first} descriptors became {}", open(&client));
    }
}
