//! Which coding agent a miner drives, by the one variable that says so.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::miner::MinerHome;

contract_core::vocabulary! {
    /// A coding agent.
    pub enum Provider: "provider" {
        /// None: nothing is done.
        Noop = "noop",
        /// The `claude` program.
        ClaudeCli = "claude-cli",
        /// The `codex` program.
        CodexCli = "codex-cli",
        /// The agent SDK.
        AgentSdk = "agent-sdk",
    }
}

/// The coding agent in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driver {
    /// Which one.
    pub provider: Option<Provider>,
    /// The name of the variable with its model.
    pub model_variable: Option<&'static str>,
    /// Whether its program is there, if it has one.
    pub is_present: Option<bool>,
}

impl Driver {
    /// The first known one of the list.
    pub fn of(home: &MinerHome) -> Self {
        let listed = home.text("MINER_CODING_AGENT_PROVIDER").unwrap_or_default().to_lowercase();
        let provider = listed.split(',').find_map(|word| Provider::parse(word.trim()));
        Self {
            provider,
            model_variable: match provider {
                Some(Provider::ClaudeCli) => Some("MINER_CODING_AGENT_CLAUDE_MODEL"),
                Some(Provider::CodexCli) => Some("MINER_CODING_AGENT_CODEX_MODEL"),
                _ => None,
            },
            is_present: match provider {
                Some(Provider::ClaudeCli) => Some(is_on_path(home, "claude")),
                Some(Provider::CodexCli) => Some(is_on_path(home, "codex")),
                _ => None,
            },
        }
    }
}

/// Whether a program of this name is found.
pub(super) fn is_on_path(home: &MinerHome, program: &str) -> bool {
    let path = home.environment.get(OsStr::new("PATH")).cloned().unwrap_or_else(OsString::new);
    std::env::split_paths(&path)
        .filter(|directory| !directory.as_os_str().is_empty())
        .any(|directory| is_executable(&home.absolute(&directory).join(program)))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
