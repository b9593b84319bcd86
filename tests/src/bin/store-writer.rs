//! A second process that writes a miner's stores as fast as it can: `store-writer DIRECTORY SECONDS delete|wal|reopen`.
//!
//! Each transaction adds two rows to one store, so whoever sees an odd number saw half of one. `reopen` leaves a write-ahead
//! store after each transaction and comes back. It ends with the number of transactions on stdout, or with what went wrong.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use contract_tools::miner::Store;
use rusqlite::{Connection, params};

/// What the original waits for a store.
const PATIENCE: Duration = Duration::from_secs(5);

const STORES: [Store; 7] = [
    Store::PortfolioQueue,
    Store::ClaimLedger,
    Store::EventLedger,
    Store::RunState,
    Store::PlanStore,
    Store::GovernorLedger,
    Store::PredictionLedger,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, seconds, mode] = arguments.as_slice() else { return ExitCode::from(2) };
    let Ok(seconds) = seconds.parse() else { return ExitCode::from(2) };
    match write(Path::new(directory), Duration::from_secs(seconds), mode) {
        Ok(transactions) => {
            contract_tests::print_line(&transactions.to_string());
            ExitCode::SUCCESS
        }
        Err(error) => {
            contract_tests::print_line(&format!("the writer was disturbed: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn write(directory: &Path, time: Duration, mode: &str) -> rusqlite::Result<u64> {
    let paths = STORES.map(|store| directory.join(store.file()));
    let open = |path: &PathBuf| {
        let connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        let journal = if mode == "delete" { "DELETE" } else { "WAL" };
        connection.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |_| Ok(()))?;
        Ok(connection)
    };
    let mut connections = paths.iter().map(open).collect::<rusqlite::Result<Vec<_>>>()?;
    let started = Instant::now();
    let mut transactions = 0_u64;
    while started.elapsed() < time {
        for (index, store) in STORES.iter().enumerate() {
            if mode == "reopen" {
                connections[index] = open(&paths[index])?;
            }
            let transaction = connections[index].transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            for half in 0..2 {
                add(&transaction, *store, i64::try_from(transactions).unwrap_or(0) * 2 + half)?;
            }
            transaction.commit()?;
            if mode == "reopen" {
                connections[index] = Connection::open_in_memory()?;
            }
        }
        transactions += 1;
    }
    Ok(transactions)
}

fn add(connection: &Connection, store: Store, number: i64) -> rusqlite::Result<usize> {
    let (name, at) = (format!("owner/repo{}", number % 100), "2026-03-01T00:00:00.000Z");
    let host = "https://api.github.com";
    match store {
        Store::PortfolioQueue => connection.execute(
            "INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, enqueued_at) VALUES (?1, ?2, ?3, ?4)",
            params![host, name, format!("pr:{}", number + 1), at],
        ),
        Store::ClaimLedger => connection.execute(
            "INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at) VALUES (?1, ?2, ?3, ?4)",
            params![host, name, number, at],
        ),
        Store::EventLedger => connection.execute(
            "INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at) \
             VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM miner_event_ledger), 'pr_outcome', ?1, ?2, ?3)",
            params![name, format!(r#"{{"prNumber":{},"decision":"merged"}}"#, number + 1), at],
        ),
        Store::RunState => connection.execute(
            "INSERT INTO miner_run_state (api_base_url, repo_full_name, state, updated_at) VALUES (?1, ?2, 'idle', ?3)",
            params![host, format!("owner/run{number}"), at],
        ),
        Store::PlanStore => connection.execute(
            "INSERT INTO miner_plans (plan_id, plan_json, status, updated_at) VALUES (?1, ?2, 'pending', ?3)",
            params![
                format!("plan-{number}"),
                r#"{"steps":[{"id":"a","title":"t","dependsOn":[],"status":"pending","attempts":0,"maxAttempts":1}]}"#,
                at
            ],
        ),
        Store::GovernorLedger => connection.execute(
            "INSERT INTO governor_events (ts, event_type, repo_full_name, action_class, decision, reason, payload_json) \
             VALUES (?1, 'allowed', ?2, 'open_pr', 'allow', 'within limits', '{}')",
            params![at, name],
        ),
        _ => connection.execute(
            "INSERT INTO predictions (ts, repo_full_name, target_id, conclusion, pack, blocker_codes_json, \
             warning_codes_json, engine_version) VALUES (?1, ?2, ?3, 'success', 'p', '[]', '[]', '1')",
            params![at, name, number + 1],
        ),
    }
}
