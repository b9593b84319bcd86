//! Why a copy ended early. One word a class, and nothing out of an answer or another library.

use std::fmt;
use std::time::Duration;

use crate::engine::records::{SegmentStatus, SyncStatus};
use crate::forge::ForgeError;

/// Why a copy ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncFailure {
    /// Nobody answers at the API's address.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// The connection broke off.
    Dropped,
    /// The API failed itself.
    ServerFault(u16),
    /// The answer is no whole JSON.
    NotJson,
    /// The answer is larger than any is.
    TooLarge,
    /// The token is not taken.
    Unauthorized,
    /// There is no token, and the API asks for one.
    TokenNeeded,
    /// The API does not show the repository.
    NotFound,
    /// The repository is blocked or gone for good.
    Gone(u16),
    /// The token may not see this.
    Forbidden,
    /// A limit that would take longer than somebody is willing to wait.
    RateLimited {
        /// How long it would take.
        wait: Duration,
    },
    /// It points to another host, where the token must not go.
    Elsewhere,
    /// It points on and on.
    TooManyRedirects,
    /// An answer that has no meaning here.
    Unexpected(u16),
    /// A repository's record says nothing that can be used.
    NoRepository,
    /// No client can be made.
    NoClient,
    /// The store cannot be used.
    Store(ForgeError),
}

impl SyncFailure {
    /// Whether asking again may help.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable | Self::TimedOut | Self::Dropped | Self::ServerFault(_) | Self::NotJson)
    }

    /// Whether it says nothing about any other question.
    pub(super) fn is_about_one_answer(&self) -> bool {
        self.is_passing() || matches!(self, Self::TooLarge | Self::Unexpected(_) | Self::TooManyRedirects)
    }

    /// Whether no other repository can do better now.
    pub fn is_general(&self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::Unauthorized
                | Self::TokenNeeded
                | Self::RateLimited { .. }
                | Self::NoClient
                | Self::Store(_)
        )
    }

    /// A passing fault in a few words.
    pub fn in_brief(&self) -> &'static str {
        match self {
            Self::Unreachable => "nobody answers",
            Self::TimedOut => "the answer took too long",
            Self::Dropped => "the connection broke off",
            Self::ServerFault(_) => "the API failed",
            Self::NotJson => "the answer was not whole",
            _ => "it did not work",
        }
    }

    /// What the store says about the attempt.
    pub(super) fn status(&self) -> SyncStatus {
        match self {
            Self::RateLimited { .. } => SyncStatus::RateLimited,
            _ => SyncStatus::Error,
        }
    }

    /// The same of the kind of data that was being copied.
    pub(super) fn segment_status(&self) -> SegmentStatus {
        match self {
            Self::RateLimited { .. } => SegmentStatus::RateLimited,
            _ => SegmentStatus::Error,
        }
    }
}

impl fmt::Display for SyncFailure {
    /// What is wrong and what to do about it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("nobody answers at the API's address; check the network and `--api-url`"),
            Self::TimedOut => f.write_str("the API did not answer in time; run it again to go on from here"),
            Self::Dropped => f.write_str("the connection broke off again and again; run it again to go on from here"),
            Self::ServerFault(status) => {
                write!(f, "the API failed again and again with status {status}; run it again later to go on from here")
            }
            Self::NotJson => f.write_str(
                "the API answered again and again with what is no whole JSON; check `--api-url`, or run it again later",
            ),
            Self::TooLarge => f.write_str("the API answered with more than any answer should hold; check `--api-url`"),
            Self::Unauthorized => f.write_str("the API does not take the token in GITHUB_TOKEN; make a new one"),
            Self::TokenNeeded => f.write_str("the API asks for a token; put one into GITHUB_TOKEN"),
            Self::NotFound => f.write_str(
                "the API shows no such repository: check the name, and whether the token may see it; \
                 what is known about it stays",
            ),
            Self::Gone(status) => {
                write!(f, "the API does not give this repository out any more (status {status}); what is known stays")
            }
            Self::Forbidden => {
                f.write_str("the token in GITHUB_TOKEN may not see this repository; give it the right to")
            }
            Self::RateLimited { wait } => write!(
                f,
                "the API's limit is reached for another {}; run it again then to go on from here",
                duration(*wait)
            ),
            Self::Elsewhere => {
                f.write_str("the API points to another host, where the token must not go; check `--api-url`")
            }
            Self::TooManyRedirects => f.write_str("the API points on and on; check `--api-url`"),
            Self::Unexpected(status) => {
                write!(f, "the API answered with status {status}, which has no meaning here; check `--api-url`")
            }
            Self::NoRepository => {
                f.write_str("what the API says about the repository cannot be read; check `--api-url`")
            }
            Self::NoClient => f.write_str("no protected connection can be made: the system's certificates are missing"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SyncFailure {}

impl From<ForgeError> for SyncFailure {
    fn from(error: ForgeError) -> Self {
        Self::Store(error)
    }
}

/// A duration as people say it, rounded up to seconds.
pub fn duration(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_as_people_do() {
        for (milliseconds, said) in [(1, "1 s"), (61_000, "1 min 1 s"), (3_720_000, "1 h 2 min")] {
            assert_eq!(duration(Duration::from_millis(milliseconds)), said);
        }
    }
}
