//! What the store holds beside the records that the rules read.

use std::fmt;

use crate::engine::records::{CheckSummary, ContributorProfile, OfficialRepositoryActivity, RegistryConfig, Review};

use super::RepoName;

/// What GitHub says about a repository itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryFacts {
    /// `owner/name`, in the spelling that is shown.
    pub name: RepoName,
    /// Whether it is private.
    pub is_private: bool,
    /// Its page.
    pub html_url: Option<String>,
    /// Name of its default branch.
    pub default_branch: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
}

/// The registry as it was at one moment: it lists every repository that is registered, so the newest one decides.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistrySnapshot {
    /// When it was made.
    pub generated_at: String,
    /// Its entries.
    pub entries: Vec<RegistryConfig>,
}

/// An account's installation of the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// Its number.
    pub id: u64,
    /// Login of the account.
    pub account_login: String,
    /// Whether the account suspended it.
    pub is_suspended: bool,
    /// Whether the account took it away.
    pub is_removed: bool,
    /// When it last changed.
    pub updated_at: Option<String>,
}

/// A label that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Its colour, six hexadecimal digits.
    pub color: Option<String>,
    /// What it is for.
    pub description: Option<String>,
}

/// A review with what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedReview {
    /// Its number, one for all repositories.
    pub id: u64,
    /// Number of the pull request.
    pub pull_number: u64,
    /// The review.
    pub review: Review,
    /// When it last changed, where that is told; else when it was handed in.
    pub updated_at: Option<String>,
}

/// Which kind of check a number belongs to; both kinds count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// A check run.
    Run,
    /// The status of a commit.
    Status,
}

/// A check with what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedCheck {
    /// Which kind the number belongs to.
    pub kind: CheckKind,
    /// Its number.
    pub id: u64,
    /// The commit that it looked at.
    pub head_sha: String,
    /// The check; its `head_sha` is not looked at.
    pub check: CheckSummary,
}

/// A file on the default branch that may be the repository's manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// Its path, one of [`MANIFEST_PATHS`](crate::engine::manifest::MANIFEST_PATHS).
    pub path: String,
    /// What is in it.
    pub content: String,
}

/// Somebody whom the programme knows, as their document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfficialContributor {
    /// Their login.
    pub login: String,
    /// What the programme counted for them.
    pub repositories: Vec<OfficialRepositoryActivity>,
    /// When that was.
    pub generated_at: String,
}

/// Somebody who contributes, as the store knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contributor {
    /// Whether the programme knows them.
    pub is_official: bool,
    /// What is known.
    pub profile: ContributorProfile,
}

/// A prediction whose outcome is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrationRow {
    /// Login of whom it was about.
    pub login: String,
    /// The repository.
    pub repo: RepoName,
    /// Number of the pull request.
    pub pull_number: u64,
    /// Whether it came true.
    pub agreed: bool,
    /// When the outcome was known.
    pub decided_at: String,
}

/// The digest of a session's token: what is stored in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

/// A session that is to be made. Moments are in milliseconds since 1970, so that comparing them needs no reading.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The digest of its token.
    pub token: TokenHash,
    /// Login of whom it is for.
    pub login: String,
    /// Their immutable number at GitHub, where it is known.
    pub github_id: Option<u64>,
    /// When it was made.
    pub created_at: i64,
    /// From when on it is worth nothing.
    pub expires_at: i64,
}

/// A session that was made once; whether it is still worth anything is for the asker's clock to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its number.
    pub id: i64,
    /// Login of whom it is for.
    pub login: String,
    /// Their immutable number at GitHub, where it is known.
    pub github_id: Option<u64>,
    /// When it was made.
    pub created_at: i64,
    /// From when on it is worth nothing.
    pub expires_at: i64,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

impl Session {
    /// Whether it counts at `now`.
    pub fn is_valid(&self, now: i64) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }
}
