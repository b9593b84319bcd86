//! The checks of a miner's machine, in a fixed order. A detail names no path and no value.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{Access, access};

use super::driver::{Driver, Provider, is_on_path};
use super::goal_file;
use super::integrity::{self, Integrity};
use crate::miner::read::proposals;
use crate::miner::rules::goal;
use crate::miner::{MinerHome, Store};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is called.
    pub name: String,
    /// Whether it is in order.
    pub is_ok: bool,
    /// What was found and, if it is not in order, what to do.
    pub detail: String,
}

fn check(name: &str, is_ok: bool, detail: impl Into<String>) -> Check {
    Check { name: name.to_owned(), is_ok, detail: detail.into() }
}

/// A larger file is no goal file.
const LARGEST_GOAL_FILE: u64 = 64 << 10;

/// Everything that is looked at; whether the command line is logged in is found out by who asks.
pub fn checks(home: &MinerHome, now: SystemTime, is_logged_in: bool) -> Vec<Check> {
    let driver = Driver::of(home);
    let mut checks = vec![
        check("node-version", true, "this program needs no Node.js"),
        check("engine-resolves", true, "the engine is a part of this program"),
        check("engine-version-skew", true, "program and engine are of one version"),
        state_directory(home),
        laptop_state(home),
        docker(home),
        program(home, driver, "claude-cli-present", Provider::ClaudeCli, "claude", has_claude_credential(home)),
        program(home, driver, "codex-cli-present", Provider::CodexCli, "codex", has_codex_credential(home)),
        github_token(home, is_logged_in),
        credential(home, driver),
        goal_content(home),
        backtests(home, now),
    ];
    checks.extend(Store::ALL.map(|store| store_integrity(home, store)));
    checks
}

fn has_value(home: &MinerHome, name: &str) -> bool {
    home.environment.get(OsStr::new(name)).is_some_and(|value| !value.is_empty())
}

/// Whether the state can be written is asked of the system: nothing is written to find out.
fn state_directory(home: &MinerHome) -> Check {
    let name = "state-dir-writable";
    let directory = home.absolute(&home.state_directory());
    let allowed = Access::WRITE_OK | Access::EXEC_OK;
    if directory.is_dir() {
        return match access(&directory, allowed) {
            Ok(()) => check(name, true, "the state directory can be written"),
            Err(_) => check(name, false, "the state directory cannot be written; check its permissions"),
        };
    }
    // The nearest directory above decides whether it can be made.
    let above = directory.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok());
    let can_be_made =
        !directory.exists() && above.is_some_and(|above| above.is_dir() && access(above, allowed).is_ok());
    if can_be_made {
        check(name, true, "there is no state directory yet, and it can be made")
    } else {
        check(name, false, "the state directory cannot be made; check the permissions above it")
    }
}

fn laptop_state(home: &MinerHome) -> Check {
    let name = "laptop-state-sqlite";
    match integrity::of(home, Store::LaptopState) {
        Integrity::Absent => check(name, false, "this machine was not set up; run the miner's init"),
        Integrity::Whole => check(name, true, "this machine was set up"),
        Integrity::Busy | Integrity::Large => check(name, true, "this machine was set up; the miner holds the store"),
        Integrity::Broken(reason) => check(name, false, format!("the store cannot be read: {reason}")),
    }
}

fn docker(home: &MinerHome) -> Check {
    let found = if is_on_path(home, "docker") { "docker is on the search path" } else { "there is no docker" };
    check("docker-present", true, found)
}

fn program(
    home: &MinerHome,
    driver: Driver,
    name: &str,
    provider: Provider,
    program: &str,
    has_credential: bool,
) -> Check {
    let is_needed = driver.provider == Some(provider);
    let credential = if has_credential { "with a credential" } else { "without a credential" };
    match (is_on_path(home, program), is_needed) {
        (true, _) => check(name, true, format!("`{program}` is on the search path, {credential}")),
        (false, false) => check(name, true, format!("there is no `{program}`, and it is not needed")),
        (false, true) => check(name, false, format!("`{program}` is needed and not on the search path; install it")),
    }
}

fn has_claude_credential(home: &MinerHome) -> bool {
    has_value(home, "CLAUDE_CODE_OAUTH_TOKEN") || has_value(home, "ANTHROPIC_API_KEY")
}

fn has_codex_credential(home: &MinerHome) -> bool {
    let directory = match home.variable("CODEX_HOME") {
        Some(directory) => Some(PathBuf::from(directory)),
        None => home.home.as_deref().map(|home| home.join(".codex")),
    };
    directory.is_some_and(|directory| {
        let file = home.absolute(&directory).join("auth.json");
        file.is_file() && access(&file, Access::READ_OK).is_ok()
    })
}

fn github_token(home: &MinerHome, is_logged_in: bool) -> Check {
    let name = "github-token";
    if has_value(home, "GITHUB_TOKEN") {
        check(name, true, "GITHUB_TOKEN is set")
    } else if is_logged_in {
        check(name, true, "the command line is logged in")
    } else {
        check(name, false, "there is no token; set GITHUB_TOKEN or log in with the command line")
    }
}

fn credential(home: &MinerHome, driver: Driver) -> Check {
    let name = "coding-agent-credential";
    let (has_it, what) = match driver.provider {
        None | Some(Provider::Noop) => return check(name, true, "no coding agent is set, so no credential is needed"),
        Some(Provider::ClaudeCli | Provider::AgentSdk) => {
            (has_claude_credential(home), "CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY")
        }
        Some(Provider::CodexCli) => (has_codex_credential(home), "the login of `codex`"),
    };
    if has_it {
        check(name, true, "the coding agent has a credential")
    } else {
        check(name, false, format!("the coding agent has no credential: {what} is missing"))
    }
}

fn goal_content(home: &MinerHome) -> Check {
    let name = "config-content";
    let Some(path) = goal_file(home) else { return check(name, true, "there is no goal file here") };
    let Some(text) = read_goal_file(&path) else { return check(name, false, "the goal file cannot be read") };
    let warnings = goal::warnings(&text);
    let fields: Vec<&str> = warnings.fields.iter().map(|field| field.unwrap_or("the file as a whole")).collect();
    if !fields.is_empty() {
        check(name, false, format!("the goal file has something wrong in: {}", fields.join(", ")))
    } else if warnings.only_defaults {
        check(name, true, "the goal file says nothing but what holds anyway")
    } else {
        check(name, true, "the goal file is in order")
    }
}

fn read_goal_file(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LARGEST_GOAL_FILE).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn backtests(home: &MinerHome, now: SystemTime) -> Check {
    let name = "ams-backtest-proposals";
    let proposals = match proposals(home, now) {
        Ok(proposals) => proposals,
        Err(error) => return check(name, true, format!("the event ledger cannot be read: {}", error.reason)),
    };
    let thresholds: Vec<String> = proposals
        .iter()
        .take(20)
        .map(|proposal| format!("{} instead of {}", proposal.candidate_threshold, proposal.current_threshold))
        .collect();
    if thresholds.is_empty() {
        check(name, true, "no backtest proposes another threshold")
    } else {
        check(name, true, format!("backtests propose the threshold {}", thresholds.join(", ")))
    }
}

fn store_integrity(home: &MinerHome, store: Store) -> Check {
    let name = format!("store-integrity:{}", store.name());
    match integrity::of(home, store) {
        Integrity::Absent => check(&name, true, "there is no such store yet"),
        Integrity::Whole => check(&name, true, "the store is whole"),
        Integrity::Busy => check(&name, true, "the store is busy: its writer holds it, so it was not looked through"),
        Integrity::Large => check(&name, true, "the store is too large to be looked through while its writer waits"),
        Integrity::Broken(reason) => check(&name, false, format!("the store cannot be read as a whole: {reason}")),
    }
}
