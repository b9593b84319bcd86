//! `local-status`, through the server on stdin and stdout; `git-remote` and `linked-issues`, by function call.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, CallContext, CallRequest, Caller, Clock, Locality, Provided, Registry, ToolFilter, TrustProcessOwner,
};
use contract_tests::vectors::Vector;
use contract_tools::config::CliEnvironment;
use contract_tools::git::{Surroundings, Workspace, linked_issue_numbers, repository_name_from_remote};
use serde_json::{Map, Value, json};

use super::World;
use super::process;
use super::world::{NOW, search_path};

pub(crate) fn git_remote(_: &World, vector: &Vector) -> Result<Value, String> {
    let address = &vector.input["remoteUrl"];
    if !address.is_string() && !address.is_null() {
        return Err(format!("the vector has no address: {address}"));
    }
    Ok(json!({ "repoFullName": address.as_str().and_then(repository_name_from_remote) }))
}

pub(crate) fn linked_issues(_: &World, vector: &Vector) -> Result<Value, String> {
    let text = vector.input["text"].as_str().ok_or("the vector has no text")?;
    Ok(json!({ "issues": linked_issue_numbers(text) }))
}

pub(crate) fn local_status(world: &World, vector: &Vector) -> Result<Value, String> {
    let root = world.repositories()?;
    let question = Question::of(vector, root, world.home().keep())?;
    let result = match &question.roots {
        Some(roots) => question.ask_with_roots(roots)?,
        None => process::call(
            &question.server,
            &question.directory,
            &question.environment,
            &question.tool,
            &question.arguments,
        ),
    };
    status_in_vector_form(process::in_vector_form(&result, &vector.expect)?)
}

/// A vector's input with its place in the world.
struct Question {
    tool: String,
    arguments: Value,
    server: Vec<String>,
    directory: PathBuf,
    environment: BTreeMap<String, String>,
    /// The folders that the client exposes, when it says that it can.
    roots: Option<Vec<String>>,
}

impl Question {
    fn of(vector: &Vector, root: &Path, home: PathBuf) -> Result<Self, String> {
        let root_text = root.to_str().ok_or("the scratch folder's name is not UTF-8")?;
        let input = with_root(&vector.input, root_text);
        let texts = |value: &Value| {
            value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let mut server = vec!["stdio".to_owned()];
        server.extend::<Vec<String>>(texts(&input["argv"]));
        let uri = |text: String| text.strip_prefix("raw:").map_or_else(|| format!("file://{text}"), str::to_owned);
        let roots: Option<Vec<String>> = input["roots"].is_array().then(|| texts(&input["roots"]));
        Ok(Self {
            tool: input["tool"].as_str().ok_or("the vector names no tool")?.to_owned(),
            arguments: input["arguments"].clone(),
            server,
            directory: root.join(input["fixture"].as_str().ok_or("the vector names no fixture")?),
            environment: environment(&input, home)?,
            roots: roots.map(|roots| roots.into_iter().map(uri).collect()),
        })
    }

    /// Asks the same tool by function call, as a client that exposes `roots`.
    ///
    /// Moves to the wire, through [`process::call`] and a client that answers `roots/list`, once the server asks for roots.
    fn ask_with_roots(&self, roots: &[String]) -> Result<Value, String> {
        let variable = |name: &str| self.environment.get(name).map(OsString::from);
        let workspace = Workspace {
            current: Some(self.directory.clone()),
            roots: roots.to_vec(),
            surroundings: Surroundings::from_environment(variable),
        };
        let cli = CliEnvironment {
            environment: self.environment.clone(),
            home: self.environment.get("HOME").map(PathBuf::from),
        };
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW);
        let context = CallContext::new(Clock::frozen(now)).with_provided(Provided::new().with(workspace).with(cli));
        let request = CallRequest {
            tool: self.tool.clone(),
            arguments: Arguments::Text(self.arguments.to_string()),
            caller: Caller::anonymous(),
            policy: Arc::new(TrustProcessOwner),
        };
        let registry = Registry::collect().map_err(|error| error.to_string())?;
        let slice = ToolFilter::new().locality(Locality::LocalGit);
        let reply = block_on(registry.call(&slice, request, context)).map_err(|fault| fault.to_string())?;
        let blocks = json!([{ "type": "text", "text": reply.text() }]);
        Ok(match reply.result() {
            Ok(value) => json!({ "content": blocks, "isError": false, "structuredContent": value }),
            Err(_) => json!({ "content": blocks, "isError": true }),
        })
    }
}

/// The vector's own variables, a home with the vector's configuration file, and the way to git.
fn environment(input: &Value, home: PathBuf) -> Result<BTreeMap<String, String>, String> {
    let folder = home.join(".config/loopover");
    let text = match &input["config"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        config => Some(config.to_string()),
    };
    if let Some(text) = text {
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("config.json"), text));
        written.map_err(|error| error.to_string())?;
    }
    let mut environment = search_path();
    environment.insert("HOME".to_owned(), home.into_os_string().into_string().map_err(|_| "the home is not UTF-8")?);
    environment.insert("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned());
    let own: BTreeMap<String, String> =
        serde_json::from_value(input["env"].clone()).map_err(|error| format!("env: {error}"))?;
    environment.extend(own);
    Ok(environment)
}

fn with_root(value: &Value, root: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("<ROOT>", root)),
        Value::Array(items) => items.iter().map(|item| with_root(item, root)).collect(),
        Value::Object(members) => {
            let members: Map<_, _> =
                members.iter().map(|(name, member)| (name.clone(), with_root(member, root))).collect();
            Value::Object(members)
        }
        other => other.clone(),
    }
}

/// The vectors leave out the package's version, say only that git failed, and count hints by kind instead of quoting them.
fn status_in_vector_form(mut form: Value) -> Result<Value, String> {
    let Some(status) = form["structuredContent"].as_object_mut() else { return Ok(form) };
    let package = status.get_mut("package").and_then(Value::as_object_mut).ok_or("there is no package")?;
    package.shift_remove("version").filter(Value::is_string).ok_or("the package has no version")?;
    let git = status.get_mut("git").and_then(Value::as_object_mut).ok_or("there is no git")?;
    if let Some(error) = git.shift_remove("error") {
        if error["message"].as_str().is_none_or(str::is_empty) {
            return Err(format!("git.error has no message: {error}"));
        }
        form["gitError"] = json!(true);
        form["gitErrorReason"] = error["reason"].clone();
        return Ok(form);
    }
    let hints = git.shift_remove("ciStatusHints").ok_or("there are no ciStatusHints")?;
    let kinds: Vec<&str> = hints.as_array().into_iter().flatten().filter_map(Value::as_str).map(hint_kind).collect();
    git.insert("ciStatusHintCount".to_owned(), json!(kinds.len()));
    git.insert("ciStatusHintKinds".to_owned(), json!(kinds));
    Ok(form)
}

/// What a hint is about, by the word that it cannot do without.
fn hint_kind(text: &str) -> &'static str {
    let kinds = [("workflow", "workflow"), ("manifest", "manifest"), (" ahead of ", "ahead")];
    kinds.iter().find(|(word, _)| text.contains(word)).map_or("other", |(_, kind)| kind)
}
