//! Which coding agent a miner drives, by the one variable that says so.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// The name of the variable with the time that one attempt may take.
    pub timeout_variable: Option<&'static str>,
    /// Whether its program is there, if it has one.
    pub is_present: Option<bool>,
}

/// How long an attempt may take when nobody says.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

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
            timeout_variable: match provider {
                Some(Provider::ClaudeCli | Provider::CodexCli) => Some("MINER_CODING_AGENT_TIMEOUT_MS"),
                _ => None,
            },
            is_present: match provider {
                Some(Provider::ClaudeCli) => Some(is_on_path(home, "claude")),
                Some(Provider::CodexCli) => Some(is_on_path(home, "codex")),
                _ => None,
            },
        }
    }

    /// The model that is asked for, if this agent lets one be asked for.
    pub fn model(self, home: &MinerHome) -> Option<String> {
        home.text(self.model_variable?)
    }

    /// How long an attempt may take, if this agent lets that be said.
    pub fn timeout(self, home: &MinerHome) -> Option<Duration> {
        let said = home.text(self.timeout_variable?);
        Some(said.and_then(|text| milliseconds(&text)).unwrap_or(DEFAULT_TIMEOUT))
    }
}

/// A positive whole number in any form that the miner itself takes: `5000`, `5e3`, `0x1388`.
fn milliseconds(text: &str) -> Option<Duration> {
    let radix = |prefix: &str, radix| {
        let digits = text.strip_prefix(prefix).or_else(|| text.strip_prefix(&prefix.to_uppercase()))?;
        let is_plain = digits.bytes().all(|digit| digit.is_ascii_alphanumeric());
        is_plain.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
    };
    let whole = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2));
    let milliseconds = whole.or_else(|| decimal(text))?;
    (milliseconds > 0).then(|| Duration::from_millis(milliseconds))
}

fn decimal(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    let number = is_plain.then(|| text.parse::<f64>().ok()).flatten()?;
    // Written out, a float that is whole has no fraction; what does not fit is refused there.
    (number.fract() == 0.0).then(|| format!("{number:.0}").parse().ok()).flatten()
}

/// Whether a program of this name is found.
pub(super) fn is_on_path(home: &MinerHome, program: &str) -> bool {
    program_path(home, program).is_some()
}

/// Where a program of this name is found first.
pub fn program_path(home: &MinerHome, program: &str) -> Option<PathBuf> {
    let path = home.environment.get(OsStr::new("PATH")).cloned().unwrap_or_else(OsString::new);
    std::env::split_paths(&path)
        .filter(|directory| !directory.as_os_str().is_empty())
        .map(|directory| home.absolute(&directory).join(program))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(variables: &[(&str, &str)]) -> MinerHome {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        MinerHome { environment, home: None, current: None }
    }

    #[test]
    fn the_first_known_one_of_the_list_counts() {
        for (listed, provider) in [
            ("claude-cli,agent-sdk", Some(Provider::ClaudeCli)),
            ("mystery, agent-sdk", Some(Provider::AgentSdk)),
            (" , Agent-SDK ,noop", Some(Provider::AgentSdk)),
            ("NOOP", Some(Provider::Noop)),
            ("codex-cli", Some(Provider::CodexCli)),
            ("mystery", None),
            (" , ", None),
            ("", None),
        ] {
            let driver = Driver::of(&home(&[("MINER_CODING_AGENT_PROVIDER", listed)]));
            assert_eq!(driver.provider, provider, "{listed}");
        }
        assert_eq!(Driver::of(&home(&[])).provider, None);
    }

    #[test]
    fn only_the_command_lines_have_a_model_and_a_time() {
        let asked = |provider| {
            let home = home(&[
                ("MINER_CODING_AGENT_PROVIDER", provider),
                ("MINER_CODING_AGENT_CLAUDE_MODEL", " opus "),
                ("MINER_CODING_AGENT_TIMEOUT_MS", "5e3"),
            ]);
            let driver = Driver::of(&home);
            (driver.model(&home), driver.timeout(&home))
        };
        let time = Some(Duration::from_secs(5));
        assert_eq!(asked("claude-cli"), (Some("opus".to_owned()), time));
        assert_eq!(asked("codex-cli"), (None, time));
        assert_eq!(asked("agent-sdk"), (None, None));
        assert_eq!(asked("noop"), (None, None));
    }

    #[test]
    fn a_time_is_a_positive_whole_number() {
        for (text, expect) in [
            ("5000", Some(5000)),
            ("1e3", Some(1000)),
            ("0x10", Some(16)),
            ("0B11", Some(3)),
            ("0o17", Some(15)),
            ("2.0", Some(2)),
            ("0", None),
            ("-1", None),
            ("1.5", None),
            ("1_000", None),
            ("Infinity", None),
            ("1e999", None),
            ("0x+1", None),
            ("soon", None),
        ] {
            assert_eq!(milliseconds(text), expect.map(Duration::from_millis), "{text}");
        }
    }
}
