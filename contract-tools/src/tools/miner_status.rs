//! Whether the miner's server answers, and what it stands on.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use crate::config;
use crate::miner::MinerHome;
use crate::miner::status::{self, Driver};

/// The miner's package as its users know it.
const PACKAGE: &str = "@loopover/miner";

/// The engine's package as its users know it.
const ENGINE: &str = "@loopover/engine";

/// Answer at once, without looking at any store: the miner's server is there.
#[loopover_tool(
    category = "utility",
    auth = "public",
    locality = "miner",
    availability = "selfhost",
    open_world = false
)]
pub fn loopover_miner_ping() -> MinerPingOutput {
    MinerPingOutput { status: "ok".to_owned(), tool: "loopover_miner_ping".to_owned() }
}

/// A sign of life.
#[contract_type]
pub struct MinerPingOutput {
    /// Always `ok`.
    pub status: String,
    /// The tool that answers.
    pub tool: String,
}

/// Report the miner's setup on this machine and whether it is in order: versions, coding agent, credentials, every store.
///
/// Read-only and offline. No value of a variable is in the answer.
#[loopover_tool(
    category = "utility",
    auth = "public",
    locality = "miner",
    availability = "selfhost",
    open_world = false
)]
pub fn loopover_miner_status(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
) -> Result<MinerStatusOutput, ToolError> {
    let driver = Driver::of(&home);
    let version = status::version(&home);
    let checks = status::checks(&home, clock.now(), is_logged_in(&home, &clock));
    Ok(MinerStatusOutput {
        status: MinerSetup {
            package: MinerPackage { name: PACKAGE.to_owned(), version: Some(version) },
            engine: MinerPackage { name: ENGINE.to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) },
            node: format!("loopover/{}", env!("CARGO_PKG_VERSION")),
            state_dir: home.state_directory().to_string_lossy().into_owned(),
            config_file: status::goal_file(&home).map(|path| path.to_string_lossy().into_owned()),
            driver: MinerDriver {
                provider: driver.provider.map(|provider| provider.as_str().to_owned()),
                model_env_var: driver.model_variable.map(str::to_owned),
                cli_present: driver.is_present,
            },
        },
        doctor: checks
            .into_iter()
            .map(|check| MinerCheck { name: check.name, ok: check.is_ok, detail: check.detail })
            .collect(),
    })
}

/// Whether the command line holds a session that is still good; a profile's name that cannot be is the default one.
fn is_logged_in(home: &MinerHome, clock: &Clock) -> bool {
    let text = |(name, value): (&std::ffi::OsString, &std::ffi::OsString)| {
        Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
    };
    let mut environment: config::Environment = home.environment.iter().filter_map(text).collect();
    let ask = |environment: &config::Environment| {
        config::resolve(&config::Request { environment, home: home.home.as_deref(), profile: None, now: clock.now() })
    };
    let resolved = ask(&environment).or_else(|_| {
        environment.remove("LOOPOVER_PROFILE");
        ask(&environment)
    });
    resolved.is_ok_and(|cli| cli.profile.authenticated)
}

/// The miner's setup and what was checked.
#[contract_type]
pub struct MinerStatusOutput {
    /// The setup.
    pub status: MinerSetup,
    /// What was checked, in a fixed order.
    pub doctor: Vec<MinerCheck>,
}

/// The miner's setup.
#[contract_type]
pub struct MinerSetup {
    /// The miner's package.
    pub package: MinerPackage,
    /// The engine's package.
    pub engine: MinerPackage,
    /// The program that answers and its version.
    pub node: String,
    /// The directory of the miner's state.
    pub state_dir: String,
    /// The goal file of the directory that the server was started in.
    pub config_file: Option<String>,
    /// The coding agent.
    pub driver: MinerDriver,
}

/// A package and its version.
#[contract_type]
pub struct MinerPackage {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
}

/// The coding agent that the miner drives.
#[contract_type]
pub struct MinerDriver {
    /// Which one: `noop`, `claude-cli`, `codex-cli` or `agent-sdk`.
    pub provider: Option<String>,
    /// The name of the variable that chooses its model.
    pub model_env_var: Option<String>,
    /// Whether its program is on the search path, if it has one.
    pub cli_present: Option<bool>,
}

/// One thing that was checked.
#[contract_type]
pub struct MinerCheck {
    /// What it is called.
    pub name: String,
    /// Whether it is in order.
    pub ok: bool,
    /// What was found and, if it is not in order, what to do.
    pub detail: String,
}
