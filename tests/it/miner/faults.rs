//! Every class of a store that cannot be read has its own reason, no path in its message, and never makes anybody wait.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use contract_tests::stdio_client::StdioClient;
use contract_tools::miner::Store;

use super::state::{State, arguments, failure, value};
use crate::wire::BINARY;

#[track_caller]
fn check(spoil: impl FnOnce(&Path), expect: Option<&str>) {
    let state = State::of("main");
    let path = state.path(Store::ClaimLedger);
    spoil(&path);
    check_claims(&state, &mut state.client(), expect);
}

#[track_caller]
fn check_claims(state: &State, client: &mut StdioClient, expect: Option<&str>) {
    let before = state.seen();
    let started = Instant::now();
    let result = client.call("loopover_miner_list_claims", &arguments(""));
    assert!(started.elapsed() < Duration::from_secs(5), "it took {:?}", started.elapsed());
    assert_eq!(before, state.seen());
    match expect {
        None => {
            assert_eq!(value(&result)["initialised"], false);
            assert_eq!(value(&result)["claims"].as_array().map(Vec::len), Some(0));
        }
        Some(reason) => {
            let (code, found, message) = failure(&result);
            assert_eq!((code.as_str(), found.as_str()), ("store_unavailable", reason), "{message}");
            assert!(!message.contains('/') && message.contains("claim-ledger"), "{message}");
            assert!(result.get("structuredContent").is_none_or(serde_json::Value::is_null));
        }
    }
    // Others are not affected.
    value(&client.call("loopover_miner_list_plans", &arguments("")));
    value(&client.call("loopover_miner_ping", &arguments("")));
}

#[test]
fn each_class_has_its_reason() {
    check(|path| fs::remove_file(path).unwrap(), None);
    check(|path| fs::write(path, "").unwrap(), None);
    check(|path| fs::write(path, "this is not a database, however long it may be").unwrap(), Some("not_a_database"));
    check(|path| fs::write(path, "short").unwrap(), Some("not_a_database"));
    check(
        |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        },
        Some("corrupt"),
    );
    check(
        |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[4096..].fill(0x5a);
            fs::write(path, bytes).unwrap();
        },
        Some("corrupt"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
        Some("not_a_file"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            symlink("/nowhere/at/all", path).unwrap();
        },
        Some("not_a_file"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            symlink(path, path).unwrap();
        },
        Some("not_a_file"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            let made = Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        },
        Some("not_a_file"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            let other = rusqlite::Connection::open(path).unwrap();
            other.execute_batch("CREATE TABLE something_else (x)").unwrap();
        },
        Some("wrong_schema"),
    );
    check(
        |path| {
            fs::remove_file(path).unwrap();
            let nothing = rusqlite::Connection::open(path).unwrap();
            nothing.execute_batch("PRAGMA user_version = 3").unwrap();
        },
        None,
    );
    check(
        |path| {
            let claims = rusqlite::Connection::open(path).unwrap();
            claims
                .execute_batch("ALTER TABLE miner_claims RENAME TO t; CREATE VIEW miner_claims AS SELECT * FROM t")
                .unwrap();
        },
        Some("wrong_schema"),
    );
}

#[test]
fn what_is_called_as_the_files_beside_a_store_and_is_none_is_not_waited_for() {
    for suffix in ["-journal", "-wal", "-shm"] {
        let beside = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        check(
            |path| {
                let made = Command::new("mkfifo").arg(beside(path)).status().unwrap();
                assert!(made.success());
            },
            Some("not_a_file"),
        );
        check(|path| fs::create_dir(beside(path)).unwrap(), Some("not_a_file"));
        check(|path| symlink("/nowhere/at/all", beside(path)).unwrap(), Some("not_a_file"));
    }
}

#[test]
fn a_file_that_may_not_be_read_is_told_apart() {
    let state = State::of("main");
    let program = state.directory.join("../program");
    fs::copy(BINARY, &program).unwrap();
    for entry in fs::read_dir(&state.directory).unwrap() {
        fs::set_permissions(entry.unwrap().path(), fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(state.path(Store::ClaimLedger), fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = Command::new(&program);
    if rustix::process::geteuid().is_root() {
        command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&program);
    }
    let mut client = StdioClient::start_command(state.command_of(command));
    client.initialize();
    check_claims(&state, &mut client, Some("unreadable"));
}

#[test]
fn a_file_where_the_directory_should_be_is_an_error_and_no_empty_state() {
    let state = State::empty();
    fs::write(state.directory.join("afile"), "x").unwrap();
    let mut client = state.client_with([("LOOPOVER_MINER_CONFIG_DIR", state.directory.join("afile/inner"))]);
    let (code, reason, _) = failure(&client.call("loopover_miner_list_claims", &arguments("")));
    assert_eq!((code.as_str(), reason.as_str()), ("store_unavailable", "unreadable"));
}

#[test]
fn whatever_a_path_is_made_of_it_is_that_file() {
    let names: [&[u8]; 6] =
        [b"with space", b"what? mode=rwc&x=1", b"a#b", b"100%25", b"not \xff utf-8", "ünï'\"".as_bytes()];
    for name in names {
        let state = State::of("main");
        let inner = state.directory.join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&inner).unwrap();
        let moved: PathBuf = inner.join(std::ffi::OsStr::from_bytes(name));
        fs::rename(state.path(Store::ClaimLedger), &moved).unwrap();
        let before = state.seen();
        let mut client = state.client_with([("LOOPOVER_MINER_CLAIM_LEDGER_DB", &moved)]);
        let claims = client.call("loopover_miner_list_claims", &arguments(""));
        assert_eq!(value(&claims)["claims"].as_array().map(Vec::len), Some(4), "{}", moved.display());
        assert_eq!(before, state.seen());
    }
}
