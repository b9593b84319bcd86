//! A state directory of its own for each test.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use contract_tests::seen::seen;
use contract_tests::stdio_client::StdioClient;
use contract_tools::miner::Store;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::wire::BINARY;

/// The clock: 2026-03-10T12:00:00Z.
const NOW: &str = "1773144000";

/// The eleven tools that a grounded conversation may call.
pub(crate) const TOOLS: [&str; 11] = [
    "loopover_miner_ping",
    "loopover_miner_get_portfolio_dashboard",
    "loopover_miner_get_manage_status",
    "loopover_miner_list_claims",
    "loopover_miner_get_audit_feed",
    "loopover_miner_get_run_state",
    "loopover_miner_list_plans",
    "loopover_miner_get_plan",
    "loopover_miner_get_governor_decisions",
    "loopover_miner_status",
    "loopover_miner_get_calibration_report",
];

/// The seven stores whose rows are told.
pub(crate) const STORES: [Store; 7] = [
    Store::PortfolioQueue,
    Store::ClaimLedger,
    Store::EventLedger,
    Store::RunState,
    Store::PlanStore,
    Store::GovernorLedger,
    Store::PredictionLedger,
];

/// The tools that read a store.
pub(crate) fn readers(store: Store) -> &'static [&'static str] {
    match store {
        Store::PortfolioQueue => &["loopover_miner_get_portfolio_dashboard", "loopover_miner_get_manage_status"],
        Store::ClaimLedger => &["loopover_miner_list_claims"],
        Store::EventLedger => &[
            "loopover_miner_get_audit_feed",
            "loopover_miner_get_manage_status",
            "loopover_miner_get_calibration_report",
        ],
        Store::RunState => &["loopover_miner_get_run_state", "loopover_miner_get_manage_status"],
        Store::PlanStore => &["loopover_miner_list_plans", "loopover_miner_get_plan"],
        Store::GovernorLedger => &["loopover_miner_get_governor_decisions"],
        _ => &["loopover_miner_get_calibration_report"],
    }
}

pub(crate) struct State {
    _scratch: tempfile::TempDir,
    pub(crate) directory: PathBuf,
}

impl State {
    /// A directory that is not there yet.
    pub(crate) fn missing() -> Self {
        let scratch = tempfile::tempdir().expect("a folder");
        // Other users may look at it.
        fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).expect("permitted");
        let directory = fs::canonicalize(scratch.path()).expect("a folder").join("state");
        Self { _scratch: scratch, directory }
    }

    /// A directory without a store.
    pub(crate) fn empty() -> Self {
        let state = Self::missing();
        fs::create_dir(&state.directory).expect("a folder");
        state
    }

    /// The invented state of the demo.
    pub(crate) fn demo() -> Self {
        let state = Self::empty();
        contract_tools::miner::demo::write(&state.directory).expect("the demo is written");
        state
    }

    /// A copy of a fixture.
    pub(crate) fn of(name: &str) -> Self {
        let state = Self::empty();
        let fixture = contract_tests::workspace::root().join("tests/fixtures/miner-state").join(name);
        for entry in fs::read_dir(fixture).expect("the fixture") {
            let entry = entry.expect("an entry");
            fs::copy(entry.path(), state.directory.join(entry.file_name())).expect("copied");
        }
        state
    }

    pub(crate) fn path(&self, store: Store) -> PathBuf {
        self.directory.join(store.file())
    }

    /// A connection as its writer has one.
    pub(crate) fn writer(&self, store: Store) -> Connection {
        let connection = Connection::open(self.path(store)).expect("the store opens");
        connection.busy_timeout(std::time::Duration::from_secs(5)).expect("patience");
        connection
    }

    pub(crate) fn execute(&self, store: Store, sql: &str) {
        self.writer(store).execute_batch(sql).expect("written");
    }

    /// A store that its writer left with a write-ahead log's mark.
    pub(crate) fn make_write_ahead(&self, store: Store) -> Connection {
        let writer = self.writer(store);
        writer.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).expect("a write-ahead store");
        writer
    }

    /// The server's command, not started.
    pub(crate) fn command(&self) -> Command {
        self.command_of(Command::new(BINARY))
    }

    pub(crate) fn command_of(&self, mut command: Command) -> Command {
        command
            .args(["--now", NOW, "miner", "mcp"])
            .env_clear()
            .env("HOME", &self.directory)
            .env("LOOPOVER_MINER_CONFIG_DIR", &self.directory)
            .current_dir("/");
        command
    }

    /// An open session.
    pub(crate) fn client(&self) -> StdioClient {
        self.client_with([("UNUSED", "")])
    }

    /// An open session with variables of its own.
    pub(crate) fn client_with<V: AsRef<OsStr>>(
        &self,
        variables: impl IntoIterator<Item = (&'static str, V)>,
    ) -> StdioClient {
        let mut command = self.command();
        command.envs(variables);
        let mut client = StdioClient::start_command(command);
        client.initialize();
        client
    }

    /// Everything that can be seen of the directory: its entries, and of each the kind, the permissions, the times of change
    /// and the bytes.
    pub(crate) fn seen(&self) -> BTreeMap<PathBuf, String> {
        seen(&self.directory)
    }
}

/// Arguments with which a tool can be called.
pub(crate) fn arguments(tool: &str) -> Value {
    if tool == "loopover_miner_get_plan" { json!({ "planId": "plan-a" }) } else { json!({}) }
}

/// Calls every tool and answers with the results.
pub(crate) fn call_all(client: &mut StdioClient) -> BTreeMap<&'static str, Value> {
    TOOLS.iter().map(|tool| (*tool, client.call(tool, &arguments(tool)))).collect()
}

/// The value of a success.
#[track_caller]
pub(crate) fn value(result: &Value) -> &Value {
    assert!(!result["isError"].as_bool().unwrap_or_default(), "{result}");
    &result["structuredContent"]
}

/// Code, reason and message of a failure.
#[track_caller]
pub(crate) fn failure(result: &Value) -> (String, String, String) {
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text block");
    let said: Value = serde_json::from_str(text).expect("an envelope");
    let part = |name: &str| said["error"][name].as_str().unwrap_or_default().to_owned();
    (part("code"), part("reason"), part("message"))
}
