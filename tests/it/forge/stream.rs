//! Files that are larger than memory should be.

use std::io::{Read as _, Write};
use std::process::Stdio;

use serde_json::json;

use super::import;
use super::records::issue;

/// Megabytes of the stream.
const MEGABYTES: usize = 300;

/// The most that a process may have held, in kilobytes.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn a_stream_of_any_length_takes_the_same_memory() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = import(&directory.path().join("forge"));
    let mut child = command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let known = issue(1, "2026-02-01T00:00:00Z", json!({})).to_string();
    // Comments are not kept, however many there are; what is long, but no record, is not held either.
    let comment = json!({"id": 1, "body": "x".repeat(1 << 20)}).to_string();
    let writing = (0..MEGABYTES).try_for_each(|number| {
        let opening = if number == 0 { "[" } else { "," };
        write!(stdin, "{opening}{comment},{known}")
    });
    writing.unwrap();
    stdin.write_all(b",{\"endless\":\"").unwrap();
    let block = vec![b'x'; 1 << 20];
    (0..100).try_for_each(|_| stdin.write_all(&block)).unwrap();
    stdin.write_all(b"\"}").unwrap();
    stdin.flush().unwrap();
    // It waits for more: nearly all was read, since a pipe holds little.
    let peak = peak(child.id()).unwrap();
    stdin.write_all(b"]").unwrap();
    drop(stdin);
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    assert!(
        said.contains(&format!("{MEGABYTES} taken (issue {MEGABYTES}), 1 new, {} skipped", MEGABYTES + 1)),
        "{said}"
    );
    assert!(said.contains("longer than any record is"), "{said}");
    assert!(peak < 130 << 10, "{peak} kB were held");
}

#[test]
fn records_that_are_all_kept_take_the_same_memory_however_many_they_are() {
    const WHOLE: usize = 64 << 20;
    let directory = tempfile::tempdir().unwrap();
    let mut command = import(&directory.path().join("forge"));
    let mut child = command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Most of GitHub's records is what is not kept.
    let rest = json!({"performed_via_github_app": {"description": "x".repeat(12_000)}});
    let (mut written, mut number, mut early) = (0, 0, None);
    while written < WHOLE {
        number += 1;
        let record = issue(number, "2026-02-01T00:00:00Z", rest.clone()).to_string();
        stdin.write_all(record.as_bytes()).unwrap();
        written += record.len();
        if early.is_none() && written > WHOLE / 8 {
            early = peak(child.id());
        }
    }
    // A pipe holds little: nearly all was read.
    let late = peak(child.id()).unwrap();
    drop(stdin);
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    assert!(said.contains(&format!("{number} taken (issue {number}), {number} new, 0 skipped")), "{said}");
    let early = early.unwrap();
    assert!(late < 64 << 10 && late < early + (16 << 10), "{early} kB after an eighth became {late} kB");
}
