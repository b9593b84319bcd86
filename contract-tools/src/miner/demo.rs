//! A small invented state directory, so that a newcomer sees answers. The only code here that writes a store, and only
//! into a directory that did not exist or is empty.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use rusqlite::Connection;

use super::stores::Store;

/// Each store with what is put into it.
const STORES: [(Store, &str); 7] = [
    (
        Store::PortfolioQueue,
        "CREATE TABLE miner_portfolio_queue (api_base_url TEXT NOT NULL, repo_full_name TEXT NOT NULL,
           identifier TEXT NOT NULL, priority REAL NOT NULL DEFAULT 0,
           status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'in_progress', 'done')),
           enqueued_at TEXT NOT NULL, leased_at TEXT, attempts_count INTEGER NOT NULL DEFAULT 0,
           consecutive_failures INTEGER NOT NULL DEFAULT 0, reenqueue_count INTEGER NOT NULL DEFAULT 0, tenant_id TEXT,
           PRIMARY KEY (api_base_url, repo_full_name, identifier));
         INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, priority, status, enqueued_at) VALUES
           ('https://api.github.com', 'acme/widgets', 'issue:12', 5, 'queued', '2026-03-01T08:00:00.000Z'),
           ('https://api.github.com', 'acme/widgets', 'pr:101', 3, 'in_progress', '2026-03-01T09:00:00.000Z'),
           ('https://api.github.com', 'beta/api', 'pr:7', 1, 'done', '2026-02-27T10:00:00.000Z');
         PRAGMA user_version = 5;",
    ),
    (
        Store::ClaimLedger,
        "CREATE TABLE miner_claims (id INTEGER PRIMARY KEY AUTOINCREMENT, api_base_url TEXT NOT NULL,
           repo_full_name TEXT NOT NULL, issue_number INTEGER NOT NULL, claimed_at TEXT NOT NULL,
           status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'released', 'expired')), note TEXT,
           tenant_id TEXT, UNIQUE (api_base_url, repo_full_name, issue_number));
         INSERT INTO miner_claims (api_base_url, repo_full_name, issue_number, claimed_at, status, note) VALUES
           ('https://api.github.com', 'acme/widgets', 12, '2026-03-01T08:05:00.000Z', 'active', 'reproduced, a fix is under way'),
           ('https://api.github.com', 'beta/api', 4, '2026-02-20T08:00:00.000Z', 'released', NULL);
         PRAGMA user_version = 3;",
    ),
    (
        Store::EventLedger,
        r#"CREATE TABLE miner_event_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL UNIQUE,
           event_type TEXT NOT NULL, repo_full_name TEXT, payload_json TEXT NOT NULL, created_at TEXT NOT NULL, tenant_id TEXT);
         INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at) VALUES
           (1, 'discovered_issue', 'acme/widgets', '{"detail":"issue 12 looks doable"}', '2026-03-01T07:55:00.000Z'),
           (2, 'plan_built', 'acme/widgets', '{"actor":"planner","outcome":"ok"}', '2026-03-01T08:10:00.000Z'),
           (3, 'manage_pr_update', 'acme/widgets', '{"prNumber":101,"branch":"fix-12","ciState":"success","gateVerdict":"pass","outcome":"ready","lastPolledAt":"2026-03-01T09:30:00.000Z"}', '2026-03-01T09:30:00.000Z'),
           (4, 'pr_outcome', 'beta/api', '{"prNumber":7,"decision":"merged"}', '2026-03-01T10:00:00.000Z');
         PRAGMA user_version = 2;"#,
    ),
    (
        Store::RunState,
        "CREATE TABLE miner_run_state (api_base_url TEXT NOT NULL, repo_full_name TEXT NOT NULL,
           state TEXT NOT NULL CHECK (state IN ('idle', 'discovering', 'planning', 'preparing')), updated_at TEXT NOT NULL,
           tenant_id TEXT, PRIMARY KEY (api_base_url, repo_full_name));
         INSERT INTO miner_run_state (api_base_url, repo_full_name, state, updated_at) VALUES
           ('https://api.github.com', 'acme/widgets', 'preparing', '2026-03-01T09:31:00.000Z'),
           ('https://api.github.com', 'beta/api', 'idle', '2026-03-01T10:01:00.000Z');
         PRAGMA user_version = 3;",
    ),
    (
        Store::PlanStore,
        r#"CREATE TABLE miner_plans (plan_id TEXT PRIMARY KEY, plan_json TEXT NOT NULL,
           status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')), updated_at TEXT NOT NULL,
           tenant_id TEXT);
         INSERT INTO miner_plans (plan_id, plan_json, status, updated_at) VALUES
           ('plan-12', '{"steps":[{"id":"reproduce","title":"Reproduce issue 12","dependsOn":[],"status":"completed","attempts":1,"maxAttempts":3},{"id":"fix","title":"Fix the parser","actionClass":"edit","dependsOn":["reproduce"],"status":"running","attempts":1,"maxAttempts":3,"lastError":null}]}', 'running', '2026-03-01T08:20:00.000Z');
         PRAGMA user_version = 2;"#,
    ),
    (
        Store::GovernorLedger,
        "CREATE TABLE governor_events (id INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT NOT NULL, event_type TEXT NOT NULL,
           repo_full_name TEXT, action_class TEXT NOT NULL, decision TEXT NOT NULL, reason TEXT NOT NULL,
           payload_json TEXT NOT NULL, tenant_id TEXT);
         CREATE INDEX idx_governor_events_repo ON governor_events (repo_full_name, id);
         INSERT INTO governor_events (ts, event_type, repo_full_name, action_class, decision, reason, payload_json) VALUES
           ('2026-03-01T08:30:00.000Z', 'allowed', 'acme/widgets', 'open_pr', 'allow', 'within limits', '{}'),
           ('2026-03-01T08:45:00.000Z', 'throttled', 'beta/api', 'comment', 'defer', 'rate limited', '{}');
         PRAGMA user_version = 2;",
    ),
    (
        Store::PredictionLedger,
        "CREATE TABLE predictions (id INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT NOT NULL, repo_full_name TEXT NOT NULL,
           target_id INTEGER NOT NULL, head_sha TEXT, conclusion TEXT NOT NULL, pack TEXT NOT NULL, readiness_score REAL,
           blocker_codes_json TEXT NOT NULL, warning_codes_json TEXT NOT NULL, engine_version TEXT NOT NULL, tenant_id TEXT);
         CREATE INDEX idx_predictions_repo ON predictions (repo_full_name, id);
         INSERT INTO predictions (ts, repo_full_name, target_id, head_sha, conclusion, pack, blocker_codes_json,
           warning_codes_json, engine_version) VALUES
           ('2026-02-28T12:00:00.000Z', 'beta/api', 7, 'c0ffee', 'success', 'default', '[]', '[]', '0.1.0');
         PRAGMA user_version = 2;",
    ),
];

/// Fills a directory that is empty, or is not there yet.
///
/// # Errors
/// When there is something in it already, or it cannot be written.
pub fn write(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    if fs::read_dir(directory)?.next().is_some() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is something in it already"));
    }
    for (store, sql) in STORES {
        let file = directory.join(store.file());
        let written = Connection::open(&file).and_then(|connection| connection.execute_batch(sql));
        written.map_err(|_| io::Error::other(format!("the store {} cannot be written", store.name())))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}
