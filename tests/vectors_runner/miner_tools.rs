//! `miner-tools`, `miner-tools-list` and `audit-feed`, through the miner's server over copies of its stores;
//! `miner-store-schema`, over the stores that `miner init --demo` makes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use contract_tests::vectors::Vector;
use contract_tools::miner::rules::{blank_to_none, repo_name::repo_name};
use contract_tools::miner::{Store, demo};
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::World;
use super::process;
use super::schemas::promised;

/// The clock of these vectors: 2026-03-10T12:00:00Z.
const NOW: u64 = 1_773_144_000;

/// The version that the original had.
const ORIGINAL_VERSION: &str = "3.21.2";

fn server() -> [String; 2] {
    ["miner".to_owned(), "mcp".to_owned()]
}

pub(crate) fn miner_tools(world: &World, vector: &Vector) -> Result<Value, String> {
    let place = Place::of(world, vector)?;
    let _locks = place.lock(vector.input["note"].as_str().unwrap_or_default())?;
    let mut client = process::server_at(NOW, &server(), &place.current, &place.environment);
    let mut parameters = json!({ "name": vector.input["tool"] });
    if !vector.input["arguments"].is_null() {
        parameters["arguments"] = vector.input["arguments"].clone();
    }
    let reply = client.request("tools/call", &parameters);
    if let Some(error) = reply.get("error") {
        return Ok(json!({ "rpcErrorCode": error["code"] }));
    }
    let form = process::in_vector_form(&reply["result"], &vector.expect)?;
    status_in_vector_form(form, &place)
}

/// A state of its own, and the environment that leads there.
struct Place {
    root: PathBuf,
    state: PathBuf,
    current: PathBuf,
    environment: BTreeMap<String, String>,
}

impl Place {
    fn of(world: &World, vector: &Vector) -> Result<Self, String> {
        let place = Self::make(world, vector).map_err(|error| error.to_string())?;
        place.ok_or_else(|| "a path of this vector is not UTF-8".to_owned())
    }

    fn make(world: &World, vector: &Vector) -> std::io::Result<Option<Self>> {
        let root = fs::canonicalize(world.home().keep())?;
        let input = &vector.input;
        let own: BTreeMap<String, Option<String>> = serde_json::from_value(input["env"].clone())?;
        let Some(root_text) = root.to_str() else { return Ok(None) };
        let mut environment = BTreeMap::from([
            ("HOME".to_owned(), format!("{root_text}/home")),
            ("PATH".to_owned(), format!("{root_text}/bin")),
            ("LOOPOVER_MINER_CONFIG_DIR".to_owned(), format!("{root_text}/state")),
        ]);
        for (name, value) in own {
            match value {
                Some(value) => drop(environment.insert(name, value.replace("<ROOT>", root_text))),
                None => drop(environment.remove(&name)),
            }
        }
        for folder in ["home", "bin", "cwd", "elsewhere"] {
            fs::create_dir(root.join(folder))?;
        }
        fs::write(root.join("afile"), "a regular file\n")?;
        let state = match vector.case.split('/').next() {
            Some("path-xdg") => root.join("xdg/loopover-miner"),
            Some("path-home-blank-envs") => root.join("home/.config/loopover-miner"),
            _ => root.join("state"),
        };
        if !vector.case.starts_with("missing-state-dir") {
            fs::create_dir_all(&state)?;
            let fixture = world.miner_state(input["state"].as_str().unwrap_or("empty"));
            copy_state(&fixture, &state)?;
        }
        fs::copy(world.miner_state("main").join("run-state.sqlite3"), root.join("elsewhere/rs.db"))?;
        if vector.case.starts_with("status-claude-ready") {
            executable(&root.join("bin/claude"))?;
        }
        if vector.case.starts_with("status-github-session") {
            fs::create_dir_all(root.join("home/.config/loopover"))?;
            let session = json!({ "profiles": { "default": { "session": { "token": "EXAMPLE_TOKEN=s" } } } });
            fs::write(root.join("home/.config/loopover/config.json"), session.to_string())?;
        }
        for (name, text) in input["cwdFiles"].as_object().into_iter().flatten() {
            let path = root.join("cwd").join(name);
            fs::create_dir_all(path.parent().unwrap_or(&root))?;
            let text = text.as_str().unwrap_or_default();
            let text = if text.starts_with("<32772 bytes") { "# yyyyyy\n".repeat(3641) } else { text.to_owned() };
            fs::write(path, text)?;
        }
        Ok(Some(Self { state, current: root.join("cwd"), root, environment }))
    }

    /// Holds the locks that a note speaks of, on every store.
    fn lock(&self, note: &str) -> Result<Vec<Connection>, String> {
        let begin = if note.contains("EXCLUSIVE") {
            "BEGIN EXCLUSIVE"
        } else if note.contains("RESERVED") {
            "BEGIN IMMEDIATE"
        } else {
            return Ok(Vec::new());
        };
        let held =
            Store::ALL.iter().map(|store| self.state.join(store.file())).filter(|path| path.exists()).map(|path| {
                let connection = Connection::open(path)?;
                connection.execute_batch(begin)?;
                Ok(connection)
            });
        held.collect::<rusqlite::Result<_>>().map_err(|error| error.to_string())
    }
}

fn copy_state(from: &Path, to: &Path) -> std::io::Result<()> {
    // An empty state has no folder in the repository.
    let Ok(entries) = fs::read_dir(from) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, "#!/bin/sh\n")?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// The vectors say paths by their part in the case and leave out details; versions are each program's own.
fn status_in_vector_form(mut form: Value, place: &Place) -> Result<Value, String> {
    let checks = form.pointer_mut("/structuredContent/doctor").and_then(Value::as_array_mut);
    let Some(checks) = checks else { return Ok(form) };
    for check in checks {
        let detail = check.as_object_mut().and_then(|check| check.shift_remove("detail"));
        let detail = detail.as_ref().and_then(Value::as_str).filter(|detail| !detail.is_empty());
        let detail = detail.ok_or("a check has no detail")?;
        if detail.contains('/') {
            return Err(format!("a detail names a path: {detail}"));
        }
    }
    let status = &mut form["structuredContent"]["status"];
    for package in ["package", "engine"] {
        if status[package]["version"] == env!("CARGO_PKG_VERSION") {
            status[package]["version"] = json!(ORIGINAL_VERSION);
        }
    }
    if status["node"] == concat!("loopover/", env!("CARGO_PKG_VERSION")) {
        status["node"] = json!("<NODE_VERSION>");
    }
    for member in ["stateDir", "configFile"] {
        if let Some(path) = status[member].as_str() {
            let named = [(&place.state, "<STATE>"), (&place.current, "<CWD>"), (&place.root, "<ROOT>")];
            let found = named.iter().find_map(|(known, name)| Some((path.strip_prefix(known.to_str()?)?, name)));
            status[member] = found.map_or_else(|| json!(path), |(rest, name)| json!(format!("{name}{rest}")));
        }
    }
    Ok(form)
}

pub(crate) fn miner_tools_list(world: &World, vector: &Vector) -> Result<Value, String> {
    let tool = world.miner_tools(|| {
        let home = world.home();
        let environment = BTreeMap::from([("HOME".to_owned(), home.path().display().to_string())]);
        let listed = process::server_at(NOW, &server(), home.path(), &environment).request("tools/list", &json!({}));
        listed["result"]["tools"].as_array().cloned().unwrap_or_default()
    });
    let tool = tool.iter().find(|tool| tool["name"] == vector.case.as_str()).ok_or("the server has no such tool")?;
    let hints = &tool["annotations"];
    Ok(json!({
        "annotations": { "readOnlyHint": hints["readOnlyHint"], "destructiveHint": hints["destructiveHint"] },
        "_meta": { "category": tool["_meta"]["category"] },
        "inputSchema": promised(&vector.expect["inputSchema"], &tool["inputSchema"]),
        "outputSchema": promised(&vector.expect["outputSchema"], &tool["outputSchema"]),
    }))
}

/// The entries of a vector become a ledger, as its writer would write it.
pub(crate) fn audit_feed(world: &World, vector: &Vector) -> Result<Value, String> {
    let home = world.home();
    write_ledger(home.path(), vector).map_err(|error| error.to_string())?;
    let environment = BTreeMap::from([("LOOPOVER_MINER_CONFIG_DIR".to_owned(), home.path().display().to_string())]);
    let filter = vector.input.get("filter");
    let arguments = filter.cloned().unwrap_or_else(|| json!({}));
    let mut client = process::server_at(NOW, &server(), home.path(), &environment);
    let result = client.call("loopover_miner_get_audit_feed", &arguments);
    if result["isError"] == true {
        return Ok(json!({ "error": "prose" }));
    }
    let feed = &result["structuredContent"];
    if filter.is_none() {
        let entry = |event: &Value| {
            json!({
                "seq": event["seq"], "type": event["eventType"], "repoFullName": event["repoFullName"],
                "createdAt": event["createdAt"],
            })
        };
        return Ok(feed["events"].as_array().into_iter().flatten().map(entry).collect());
    }
    let text = |name: &str| arguments[name].as_str();
    let normalized = json!({
        "repoFullName": text("repoFullName").and_then(repo_name),
        "since": arguments["since"],
        "type": text("type").and_then(blank_to_none),
    });
    Ok(json!({ "ok": { "normalized": normalized, "feed": feed } }))
}

fn write_ledger(directory: &Path, vector: &Vector) -> rusqlite::Result<()> {
    let ledger = Connection::open(directory.join(Store::EventLedger.file()))?;
    ledger.execute_batch(
        "CREATE TABLE miner_event_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL UNIQUE,
           event_type TEXT NOT NULL, repo_full_name TEXT, payload_json TEXT NOT NULL, created_at TEXT NOT NULL, tenant_id TEXT);
         PRAGMA user_version = 2",
    )?;
    for (number, entry) in (1_i64..).zip(vector.input["appended"].as_array().into_iter().flatten()) {
        let text = |name: &str| entry[name].as_str().map(str::trim);
        ledger.execute(
            "INSERT INTO miner_event_ledger (seq, event_type, repo_full_name, payload_json, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            rusqlite::params![
                number,
                text("type"),
                text("repoFullName"),
                entry["payload"].to_string(),
                format!("2026-03-01T00:00:{number:02}.000Z")
            ],
        )?;
    }
    Ok(())
}

/// The shape of a store of the demo.
pub(crate) fn store_schema(world: &World, vector: &Vector) -> Result<Value, String> {
    let home = world.home();
    demo::write(home.path()).map_err(|error| error.to_string())?;
    let file = home.path().join(vector.input["file"].as_str().ok_or("the vector names no file")?);
    if !file.exists() {
        return Err("the demo has no such store".to_owned());
    }
    Connection::open(file).and_then(|store| shape(&store)).map_err(|error| error.to_string())
}

fn shape(store: &Connection) -> rusqlite::Result<Value> {
    let pragma =
        |name: &str| store.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0));
    let mut tables = store.prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let tables = tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let tables = tables.map(|table| table_shape(store, &table?)).collect::<rusqlite::Result<Vec<Value>>>()?;
    let plain = |value: rusqlite::types::Value| match value {
        rusqlite::types::Value::Integer(number) => json!(number),
        rusqlite::types::Value::Text(text) => json!(text),
        _ => Value::Null,
    };
    Ok(json!({
        "userVersion": plain(pragma("user_version")?), "journalMode": plain(pragma("journal_mode")?), "tables": tables,
    }))
}

fn table_shape(store: &Connection, (table, sql): &(String, String)) -> rusqlite::Result<Value> {
    let mut columns = store.prepare("SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?1)")?;
    let columns = columns.query_map([table], |row| {
        Ok(json!({
            "name": row.get::<_, String>(0)?, "type": row.get::<_, String>(1)?, "notNull": row.get::<_, bool>(2)?,
            "default": row.get::<_, Option<String>>(3)?, "pk": row.get::<_, i64>(4)?,
        }))
    })?;
    let mut indexes = store.prepare("SELECT name, \"unique\", origin FROM pragma_index_list(?1)")?;
    let indexes = indexes.query_map([table], |row| {
        let (name, origin): (String, String) = (row.get(0)?, row.get(2)?);
        let mut parts = store.prepare("SELECT name FROM pragma_index_info(?1)")?;
        let parts: Vec<String> = parts.query_map([&name], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let name = (origin == "c").then_some(name);
        Ok(json!({ "unique": row.get::<_, bool>(1)?, "origin": origin, "name": name, "columns": parts }))
    })?;
    let mut shape = Map::new();
    shape.insert("table".to_owned(), json!(table));
    shape.insert("autoincrement".to_owned(), json!(sql.contains("AUTOINCREMENT")));
    let checks: Vec<&str> =
        sql.match_indices("CHECK (").filter_map(|(at, check)| sql[at + check.len()..].split("))").next()).collect();
    shape.insert("checks".to_owned(), checks.iter().map(|check| json!(format!("{check})"))).collect());
    shape.insert("columns".to_owned(), columns.collect::<rusqlite::Result<_>>()?);
    shape.insert("indexes".to_owned(), indexes.collect::<rusqlite::Result<_>>()?);
    Ok(Value::Object(shape))
}
