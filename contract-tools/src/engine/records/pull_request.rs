//! A pull request with its files, reviews and checks, and what is kept of a merged one.

use serde::Deserialize;

use super::OPEN;

/// A pull request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullRequest {
    /// `owner/name` of its repository.
    pub repo_full_name: String,
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// `open`, `closed` or `merged`.
    pub state: String,
    /// Names of its labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Numbers of the issues that it closes.
    #[serde(default)]
    pub linked_issues: Vec<u64>,
    /// Login of who opened it.
    pub author_login: Option<String>,
    /// What its author is to the repository, in GitHub's words.
    pub author_association: Option<String>,
    /// Its page.
    pub html_url: Option<String>,
    /// Its text.
    pub body: Option<String>,
    /// Whether it is a draft.
    pub is_draft: Option<bool>,
    /// How much it looks like careless work: `low`, `elevated` or `high`.
    pub slop_band: Option<String>,
    /// When its author claimed the issue that it closes.
    pub linked_issue_claimed_at: Option<String>,
    /// Paths of the files that it changes, where they are known.
    pub changed_files: Option<Vec<String>>,
    /// The newest commit on its branch.
    pub head_sha: Option<String>,
    /// When it was opened.
    pub created_at: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// When it was merged.
    pub merged_at: Option<String>,
}

impl PullRequest {
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.state == OPEN
    }
}

/// What is kept of a pull request that was merged lately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecentMergedPullRequest {
    /// `owner/name` of its repository.
    pub repo_full_name: String,
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Names of its labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Numbers of the issues that it closed.
    #[serde(default)]
    pub linked_issues: Vec<u64>,
    /// Paths of the files that it changed, where they are known.
    pub changed_files: Option<Vec<String>>,
    /// Login of who opened it.
    pub author_login: Option<String>,
    /// Its page.
    pub html_url: Option<String>,
    /// When it was merged.
    pub merged_at: Option<String>,
}

/// A file that a pull request changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullRequestFile {
    /// Its path.
    pub path: String,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
}

/// A review of a pull request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Its verdict, in GitHub's words.
    pub state: String,
    /// Login of who wrote it.
    pub reviewer_login: Option<String>,
    /// When it was handed in.
    pub submitted_at: Option<String>,
}

/// The outcome of one check on one commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckSummary {
    /// Its name.
    pub name: String,
    /// How far it is, in GitHub's words.
    pub status: String,
    /// How it ended, in GitHub's words.
    pub conclusion: Option<String>,
    /// The commit that it looked at.
    pub head_sha: Option<String>,
    /// When it was started.
    pub started_at: Option<String>,
    /// When it ended.
    pub completed_at: Option<String>,
}
