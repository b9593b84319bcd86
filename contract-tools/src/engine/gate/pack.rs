//! What a repository's pack adds to a prediction. Blockers, score and conclusion are the same under both.

use crate::engine::manifest::Pack;

/// Where somebody registers as a contributor.
const REGISTER_URL: &str = "https://gittensor.io";

/// A word to who is not registered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funnel {
    /// The word.
    pub message: &'static str,
    /// Where to register.
    pub register_url: &'static str,
}

impl Pack {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gittensor => "gittensor",
            Self::OssAntiSlop => "oss-anti-slop",
        }
    }

    /// What is told of whether the contributor is registered.
    pub(super) fn confirmed_contributor(self, is_confirmed: Option<bool>) -> Option<bool> {
        is_confirmed.filter(|_| self == Self::Gittensor)
    }

    /// The word to who is not registered yet.
    pub(super) fn funnel(self) -> Option<Funnel> {
        (self == Self::OssAntiSlop).then_some(Funnel {
            message: "Work on open source can be rewarded: register as a contributor",
            register_url: REGISTER_URL,
        })
    }
}
