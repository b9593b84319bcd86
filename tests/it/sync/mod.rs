//! `loopover sync` against a small GitHub on this machine: real processes, a real store.

mod copy;
mod faults;
mod limits;
mod places;
mod resume;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use contract_tests::github::{GitHub, World};
use contract_tests::store_digest::dump;
use contract_tools::forge::{self, RepoName, WritableForge};
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// Every copy's clock: 2026-02-01T00:00:00Z.
const NOW: u64 = 1_769_904_000;

const TOKEN: &str = "hush_0123456789abcdef";

/// A GitHub, and a store that is filled from it.
struct Scene {
    github: GitHub,
    folder: TempDir,
}

/// What a command said.
struct Said {
    code: Option<i32>,
    /// The first repository's report.
    report: Value,
    errors: String,
}

impl Scene {
    fn of(world: World) -> Self {
        Self { github: GitHub::start(world), folder: tempfile::tempdir().unwrap() }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("forge.sqlite3")
    }

    fn command_at(&self, now: u64, arguments: &[&str]) -> Command {
        self.command(&self.github.url(), now, arguments)
    }

    fn command(&self, address: &str, now: u64, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command
            .args(["--now", &now.to_string(), "sync", "--format", "json", "--api-url", address, "--store"])
            .arg(self.store())
            .args(arguments)
            .env_clear()
            .env("GITHUB_TOKEN", TOKEN)
            // A proxy that nobody runs: the token must not be handed to it in the clear.
            .env("HTTP_PROXY", "http://127.0.0.1:1")
            .env("http_proxy", "http://127.0.0.1:1");
        command
    }

    fn sync_from(&self, address: &str, now: u64, arguments: &[&str]) -> Said {
        Said::of(&self.command(address, now, arguments).output().unwrap())
    }

    fn sync_at(&self, now: u64, arguments: &[&str]) -> Said {
        Said::of(&self.command_at(now, arguments).output().unwrap())
    }

    fn sync(&self, arguments: &[&str]) -> Said {
        self.sync_at(NOW, arguments)
    }

    /// A copy that has to work.
    #[track_caller]
    fn copy(&self) -> Said {
        let said = self.sync(&["acme/widgets"]);
        assert_eq!((said.code, &said.report["status"]), (Some(0), &Value::from("success")), "{}", said.errors);
        said
    }

    fn dump(&self) -> String {
        dump(&self.store(), &[])
    }

    /// What is known, without how and when it was copied.
    fn records(&self) -> String {
        dump(&self.store(), &["marks", "sync_states", "sync_segments", "totals"])
    }

    fn forge(&self) -> WritableForge {
        forge::open(&self.store()).unwrap()
    }
}

impl Said {
    fn of(output: &Output) -> Self {
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains("hush") && !errors.contains("hush"), "the token is told: {said} {errors}");
        let report: Value = serde_json::from_str(&said).unwrap_or_default();
        Self { code: output.status.code(), report: report["repositories"][0].clone(), errors: errors.into_owned() }
    }

    fn segment(&self, name: &str) -> (&str, u64) {
        let all = self.report["segments"].as_array().expect("segments");
        let segment = all.iter().rfind(|segment| segment["segment"] == name).expect("the segment");
        (segment["status"].as_str().unwrap_or_default(), segment["fetched"].as_u64().unwrap_or_default())
    }
}

/// Two contents are the same; else only what differs is shown.
#[track_caller]
fn check_same(one: &str, other: &str) {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (one, other) = (lines(one), lines(other));
    let differing: Vec<_> = one.symmetric_difference(&other).collect();
    assert!(differing.is_empty(), "these lines are on one side only: {differing:#?}");
}

fn widgets() -> RepoName {
    RepoName::parse("acme/widgets").unwrap()
}
