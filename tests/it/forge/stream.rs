//! Files that are larger than memory should be.

use std::io::{Read as _, Write};
use std::process::Stdio;

use serde_json::json;

use super::import;
use super::records::issue;

/// Megabytes of the stream.
const MEGABYTES: usize = 300;

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
    let peak = || -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()
    };
    // It waits for more: nearly all was read, since a pipe holds little.
    let peak = peak().unwrap();
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
