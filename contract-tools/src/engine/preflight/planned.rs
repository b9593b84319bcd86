//! The pull request that somebody has in mind.

/// A pull request that does not exist yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedPullRequest {
    /// `owner/name` of the repository, as the caller spells it.
    pub repo_full_name: String,
    /// Login of who would open it; their own open pull requests are no competition.
    pub contributor_login: Option<String>,
    /// What they are to the repository, in GitHub's words and by their own account.
    pub author_association: Option<String>,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: Option<String>,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Paths of the files that it would change.
    pub changed_files: Vec<String>,
    /// Numbers of the issues that it would close, beside those that the text names.
    pub linked_issues: Vec<u64>,
    /// What was run to test it.
    pub tests: Vec<String>,
}

impl PlannedPullRequest {
    /// Whether somebody of this login is who would open it.
    pub(super) fn is_by(&self, login: Option<&str>) -> bool {
        let own = self.contributor_login.as_deref().filter(|own| !own.is_empty());
        own.zip(login).is_some_and(|(own, login)| own.eq_ignore_ascii_case(login))
    }
}
