//! An issue, and the bounty that may be on it.

use serde::Deserialize;

use super::OPEN;

/// An issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// `owner/name` of its repository.
    pub repo_full_name: String,
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// `open` or `closed`.
    pub state: String,
    /// Names of its labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Login of who opened it.
    pub author_login: Option<String>,
    /// What its author is to the repository, in GitHub's words.
    pub author_association: Option<String>,
    /// Its page.
    pub html_url: Option<String>,
    /// Its text.
    pub body: Option<String>,
    /// Numbers of pull requests that its text names; free text, so not to be trusted.
    #[serde(default)]
    pub linked_prs: Vec<u64>,
    /// When it was opened.
    pub created_at: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
}

impl Issue {
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.state == OPEN
    }
}

/// A bounty on an issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounty {
    /// `owner/name` of the issue's repository.
    pub repo_full_name: String,
    /// Number of the issue.
    pub issue_number: u64,
    /// Its state, in the words of wherever it was found.
    pub status: String,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// When it was found.
    pub discovered_at: Option<String>,
}
