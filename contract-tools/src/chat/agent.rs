//! Whether this machine's coding agent can hold a conversation. It fails closed: nothing is started unless the one agent
//! that can is the one in use, and no other one of a list is looked for.

use super::failure::Failure;
use crate::miner::MinerHome;
use crate::miner::status::{Driver, Provider};

/// The agent that conversations are held with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Which one.
    pub provider: Provider,
    /// The model that is asked for; without one, the account's own.
    pub model: Option<String>,
}

impl Agent {
    /// The one in use, if it can.
    ///
    /// # Errors
    /// [`Failure::NoAgent`] or [`Failure::WrongAgent`].
    pub fn of(home: &MinerHome) -> Result<Self, Failure> {
        let driver = Driver::of(home);
        match driver.provider {
            Some(provider @ Provider::AgentSdk) => Ok(Self { provider, model: driver.model(home) }),
            Some(provider) => Err(Failure::WrongAgent(provider)),
            None => Err(Failure::NoAgent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_agent_can_and_whatever_comes_first_decides() {
        let ask = |listed: Option<&str>| {
            let environment = listed.map(|listed| ("MINER_CODING_AGENT_PROVIDER".into(), listed.into()));
            Agent::of(&MinerHome { environment: environment.into_iter().collect(), home: None, current: None })
        };
        let sdk = Agent { provider: Provider::AgentSdk, model: None };
        assert_eq!(ask(Some("agent-sdk")), Ok(sdk.clone()));
        assert_eq!(ask(Some("mystery, AGENT-SDK , claude-cli")), Ok(sdk));
        for (listed, provider) in [
            ("claude-cli,agent-sdk", Provider::ClaudeCli),
            ("codex-cli", Provider::CodexCli),
            ("noop, agent-sdk", Provider::Noop),
        ] {
            assert_eq!(ask(Some(listed)), Err(Failure::WrongAgent(provider)));
            let message = Failure::WrongAgent(provider).message();
            assert!(message.contains(provider.as_str()), "{message}");
        }
        for listed in [None, Some(""), Some(" , "), Some("mystery")] {
            assert_eq!(ask(listed), Err(Failure::NoAgent));
        }
    }
}
