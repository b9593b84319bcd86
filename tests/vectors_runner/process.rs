//! The real binary, asked through its own doors, with an environment that holds what a vector says and nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::world::{NOW, search_path};

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// What a command prints as JSON.
pub(crate) fn output(arguments: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(BINARY);
    command.args(["--now", &NOW.to_string()]).args(arguments).env_clear().envs(search_path());
    let outcome = command.output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&outcome.stdout)
        .map_err(|error| format!("`{}` printed no JSON: {error}", arguments.join(" ")))
}

/// The `result` of one call to a server on stdin and stdout that is started for it.
pub(crate) fn call(
    server: &[String],
    directory: &Path,
    environment: &BTreeMap<String, String>,
    tool: &str,
    arguments: &Value,
) -> Value {
    server_at(NOW, server, directory, environment).call(tool, arguments)
}

/// An open session with a server that is started for it, at a time of its own.
pub(crate) fn server_at(
    now: u64,
    server: &[String],
    directory: &Path,
    environment: &BTreeMap<String, String>,
) -> StdioClient {
    let mut command = Command::new(BINARY);
    command.args(["--now", &now.to_string()]).args(server).current_dir(directory).env_clear().envs(environment);
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client
}

/// A `result` in the form of the vectors: `isError`, `structuredContent`, and the code in an error's text block: as
/// `error.code` when the vector has that, and always as `errorCode`, which only the list of deviations compares. Fails when
/// the blocks of the result contradict each other.
pub(crate) fn in_vector_form(result: &Value, expect: &Value) -> Result<Value, String> {
    let is_error = result["isError"].as_bool().unwrap_or_default();
    let text = result["content"][0]["text"].as_str().ok_or("the result has no text block")?;
    let said: Value = serde_json::from_str(text).map_err(|error| format!("the text block is no JSON: {error}"))?;
    let structured = result.get("structuredContent").filter(|structured| !structured.is_null());
    let mut form = json!({ "isError": is_error });
    if is_error {
        let code = said["error"]["code"].as_str().ok_or("an error's text block lacks error.code")?;
        if structured.is_some() {
            return Err("an error carries structured content".to_owned());
        }
        form["errorCode"] = json!(code);
        if expect.get("error").is_some() {
            form["error"] = json!({ "code": code });
        }
    } else if structured != Some(&said) {
        return Err("the text block and the structured content differ".to_owned());
    }
    if !is_error || expect.get("structuredContent").is_some_and(Value::is_null) || expect.get("error").is_none() {
        form["structuredContent"] = structured.cloned().unwrap_or_default();
    }
    Ok(form)
}
