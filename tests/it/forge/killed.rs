//! An import that is killed at any moment leaves a store that opens and lacks nothing that was said to be committed.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use contract_tests::store_digest::store_digest;
use contract_tools::forge::{self, RepoName};
use serde_json::json;

use super::records::issue;
use super::{Random, import, stdout};

const MOMENTS: u64 = 50;

/// More than a few commits' worth.
const RECORDS: u64 = 2_000;

#[test]
fn nothing_that_was_committed_is_lost_at_fifty_moments() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("issues.json");
    let records = (1..=RECORDS).map(|number| issue(number, "2026-02-01T00:00:00Z", json!({})).to_string());
    fs::write(&file, records.collect::<Vec<_>>().join("\n")).unwrap();

    let whole = directory.path().join("whole");
    let started = Instant::now();
    assert!(import(&whole).arg(&file).output().unwrap().status.success());
    let duration = started.elapsed();
    let expected = store_digest(&whole);

    let (mut killed_midway, mut committed_some) = (0, 0);
    for seed in 0..MOMENTS {
        let store = directory.path().join(format!("store-{seed}"));
        let moment = duration * u32::try_from(Random(seed).below(1_000)).unwrap() / 1_000;
        let committed = killed_at(&store, &file, moment);
        killed_midway += u64::from(committed < RECORDS);
        committed_some += u64::from(committed > 0);
        if store.exists() {
            let opened = forge::open(&store).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let reader = opened.read().unwrap();
            let repo = RepoName::parse("acme/widgets").unwrap();
            let numbers: Vec<u64> = (1..=committed).collect();
            let kept = reader.issues_by_number(&repo, &numbers).unwrap().len() as u64;
            assert_eq!(kept, committed, "seed {seed}: of {committed} committed records {kept} are there");
        }
        let again = import(&store).arg(&file).output().unwrap();
        assert!(again.status.success() && stdout(&again).contains(&format!("{RECORDS} taken")), "{again:?}");
        assert_eq!(store_digest(&store), expected, "seed {seed}");
    }
    // Otherwise nothing was tried.
    assert!(killed_midway > MOMENTS / 4 && committed_some > MOMENTS / 4, "{killed_midway} {committed_some}");
}

/// Starts an import and kills it after `moment`; how many records it said it had committed.
fn killed_at(store: &Path, file: &Path, moment: Duration) -> u64 {
    let mut child = import(store)
        .args(["--progress", "lines"])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stderr.take().unwrap());
    let reading = std::thread::spawn(move || {
        let counts = said.lines().map_while(Result::ok).filter_map(|line| {
            let (_, rest) = line.split_once("committed ")?;
            rest.split(' ').next()?.parse().ok()
        });
        counts.last().unwrap_or(0)
    });
    // Every moment is as good as any other.
    std::thread::sleep(moment);
    // It may have come to its end before.
    let _ = child.kill();
    child.wait().unwrap();
    reading.join().unwrap()
}
