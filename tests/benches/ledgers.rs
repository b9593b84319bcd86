//! What a million rows cost: each tool's time and bytes, and the memory of the server, over ledgers that grow tenfold twice.
//!
//! `cargo bench -p contract-tests --bench ledgers`; a number behind `--` is the largest ledger. It prints and judges nothing.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use contract_tests::print_line;
use contract_tests::stdio_client::StdioClient;
use contract_tools::miner::{Store, demo};
use rusqlite::Connection;
use serde_json::json;

const TOOLS: [&str; 9] = [
    "loopover_miner_get_portfolio_dashboard",
    "loopover_miner_get_manage_status",
    "loopover_miner_list_claims",
    "loopover_miner_get_audit_feed",
    "loopover_miner_get_run_state",
    "loopover_miner_list_plans",
    "loopover_miner_get_governor_decisions",
    "loopover_miner_get_calibration_report",
    "loopover_miner_status",
];

const INSERTS: [(Store, &str); 5] = [
    (
        Store::ClaimLedger,
        "INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at) \
         SELECT 'https://api.github.com', 'many/repo' || (i % 500), i, 't' FROM n",
    ),
    (
        Store::EventLedger,
        r#"INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at)
         SELECT i + 10, iif(i % 2, 'pr_outcome', 'manage_pr_update'), 'many/repo' || (i % 500),
           '{"prNumber":' || (i % 10000 + 1) || ',"decision":"merged","branch":"b","detail":"something happened"}',
           '2026-03-01T00:00:00.000Z' FROM n"#,
    ),
    (
        Store::PortfolioQueue,
        "INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, enqueued_at) \
         SELECT 'https://api.github.com', 'many/repo' || (i % 500), 'pr:' || i, '2026-03-01T00:00:00.000Z' FROM n",
    ),
    (
        Store::GovernorLedger,
        "INSERT INTO governor_events (ts, event_type, repo_full_name, action_class, decision, reason, payload_json) \
         SELECT '2026-03-01T00:00:00.000Z', 'allowed', 'many/repo' || (i % 500), 'a', 'b', 'c', '{}' FROM n",
    ),
    (
        Store::PredictionLedger,
        "INSERT INTO predictions (ts, repo_full_name, target_id, conclusion, pack, blocker_codes_json, warning_codes_json, \
         engine_version) SELECT '2026-03-01T00:00:00.000Z', 'many/repo' || (i % 500), i % 10000 + 1, 'success', 'p', '[]', \
         '[]', '1' FROM n",
    ),
];

fn main() {
    let largest = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    print_line(&format!("{:>9} {:<40} {:>10} {:>10} {:>12}", "rows", "tool", "ms", "bytes", "peak KiB"));
    for rows in [largest / 100, largest / 10, largest] {
        let scratch = tempfile::tempdir().expect("a folder");
        fill(scratch.path(), rows).expect("the ledgers are filled");
        // Each tool has a server of its own, so that the peak is the tool's.
        for tool in TOOLS {
            let mut command = Command::new(env!("CARGO_BIN_EXE_loopover-under-test"));
            command.args(["miner", "mcp"]).env_clear().env("LOOPOVER_MINER_CONFIG_DIR", scratch.path());
            let mut client = StdioClient::start_command(command);
            client.initialize();
            let started = Instant::now();
            let result = client.call(tool, &json!({}));
            let time = started.elapsed().as_millis();
            let bytes = result["content"][0]["text"].as_str().unwrap_or_default().len();
            let mark = if result["isError"] == true { " failed" } else { "" };
            print_line(&format!("{rows:>9} {tool:<40} {time:>10} {bytes:>10} {:>12}{mark}", peak(client.pid())));
        }
    }
}

fn fill(directory: &Path, rows: u64) -> Result<(), Box<dyn std::error::Error>> {
    demo::write(directory)?;
    for (store, sql) in INSERTS {
        let connection = Connection::open(directory.join(store.file()))?;
        connection.execute_batch("PRAGMA synchronous = OFF")?;
        let numbers =
            format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) SELECT");
        connection.execute_batch(&sql.replacen("SELECT", &numbers, 1))?;
    }
    Ok(())
}

fn peak(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").to_owned()
}
