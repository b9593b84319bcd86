//! Somebody else's store: what they may not do is said, and a control shows that they really may not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use contract_tests::store_digest::store_digest;
use serde_json::json;

use super::records::issue;
use super::{import, stderr, stdout};
use crate::wire::BINARY;

/// Runs as somebody who owns nothing here. Who is nobody in particular already stays who they are.
pub(crate) fn as_nobody(program: &Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program);
    command
}

pub(crate) fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_may_not_be_read_or_written_is_told_and_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o755);
    // Where nobody may look the program cannot be started from.
    let program = directory.path().join("program");
    fs::copy(BINARY, &program).unwrap();
    let (old, new) = (directory.path().join("old.json"), directory.path().join("new.json"));
    fs::write(&old, issue(1, "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
    fs::write(&new, issue(2, "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
    mode(&old, 0o644);
    mode(&new, 0o644);

    let cases = [
        // The directory, the store, and what is said.
        (0o755, 0o600, "cannot be opened"),
        (0o700, 0o644, "cannot be opened"),
        (0o755, 0o644, "may be read and not written"),
    ];
    for (number, (of_directory, of_store, expected)) in cases.into_iter().enumerate() {
        let place = directory.path().join(format!("place-{number}"));
        let store = place.join("forge");
        assert!(import(&store).arg(&old).output().unwrap().status.success());
        mode(&store, of_store);
        mode(&place, of_directory);
        let before = fs::read(&store).unwrap();

        // The control: they really may not.
        let script = r#": >> "$1" || exit 7"#;
        let denied = as_nobody(Path::new("/bin/sh")).args(["-c", script, "sh"]).arg(&store).output().unwrap();
        assert!(!denied.status.success(), "{denied:?}");

        let output = as_nobody(&program).arg("import").arg("--store").arg(&store).arg(&new).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).contains(expected) || stderr(&output).contains("cannot be opened"), "{output:?}");
        assert!(!stderr(&output).contains(store.to_str().unwrap()), "{output:?}");
        assert_eq!(fs::read(&store).unwrap(), before);
        mode(&place, 0o755);
        assert_eq!(store_digest(&store).iter().filter(|line| line.starts_with("issues ")).count(), 1);
    }

    // The other control: what is theirs they may fill.
    let own = directory.path().join("own");
    fs::create_dir(&own).unwrap();
    mode(&own, 0o777);
    let output = as_nobody(&program).arg("import").arg("--store").arg(own.join("forge")).arg(&new).output().unwrap();
    assert!(output.status.success() && stdout(&output).contains("1 taken"), "{output:?}");
}

#[test]
fn what_was_left_beside_the_store_takes_the_stores_mode_from_the_next_writer() {
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o755);
    let program = directory.path().join("program");
    fs::copy(BINARY, &program).unwrap();
    let store = directory.path().join("forge");
    let file = directory.path().join("one.json");
    let take = |number: u64| {
        fs::write(&file, issue(number, "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
        let output = import(&store).arg(&file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    take(1);
    // A reader that stays is what makes a writer leave its log.
    let reader = rusqlite::Connection::open(&store).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM issues").unwrap();
    take(2);
    let beside = |suffix: &str| directory.path().join(format!("forge{suffix}"));
    assert!(fs::metadata(beside("-wal")).unwrap().len() > 0, "no log was left, so this test shows nothing");
    mode(&store, 0o644);
    let list = || {
        let mut command = as_nobody(&program);
        command.args(["session", "list", "--store"]).arg(&store).env_remove("LOOPOVER_STORE").output().unwrap()
    };
    if rustix::process::geteuid().is_root() {
        // The control: they may read the store, and not what stands beside it.
        assert!(!list().status.success());
    }
    take(3);
    for suffix in ["-wal", "-shm"] {
        assert_eq!(fs::metadata(beside(suffix)).unwrap().permissions().mode() & 0o777, 0o644, "{suffix}");
    }
    let output = list();
    assert!(output.status.success() && stdout(&output).contains("no sessions"), "{output:?}");
    drop(reader);
}

#[test]
fn a_file_that_may_not_be_read_does_not_keep_the_others_out() {
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o777);
    let program = directory.path().join("program");
    fs::copy(BINARY, &program).unwrap();
    let (closed, open) = (directory.path().join("closed.json"), directory.path().join("open.json"));
    for (file, of_file) in [(&closed, 0o000), (&open, 0o644)] {
        fs::write(file, issue(1, "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
        mode(file, of_file);
    }
    let denied = as_nobody(Path::new("/bin/cat")).arg(&closed).output().unwrap();
    assert!(!denied.status.success(), "{denied:?}");
    let store = directory.path().join("forge");
    let output = as_nobody(&program).arg("import").arg("--store").arg(&store).args([&closed, &open]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("permission denied") && stdout(&output).contains("1 taken"), "{output:?}");
}

#[test]
fn what_is_called_as_the_files_beside_the_store_and_is_none_is_not_waited_for() {
    for suffix in ["-journal", "-wal", "-shm"] {
        let directory = tempfile::tempdir().unwrap();
        let (file, store) = (directory.path().join("one.json"), directory.path().join("forge"));
        fs::write(&file, issue(1, "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
        assert!(import(&store).arg(&file).output().unwrap().status.success());
        let made = Command::new("mkfifo").arg(directory.path().join(format!("forge{suffix}"))).status().unwrap();
        assert!(made.success());

        // Whoever waits for the pipe's other end is ended, with another code.
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", "30", BINARY, "import", "--store"]).arg(&store).arg(&file);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{suffix}: {output:?}");
        assert!(stderr(&output).contains("no regular file"), "{suffix}: {output:?}");
    }
}
