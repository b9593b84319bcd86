//! A device that is full, and a file that may not grow.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output};

use contract_tests::store_digest::store_digest;
use serde_json::json;

use super::records::issue;
use super::{import, stderr};
use crate::wire::BINARY;

const RECORDS: u64 = 4_000;

fn write_records(file: &Path, records: u64) {
    let records = (1..=records).map(|number| {
        issue(number, "2026-02-01T00:00:00Z", json!({"body": "words that take room ".repeat(50)})).to_string()
    });
    fs::write(file, records.collect::<Vec<_>>().join("\n")).unwrap();
}

/// Runs a script where `$dir` is a device of two megabytes that nobody else sees and that goes with the script.
fn on_a_small_device(directory: &Path, script: &str) -> Output {
    let mut command = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.arg("--map-root-user");
    }
    let script = format!("set -u; mkdir -p \"$dir\"; mount -t tmpfs -o size=2m tmpfs \"$dir\" || exit 99; {script}");
    command.args(["--mount", "sh", "-c", &script]).env("dir", directory.join("device")).env("program", BINARY);
    let output = command.current_dir(directory).output().unwrap();
    assert_ne!(output.status.code(), Some(99), "this test mounts a tmpfs in a namespace of its own: {output:?}");
    output
}

#[test]
fn a_full_device_ends_in_a_clear_error_and_a_usable_store() {
    let directory = tempfile::tempdir().unwrap();
    write_records(&directory.path().join("many.json"), RECORDS);
    write_records(&directory.path().join("one.json"), 1);
    let script = r#"
        "$program" import --store "$dir/forge" --progress lines many.json 2>said; echo "full: $?"
        tail -n 1 said
        "$program" import --store "$dir/forge" missing.json 2>/dev/null; echo "opens: $?"
        mkdir kept; cp "$dir"/* kept/
        mount -o remount,size=64m "$dir"
        "$program" import --store "$dir/forge" many.json; echo "room: $?"
        mkdir done; cp "$dir"/* done/
    "#;
    let output = on_a_small_device(directory.path(), script);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "full: 1", "{said}");
    assert!(lines[1].contains("no room left") && lines[1].contains("make room"), "{said}");
    // The file that is not there is all that is wrong.
    assert_eq!(lines[2], "opens: 1", "{said}");
    assert_eq!(lines.last().copied(), Some("room: 0"), "{said}");

    let said = fs::read_to_string(directory.path().join("said")).unwrap();
    let committed =
        said.lines().filter_map(|line| line.split_once("committed ")?.1.split(' ').next()?.parse::<usize>().ok());
    let committed = committed.max().expect("some of it found room");
    let kept = store_digest(&directory.path().join("kept/forge"));
    assert_eq!(kept.iter().filter(|line| line.starts_with("issues ")).count(), committed);

    let whole = directory.path().join("whole");
    assert!(import(&whole).arg(directory.path().join("many.json")).output().unwrap().status.success());
    assert_eq!(store_digest(&directory.path().join("done/forge")), store_digest(&whole));
}

#[test]
fn a_limit_on_files_is_no_room_either() {
    let directory = tempfile::tempdir().unwrap();
    let (many, store) = (directory.path().join("many.json"), directory.path().join("forge"));
    write_records(&many, RECORDS);
    // Blocks of 512 bytes. Whoever ignores the kernel's signal hands that on; who does not would be ended by it.
    for limit in ["ulimit -f 1", "ulimit -f 64", "ulimit -f 2048", r#"trap "" XFSZ; ulimit -f 2048"#] {
        let script = format!(r#"{limit}; exec "$program" import --store "$store" "$file""#);
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("program", BINARY).env("store", &store).env("file", &many);
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), output.status.signal()), (Some(1), None), "{limit}: {output:?}");
        assert!(stderr(&output).contains("a limit on the size of files is reached"), "{limit}: {output:?}");
    }
    assert!(import(&store).arg(&many).output().unwrap().status.success());
    let whole = directory.path().join("whole");
    assert!(import(&whole).arg(&many).output().unwrap().status.success());
    assert_eq!(store_digest(&store), store_digest(&whole));
}

#[test]
fn an_answer_that_meets_a_limit_on_files_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let script = r#"ulimit -f 1; "$program" tools list --format json > answer"#;
    let mut command = Command::new("sh");
    let output = command.args(["-c", script]).env("program", BINARY).current_dir(&directory).output().unwrap();
    assert_eq!((output.status.code(), output.status.signal()), (Some(1), None), "{output:?}");
    assert!(stderr(&output).starts_with("loopover: "), "{output:?}");
}
