//! Why a chat ended without an answer, in our own words: what a program or an API said may name hosts, paths and accounts.

use super::event::{ChatErrorCode, ChatEvent};
use crate::miner::status::Provider;

/// A way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No coding agent is set up.
    NoAgent,
    /// This one is, and it holds no conversations.
    WrongAgent(Provider),
    /// The agent's program is not on the search path.
    CliMissing,
    /// The agent's program did not start, or ended before it said anything.
    CliUnusable,
    /// A session has nowhere to be.
    NoDirectory,
    /// This server can start no process for a session.
    NoProcess,
    /// The session does not offer exactly the miner's tools.
    ToolsUnavailable,
    /// The whole chat took too long.
    TimedOut,
    /// Nothing happened for too long.
    Stalled,
    /// The server ends.
    Cancelled,
    /// The model's provider wants another login.
    Login,
    /// The model's provider was asked too often.
    RateLimited,
    /// The model's provider has a fault, too much to do, or cannot be reached.
    Overloaded,
    /// The conversation does not fit.
    TooLong,
    /// There is no such model for this account.
    NoSuchModel,
    /// The model went on calling tools.
    TooManyTurns,
    /// The answer was cut off.
    AnswerTooLong,
    /// The model will not answer this.
    Refused,
    /// The session went well and said nothing.
    NoAnswer,
    /// The session ended without a result.
    NoResult,
    /// Anything else that the session called an error.
    Other,
}

impl Failure {
    /// The code on the wire.
    pub fn code(self) -> ChatErrorCode {
        match self {
            Self::NoAgent => ChatErrorCode::NoAgent,
            Self::WrongAgent(_) => ChatErrorCode::WrongAgent,
            Self::CliMissing | Self::CliUnusable | Self::NoDirectory | Self::NoProcess => ChatErrorCode::CliUnavailable,
            Self::ToolsUnavailable => ChatErrorCode::ToolsUnavailable,
            Self::TimedOut | Self::Stalled => ChatErrorCode::TimedOut,
            Self::Cancelled => ChatErrorCode::Cancelled,
            Self::Login
            | Self::RateLimited
            | Self::Overloaded
            | Self::TooLong
            | Self::NoSuchModel
            | Self::TooManyTurns
            | Self::AnswerTooLong
            | Self::Refused
            | Self::NoAnswer
            | Self::NoResult
            | Self::Other => ChatErrorCode::Failed,
        }
    }

    /// What is wrong, and what to do about it.
    pub fn message(self) -> String {
        let text = match self {
            Self::NoAgent => {
                "no coding agent is configured; set MINER_CODING_AGENT_PROVIDER to agent-sdk and log in with the claude program"
            }
            Self::WrongAgent(provider) => {
                return format!(
                    "the configured coding agent is {provider}, which holds no conversations; put agent-sdk first in \
                     MINER_CODING_AGENT_PROVIDER"
                );
            }
            Self::CliMissing => {
                "the claude program is not on the search path; install it, or start this server where it is"
            }
            Self::CliUnusable => {
                "the claude program did not start or ended before it said anything; run it once by hand to see why"
            }
            Self::NoDirectory => {
                "the temporary directory cannot be used, so the claude program was not started; set TMPDIR to one that can be \
                 written to, and start this server again"
            }
            Self::NoProcess => {
                "this server cannot start a process, so the claude program was not started; start the server again, and read its \
                 log if that does not help"
            }
            Self::ToolsUnavailable => {
                "the session did not offer exactly the miner's read-only tools, so nothing was asked; start the chat again"
            }
            Self::TimedOut => "the answer took too long and was given up; ask for less at once",
            Self::Stalled => "nothing was heard from the model for too long; try again",
            Self::Cancelled => "the server is shutting down; ask again when it is back",
            Self::Login => {
                "the model's provider did not accept this machine's login; log in again with the claude program"
            }
            Self::RateLimited => "the model's provider was asked too often by this account; wait and try again",
            Self::Overloaded => "the model's provider is overloaded or cannot be reached; try again in a while",
            Self::TooLong => "the conversation is too long for the model; begin a new one",
            Self::NoSuchModel => "the account has no access to the model that it is set to; choose another",
            Self::TooManyTurns => "the model went on calling tools without an answer; ask for something narrower",
            Self::AnswerTooLong => {
                "the answer is longer than the model may write and was cut off; ask for less at once"
            }
            Self::Refused => "the model declined to answer this",
            Self::NoAnswer => "the model gave no answer; ask in another way",
            Self::NoResult => "the session ended before the answer was complete; try again",
            Self::Other => "the model's provider did not answer the request; try again",
        };
        text.to_owned()
    }

    /// The event that says so.
    pub fn event(self) -> ChatEvent {
        ChatEvent::Error { code: self.code(), message: self.message() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::is_private;

    #[test]
    fn every_failure_has_words_of_its_own_and_none_of_those_that_must_not_leave() {
        let all = [
            Failure::NoAgent,
            Failure::WrongAgent(Provider::ClaudeCli),
            Failure::CliMissing,
            Failure::CliUnusable,
            Failure::NoDirectory,
            Failure::NoProcess,
            Failure::ToolsUnavailable,
            Failure::TimedOut,
            Failure::Stalled,
            Failure::Cancelled,
            Failure::Login,
            Failure::RateLimited,
            Failure::Overloaded,
            Failure::TooLong,
            Failure::NoSuchModel,
            Failure::TooManyTurns,
            Failure::AnswerTooLong,
            Failure::Refused,
            Failure::NoAnswer,
            Failure::NoResult,
            Failure::Other,
        ];
        let messages: std::collections::BTreeSet<String> = all.iter().map(|failure| failure.message()).collect();
        assert_eq!(messages.len(), all.len());
        assert!(messages.iter().all(|message| !is_private(message) && message.len() > 20));
        let codes: std::collections::BTreeSet<&str> = all.iter().map(|failure| failure.code().as_str()).collect();
        assert_eq!(codes.len(), ChatErrorCode::ALL.len());
    }
}
