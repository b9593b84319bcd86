//! `portfolio-dashboard`, `manage-status`, `calibration-*` and `miner-plan-validate`: the records of a vector become stores,
//! as their writers would leave them, and the miner's server is asked.
//!
//! What no store can hold goes to the rule by function call instead: a clock that is none, an entry without a text where the
//! store demands one, a prediction whose target is no number, a record with a source. The state of a plan is always asked
//! of the rule, since the writer decides it and a reader repeats what is stored.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use contract_tests::vectors::{Vector, differences};
use contract_tools::miner::{Store, demo};
use rusqlite::{Connection, ToSql};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::World;
use super::miner_rules;
use super::process;

/// The clock of vectors that name none, in seconds: 2026-03-10T12:00:00Z.
const NOW: u64 = 1_773_144_000;

/// The stores that vectors speak of.
const WRITTEN: [Store; 5] =
    [Store::PortfolioQueue, Store::EventLedger, Store::RunState, Store::PlanStore, Store::PredictionLedger];

/// Makes the stores of the demo in `directory`, without their rows.
fn emptied(directory: &Path) -> Result<(), String> {
    demo::write(directory).map_err(|error| error.to_string())?;
    for store in WRITTEN {
        let emptied = Connection::open(directory.join(store.file())).and_then(|store| {
            let table: String = store.query_row(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                [],
                |row| row.get(0),
            )?;
            store.execute(&format!("DELETE FROM {table}"), [])
        });
        emptied.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A state directory with the stores of the demo, emptied: their shapes are those of the writers.
struct Stores(TempDir);

impl Stores {
    fn empty(world: &World) -> Result<Self, String> {
        let home = world.home();
        let emptied = world.emptied_stores(emptied)?;
        for store in WRITTEN {
            fs::copy(emptied.join(store.file()), home.path().join(store.file())).map_err(|error| error.to_string())?;
        }
        Ok(Self(home))
    }

    fn execute<const N: usize>(&self, store: Store, sql: &str, values: [&dyn ToSql; N]) -> Result<(), String> {
        let written = Connection::open(self.0.path().join(store.file())).and_then(|store| {
            // Readers pass over what a newer writer may store; a check of today keeps nothing from being tried.
            store.execute_batch("PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF")?;
            store.execute(sql, values.as_slice())
        });
        written.map(drop).map_err(|error| error.to_string())
    }

    fn queue(&self, entry: &Value, identifier: &str) -> Result<(), String> {
        self.execute(
            Store::PortfolioQueue,
            "INSERT INTO miner_portfolio_queue (api_base_url, repo_full_name, identifier, priority, status, enqueued_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            [
                &entry["apiBaseUrl"].as_str(),
                &entry["repoFullName"].as_str(),
                &identifier,
                &entry["priority"].as_f64().unwrap_or(0.0),
                &entry["status"].as_str(),
                &entry["enqueuedAt"].as_str(),
            ],
        )
    }

    fn event(&self, number: i64, kind: &str, event: (Option<&str>, &Value, &str)) -> Result<(), String> {
        let (repository, payload, at) = event;
        self.execute(
            Store::EventLedger,
            "INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
            [&number, &kind, &repository, &payload.to_string(), &at],
        )
    }

    fn events(&self, events: &Value) -> Result<(), String> {
        for (number, event) in (1_i64..).zip(list(events)) {
            let text = |name: &str| event[name].as_str();
            let (kind, at) = text("type").zip(text("createdAt")).ok_or("an event lacks a text")?;
            let number = event["seq"].as_i64().unwrap_or(number);
            self.event(number, kind, (text("repoFullName"), &event["payload"], at))?;
        }
        Ok(())
    }

    fn prediction(&self, project: &str, target: i64, head: Option<&str>, verdict: (&str, &str)) -> Result<(), String> {
        let (conclusion, at) = verdict;
        self.execute(
            Store::PredictionLedger,
            "INSERT INTO predictions (ts, repo_full_name, target_id, head_sha, conclusion, pack, blocker_codes_json, \
             warning_codes_json, engine_version) VALUES (?1, ?2, ?3, ?4, ?5, 'p', '[]', '[]', '1')",
            [&at, &project, &target, &head, &conclusion],
        )
    }

    /// What the server answers.
    fn call(&self, now: u64, tool: &str, arguments: &Value) -> Result<Value, String> {
        let directory = self.0.path();
        let environment = BTreeMap::from([("LOOPOVER_MINER_CONFIG_DIR".to_owned(), directory.display().to_string())]);
        let server = ["miner".to_owned(), "mcp".to_owned()];
        let result = process::server_at(now, &server, directory, &environment).call(tool, arguments);
        if result["isError"] == true { Err(result.to_string()) } else { Ok(result["structuredContent"].clone()) }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn has_texts(record: &Value, names: &[&str]) -> bool {
    names.iter().all(|name| record[*name].is_string())
}

pub(crate) fn portfolio_dashboard(world: &World, vector: &Vector) -> Result<Value, String> {
    let seconds = vector.input["nowMs"].as_u64().filter(|now| now % 1000 == 0).map(|now| now / 1000);
    let entries = &vector.input["entries"];
    let can_be_stored =
        list(entries).all(|entry| has_texts(entry, &["apiBaseUrl", "repoFullName", "status", "enqueuedAt"]));
    let Some(now) = seconds.filter(|_| can_be_stored) else { return miner_rules::portfolio_dashboard(world, vector) };
    let stores = Stores::empty(world)?;
    for (number, entry) in list(entries).enumerate() {
        // Identifiers are no part of this answer, and the vectors repeat one that a store holds once.
        stores.queue(entry, &format!("{} {number}", entry["identifier"].as_str().unwrap_or_default()))?;
    }
    stores.call(now, "loopover_miner_get_portfolio_dashboard", &json!({}))
}

pub(crate) fn manage_status(world: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let stores = Stores::empty(world)?;
    for entry in list(&input["queue"]) {
        stores.queue(entry, entry["identifier"].as_str().ok_or("an entry has no identifier")?)?;
    }
    stores.events(&input["events"])?;
    for run in list(&input["runStates"]) {
        let text = |name: &str| run[name].as_str();
        stores.execute(
            Store::RunState,
            "INSERT INTO miner_run_state (api_base_url, repo_full_name, state, updated_at) VALUES (?1, ?2, ?3, ?4)",
            [&text("apiBaseUrl"), &text("repoFullName"), &text("state"), &text("updatedAt")],
        )?;
    }
    stores.call(NOW, "loopover_miner_get_manage_status", &json!({}))
}

pub(crate) fn calibration_report(world: &World, vector: &Vector) -> Result<Value, String> {
    let (predictions, outcomes) = (&vector.input["predictions"], &vector.input["outcomes"]);
    let target = |record: &Value| -> Option<i64> {
        let text = record["targetId"].as_str()?;
        text.parse().ok().filter(|number: &i64| number.to_string() == text)
    };
    let can_be_stored = |record: &Value, decision: &str| {
        has_texts(record, &["project", decision, "recordedAt"])
            && target(record).is_some()
            && record.get("source").is_none()
    };
    let all = list(predictions).all(|record| can_be_stored(record, "predictedDecision"))
        && list(outcomes).all(|record| can_be_stored(record, "outcomeDecision"));
    if !all {
        return miner_rules::calibration_report(world, vector);
    }
    let stores = Stores::empty(world)?;
    let text = |record: &'_ Value, name: &str| record[name].as_str().unwrap_or_default().to_owned();
    for record in list(predictions) {
        let (decision, at) = (text(record, "predictedDecision"), text(record, "recordedAt"));
        stores.prediction(&text(record, "project"), target(record).unwrap_or_default(), None, (&decision, &at))?;
    }
    for (number, record) in (1_i64..).zip(list(outcomes)) {
        let payload = json!({ "prNumber": target(record), "decision": record["outcomeDecision"] });
        let event = (record["project"].as_str(), &payload, text(record, "recordedAt"));
        stores.event(number, "pr_outcome", (event.0, event.1, &event.2))?;
    }
    stores.call(NOW, "loopover_miner_get_calibration_report", &json!({}))
}

/// The report comes from the server; which records it is made of is no part of its answer and asked of the rule.
pub(crate) fn calibration_ledger_join(world: &World, vector: &Vector) -> Result<Value, String> {
    let stores = Stores::empty(world)?;
    for row in list(&vector.input["predictionRows"]) {
        let text = |name: &str| row[name].as_str();
        let target = row["targetId"].as_i64().ok_or("a prediction has no target")?;
        let (project, verdict) =
            text("repoFullName").zip(text("conclusion").zip(text("ts"))).ok_or("a prediction lacks a text")?;
        stores.prediction(project, target, text("headSha"), verdict)?;
    }
    stores.events(&vector.input["events"])?;
    let mut form = miner_rules::calibration_ledger_join(world, vector)?;
    form["report"] = stores.call(NOW, "loopover_miner_get_calibration_report", &json!({}))?;
    Ok(form)
}

/// Whether a plan can be read back as it is stored.
pub(crate) fn plan_validate(world: &World, vector: &Vector) -> Result<Value, String> {
    let plan = &vector.input["plan"];
    let stores = Stores::empty(world)?;
    stores.execute(
        Store::PlanStore,
        "INSERT INTO miner_plans (plan_id, plan_json, status, updated_at) VALUES ('p', ?1, 'pending', '2026-03-01T00:00:00.000Z')",
        [&plan.to_string()],
    )?;
    let answer = stores.call(NOW, "loopover_miner_get_plan", &json!({ "planId": "p" }))?;
    let mut form = miner_rules::plan_validate(world, vector)?;
    if answer["found"] != true {
        return if form["error"].is_string() { Ok(form) } else { Err(format!("the server finds no plan: {answer}")) };
    }
    if let Some(valid) = form.get_mut("ok") {
        valid["roundTrips"] = json!(differences("", plan, &answer["plan"]["plan"]).is_empty());
        return Ok(form);
    }
    Err("the server finds a plan where the rule finds none".to_owned())
}
