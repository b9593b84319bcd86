//! Who may see and call what, as the running server says, and the same answers whichever way a call comes in.

/// Every tool, every identity: listed and called.
mod matrix;
/// Calls are counted by caller and tool.
mod limits;
/// The door, the server, and a client in front of the server give the same bytes; a drifting server is told apart.
mod bytes;
/// A server that dies under load and comes back.
mod restart;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contract_core::{Locality, Registry, ToolDefinition, ToolFilter};
use contract_tests::http_client::{Ask, HttpServer};
use contract_tools::forge::{self, NewSession};
use contract_tools::identity::SessionToken;
use serde_json::{Value, json};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// The time at every server here: 2026-01-01T00:00:00Z.
const NOW: u64 = 1_767_225_600;

const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;

/// A store with the invented repository, and people with sessions.
struct World {
    directory: TempDir,
    sessions: BTreeMap<&'static str, String>,
}

impl World {
    /// Sessions of a stranger, the repository's owner, one of its maintainers and an operator; one that is over and one that
    /// was ended.
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let world = Self { directory, sessions: BTreeMap::new() };
        let forge = forge::open(&world.store()).unwrap();
        forge::demo::fill(&*forge, now().into()).unwrap();
        let milliseconds = i64::try_from(NOW * 1000).unwrap();
        let session = |login: &str, expires_at: i64| {
            let token = SessionToken::generate().unwrap();
            let session = NewSession {
                token: (&token.hash()).into(),
                login: login.to_owned(),
                github_id: None,
                created_at: milliseconds - WEEK,
                expires_at,
            };
            let id = forge.create_session(&session).unwrap();
            (id, token.expose().to_owned())
        };
        let mut sessions = BTreeMap::new();
        for (name, login) in [("stranger", "rui"), ("owner", "ACME"), ("maintainer", "dana"), ("operator", "root")] {
            sessions.insert(name, session(login, milliseconds + WEEK).1);
        }
        sessions.insert("expired", session("dana", milliseconds).1);
        let (id, token) = session("dana", milliseconds + WEEK);
        forge.revoke_session(id, milliseconds - 1).unwrap();
        sessions.insert("revoked", token);
        Self { sessions, ..world }
    }

    fn store(&self) -> PathBuf {
        self.directory.path().join("forge.sqlite3")
    }

    /// The program with this store and this environment.
    fn program(&self, variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(BINARY);
        command.args(["--now", &NOW.to_string()]).env_clear().current_dir(self.directory.path());
        command.env("LOOPOVER_STORE", self.store()).env("ADMIN_GITHUB_LOGINS", "root");
        command.envs(variables.iter().copied());
        command
    }

    fn serve(&self, variables: &[(&str, &str)], arguments: &[&str]) -> HttpServer {
        self.serve_at(([127, 0, 0, 1], 0).into(), variables, arguments)
    }

    fn serve_at(&self, address: SocketAddr, variables: &[(&str, &str)], arguments: &[&str]) -> HttpServer {
        let mut command = self.program(variables);
        command.args(["serve", "--bind", &address.to_string()]).args(arguments);
        HttpServer::start(command, 1)
    }
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW)
}

/// The tools of the product that are answered by servers.
fn remote_tools(registry: &Registry) -> Vec<&ToolDefinition> {
    let mut tools = registry.list_tool_definitions(&ToolFilter::new().locality(Locality::Remote));
    tools.retain(|tool| tool.source().krate() == "contract_tools");
    tools
}

/// A call of each, about the invented repository, by somebody of this login.
fn arguments(tool: &str, login: &str) -> Value {
    match tool {
        "loopover_get_repo_context" => json!({ "owner": "acme", "repo": "widgets" }),
        "loopover_get_pr_reviewability" => json!({ "owner": "Acme", "repo": "widgets", "number": 101 }),
        "loopover_predict_gate" => {
            json!({ "login": login, "owner": "acme", "repo": "widgets", "title": "Fix the gears", "linkedIssues": [42] })
        }
        "loopover_preflight_pr" => json!({ "repoFullName": "acme/Widgets", "title": "Fix the gears" }),
        "loopover_admin_get_config" => json!({ "scope": "global" }),
        other => panic!("say how {other} is called, and who may"),
    }
}

fn credential(ask: Ask, token: Option<&str>) -> Ask {
    match token {
        Some(token) => ask.with("Authorization", &format!("Bearer {token}")),
        None => ask,
    }
}

/// The code of the error that a call was answered with, or `ok`.
#[track_caller]
fn outcome(reply: &Value) -> String {
    let result = &reply["result"];
    if result["isError"] != true {
        assert!(result["structuredContent"].is_object(), "{reply}");
        return "ok".to_owned();
    }
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    text["error"]["code"].as_str().unwrap().to_owned()
}

fn path_text(path: &Path) -> &str {
    path.to_str().unwrap()
}
