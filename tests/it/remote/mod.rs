//! The remote tools over the invented repository and over a hostile one: each way to ask gives the same answer, each wrong call
//! is told what would be right, and strangers' texts stay out.

/// What the demonstration answers, as reviewers read it.
mod demonstration;
/// Valid, invalid and edge calls, over HTTP.
mod calls;
/// What strangers wrote, and what is left of it.
mod strangers;
/// Nothing of the store is touched by who reads it.
mod untouched;
/// Many unrelated records, titles without words, and files that are too large.
mod crowded;
/// A store that is put there, replaced or taken away while the server runs.
mod replaced;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use contract_core::testing::block_on;
use contract_core::{Arguments, CallContext, Caller, Client, Clock, Provided, Registry, ToolFilter, TrustProcessOwner};
use contract_tests::http_client::{Ask, HttpServer};
use contract_tools::config::PrivateConfig;
use contract_tools::forge::{self, SharedForge, WritableForge};
use serde_json::{Value, json};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_loopover-under-test");

/// 2026-06-15T12:00:00Z, at which every answer here is made.
const NOW: u64 = 1_781_524_800;

/// The tokens of the server under test, which open everything between them.
const API_TOKEN: &str = "token-of-the-api-under-test";
const ADMIN_TOKEN: &str = "token-of-the-administrator-under-test";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW)
}

/// A store with the demonstration's repository, and a folder of private configuration.
struct Deployment {
    directory: TempDir,
    forge: SharedForge,
}

impl Deployment {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("forge.sqlite3");
        forge::demo::fill(&*forge::open(&path).unwrap(), now().into()).unwrap();
        let forge = forge::reading(&path);
        std::fs::create_dir(directory.path().join("private")).unwrap();
        std::fs::write(directory.path().join("private/.loopover.yml"), "gate: {enabled: true}\n").unwrap();
        Self { directory, forge }
    }

    fn store(&self) -> PathBuf {
        self.directory.path().join("forge.sqlite3")
    }

    fn writer(&self) -> WritableForge {
        forge::open(&self.store()).unwrap()
    }

    fn private(&self) -> PathBuf {
        self.directory.path().join("private")
    }

    fn program(&self) -> Command {
        self.program_of(Command::new(BINARY))
    }

    /// The same for a command that is the program, or begins it.
    fn program_of(&self, mut command: Command) -> Command {
        command.args(["--now", &NOW.to_string()]).env_clear().current_dir(self.directory.path());
        command.env("LOOPOVER_STORE", self.store()).env("LOOPOVER_MCP_ADMIN_ENABLED", "true");
        command.env("LOOPOVER_REPO_CONFIG_DIR", self.private());
        // A build that counts what is covered would write its counts beside the store.
        command.envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)));
        command
    }

    fn serve(&self) -> Server {
        serve_by(self.program())
    }

    /// What `tools call` prints, and whether it is an answer.
    fn at_the_prompt(&self, tool: &str, arguments: &Value) -> Reply {
        let output = self.program().args(["tools", "call", tool, &arguments.to_string()]).output().unwrap();
        let said = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{tool}: {}", String::from_utf8_lossy(&output.stderr)));
        Reply::of(output.status.success(), said)
    }

    /// What the door answers in this process.
    fn at_the_door(&self, tool: &str, arguments: &Value) -> Reply {
        let provided = Provided::new().with(self.forge.clone()).with(PrivateConfig::new(Some(self.private())));
        let provided = std::sync::Arc::new(provided);
        let context = move || CallContext::new(Clock::frozen(now())).with_provided(std::sync::Arc::clone(&provided));
        let client = Client::new(Registry::collect().unwrap(), Caller::anonymous(), TrustProcessOwner, context)
            .with_slice(ToolFilter::new());
        let reply = block_on(client.call_json(tool, Arguments::Text(arguments.to_string()))).unwrap();
        match reply.result() {
            Ok(value) => Reply::Answer(value.clone()),
            Err(error) => Reply::of(false, error.to_envelope()),
        }
    }
}

/// An answer, or the code of an error and its whole envelope.
#[derive(Debug, PartialEq)]
enum Reply {
    Answer(Value),
    Refused(String, Value),
}

impl Reply {
    fn of(is_answer: bool, said: Value) -> Self {
        match said["error"]["code"].as_str() {
            Some(code) if !is_answer => Self::Refused(code.to_owned(), said),
            _ => {
                assert!(is_answer, "neither an answer nor an error: {said}");
                Self::Answer(said)
            }
        }
    }

    #[track_caller]
    fn answer(self) -> Value {
        match self {
            Self::Answer(value) => value,
            Self::Refused(_, envelope) => panic!("{envelope}"),
        }
    }

    /// The bytes in which it is sent.
    fn bytes(&self) -> String {
        match self {
            Self::Answer(value) | Self::Refused(_, value) => value.to_string(),
        }
    }
}

/// `loopover serve`, with a token for everything.
struct Server(HttpServer);

impl Server {
    fn call(&self, tool: &str, arguments: &Value) -> Reply {
        let token = if tool == "loopover_admin_get_config" { ADMIN_TOKEN } else { API_TOKEN };
        let ask = Ask::call(&self.0, tool, arguments).with("Authorization", &format!("Bearer {token}"));
        let sent = ask.answer(&self.0).json();
        let result = &sent["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool} {arguments}: {sent}"));
        let said: Value = serde_json::from_str(text).unwrap();
        if result["isError"] == true {
            assert!(result.get("structuredContent").is_none_or(Value::is_null), "{sent}");
            return Reply::of(false, said);
        }
        assert_eq!(result["structuredContent"].to_string(), text, "the text is the compact JSON of what is structured");
        Reply::Answer(said)
    }
}

/// Starts `serve` of a program.
fn serve_by(mut command: Command) -> Server {
    command.args(["serve", "--bind", "127.0.0.1:0"]);
    command.env("LOOPOVER_API_TOKEN", API_TOKEN).env("LOOPOVER_MCP_ADMIN_TOKEN", ADMIN_TOKEN);
    Server(HttpServer::start(command, 1))
}

/// A good call of each tool.
fn good_calls() -> [(&'static str, Value); 6] {
    [
        ("loopover_get_repo_context", json!({ "owner": "acme", "repo": "widgets" })),
        ("loopover_get_pr_reviewability", json!({ "owner": "acme", "repo": "widgets", "number": 102 })),
        (
            "loopover_predict_gate",
            json!({
                "login": "newcomer", "owner": "acme", "repo": "widgets",
                "title": "Retry uploads when a connection drops",
                "body": "Fixes #41. Verified with the upload tests.",
                "labels": ["bug"], "changedPaths": ["src/upload/client.rs", ".github/workflows/ci.yml"],
            }),
        ),
        (
            "loopover_preflight_pr",
            json!({
                "repoFullName": "Acme/Widgets", "contributorLogin": "newcomer",
                "title": "Fold accents in search", "body": "Closes #42.",
                "changedFiles": ["src/search/fold.rs"], "tests": [" "],
            }),
        ),
        ("loopover_admin_get_config", json!({ "scope": "global" })),
        ("loopover_admin_get_config", json!({ "scope": "effective", "repoFullName": "acme/widgets" })),
    ]
}
