//! `admin-get-config` and `gate_contract_bounds`: the remote tools, called at the command line on a store of their own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use contract_tests::http_client::{Ask, HttpServer};
use contract_tests::vectors::Vector;
use contract_tools::forge;
use serde_json::{Map, Value, json};

use super::World;
use super::process::in_vector_form;
use super::world::search_path;

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// What a call at the command line printed, as a server would send it.
fn call(variables: &BTreeMap<String, String>, store: &str, tool: &str, arguments: &Value) -> Result<Value, String> {
    let mut command = Command::new(BINARY);
    command.args(["tools", "call", tool, "-", "--store", store]).env_clear().envs(search_path()).envs(variables);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    // A process that refuses the call does not read what it is called with.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(arguments.to_string().as_bytes()));
    let outcome = child.wait_with_output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&outcome.stderr);
    let said = || serde_json::from_slice(&outcome.stdout).map_err(|error| format!("no JSON: {error}; {told}"));
    match outcome.status.code() {
        Some(0) => {
            let answer: Value = said()?;
            Ok(json!({ "content": [{ "text": answer.to_string() }], "structuredContent": answer }))
        }
        Some(1) => {
            let envelope: Value = said()?;
            Ok(json!({ "isError": true, "content": [{ "text": envelope.to_string() }] }))
        }
        // To somebody at the prompt, who may be able to set it, the variable that it hangs on is named.
        Some(2) if told.contains("exists only where LOOPOVER_MCP_ADMIN_ENABLED") => Ok(json!({ "unknownTool": true })),
        code => Err(format!("`{tool}` ended with {code:?}: {told}")),
    }
}

/// What a server answers to a person who signed in.
fn call_as(
    login: &str,
    variables: &BTreeMap<String, String>,
    store: &str,
    tool: &str,
    arguments: &Value,
) -> Result<Value, String> {
    let program = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(arguments).args(["--store", store]).env_clear().envs(search_path()).envs(variables);
        command
    };
    let made = program(&["session", "create", login]).output().map_err(|error| error.to_string())?;
    let token = String::from_utf8_lossy(&made.stdout).trim().to_owned();
    let server = HttpServer::start(program(&["serve", "--bind", "127.0.0.1:0"]), 1);
    let ask = Ask::call(&server, tool, arguments).with("Authorization", &format!("Bearer {token}"));
    Ok(ask.answer(&server).json()["result"].clone())
}

pub(crate) fn admin_get_config(world: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let home = world.home();
    let folder = home.path().join("config");
    for (path, content) in input["files"].as_object().into_iter().flatten() {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().ok_or("a file lies in a folder")?).map_err(|error| error.to_string())?;
        fs::write(file, content.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let enabled = input["LOOPOVER_MCP_ADMIN_ENABLED"].as_str().unwrap_or_default();
    let mut variables = BTreeMap::from([("LOOPOVER_MCP_ADMIN_ENABLED".to_owned(), enabled.to_owned())]);
    if input["configDirSet"] == true {
        variables.insert("LOOPOVER_REPO_CONFIG_DIR".to_owned(), folder.display().to_string());
    }
    let store = home.path().join("forge.sqlite3").display().to_string();
    let tool = "loopover_admin_get_config";
    // At the command line the person who is logged in runs the deployment; everybody else is a caller of its server.
    let result = match input["identity"]["session"]["login"].as_str() {
        None => call(&variables, &store, tool, &input["arguments"])?,
        Some(login) => call_as(login, &variables, &store, tool, &input["arguments"])?,
    };
    if result.get("unknownTool").is_some() {
        return Ok(result);
    }
    let mut form = in_vector_form(&result, &vector.expect)?;
    if vector.expect["structuredContent"].get("warningCount").is_some() {
        form["structuredContent"]["warningCount"] =
            json!(form["structuredContent"]["warnings"].as_array().map(Vec::len));
    }
    Ok(form)
}

pub(crate) fn gate_contract_bounds(world: &World, vector: &Vector) -> Result<Value, String> {
    let tool = vector.input["tool"].as_str().ok_or("a case names its tool")?;
    let home = world.home();
    let store = home.path().join("forge.sqlite3");
    forge::open(&store).map_err(|error| error.to_string())?;
    let arguments = arguments(tool, &vector.input["value"]);
    let result = call(&BTreeMap::new(), &store.display().to_string(), tool, &arguments)?;
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let said: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if said["error"]["code"] != "invalid_input" {
        return if said.get("error").is_some() { Err(said.to_string()) } else { Ok(json!({ "ok": true })) };
    }
    let issues = said["error"]["issues"].as_array().into_iter().flatten();
    let places = issues.filter_map(|issue| issue["pointer"].as_str());
    let paths: Vec<String> = places.map(|pointer| pointer.trim_start_matches('/').replace('/', ".")).collect();
    Ok(json!({ "ok": false, "paths": paths }))
}

/// The arguments that a case describes: whole ones, or what differs from the shortest ones that are right.
fn arguments(tool: &str, value: &Value) -> Value {
    let mut shortest = match tool {
        "loopover_predict_gate" => json!({ "login": "a", "owner": "o", "repo": "r", "title": "t" }),
        _ => json!({ "repoFullName": "a/b", "title": "t" }),
    };
    let members: Map<String, Value> = value.as_object().cloned().unwrap_or_default();
    if let (Some(omitted), Some(shortest)) = (members.get("omit").and_then(Value::as_str), shortest.as_object_mut()) {
        shortest.remove(omitted);
        return json!(shortest);
    }
    let is_whole = members.contains_key("title") && members.len() > 1;
    let mut arguments = if is_whole { json!({}) } else { shortest };
    for (name, member) in members {
        let is_list = matches!(name.as_str(), "labels" | "linkedIssues" | "changedPaths" | "changedFiles" | "tests");
        arguments[&name] = written_out(&member, is_list);
    }
    arguments
}

/// A value that a case writes in short: a character so many times, an entry so many times, a span of numbers.
fn written_out(value: &Value, is_list: bool) -> Value {
    let count = value["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    match (value, value["repeat"].as_str(), value["range"].as_array().map(Vec::as_slice)) {
        (_, Some(entry), _) if is_list => json!(vec![entry; count]),
        (_, Some(character), _) => json!(character.repeat(count)),
        (_, _, Some([first, last])) => {
            json!((first.as_u64().unwrap_or_default()..=last.as_u64().unwrap_or_default()).collect::<Vec<_>>())
        }
        (Value::Array(entries), ..) => entries.iter().map(|entry| written_out(entry, false)).collect(),
        (plain, ..) => plain.clone(),
    }
}
