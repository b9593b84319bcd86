//! What a prediction is asked about.

use crate::engine::preflight::PlannedPullRequest;

/// A pull request that somebody plans, as far as a prediction looks at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateRequest {
    /// Login of who would open it.
    pub login: String,
    /// Owner of the repository.
    pub owner: String,
    /// The repository's name.
    pub repo: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: Option<String>,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Numbers of the issues that it would close, beside those that the text names.
    pub linked_issues: Vec<u64>,
    /// Paths of the files that it would change; none is as good as not supplied.
    pub changed_paths: Vec<String>,
}

impl GateRequest {
    /// `owner/name` of the repository.
    pub fn repo_full_name(&self) -> String {
        format!("{}/{}", self.owner, self.repo)
    }

    /// The text; none is an empty one.
    pub(super) fn body(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }

    /// The paths that name a file.
    pub(super) fn paths(&self) -> Vec<String> {
        self.changed_paths.iter().filter(|path| !path.is_empty()).cloned().collect()
    }

    /// Whether a record of this repository is meant, whose name may be in any case.
    pub(super) fn is_about(&self, repo_full_name: &str) -> bool {
        repo_full_name.split_once('/').is_some_and(|(owner, repo)| {
            owner.eq_ignore_ascii_case(&self.owner) && repo.eq_ignore_ascii_case(&self.repo)
        })
    }

    /// Whether somebody of this login is who would open it.
    pub(super) fn is_by(&self, login: Option<&str>) -> bool {
        login.is_some_and(|login| !login.is_empty() && login.eq_ignore_ascii_case(&self.login))
    }

    /// The same for preflight, which is told neither the paths nor what the contributor is to the repository.
    pub(super) fn as_plan(&self) -> PlannedPullRequest {
        PlannedPullRequest {
            repo_full_name: self.repo_full_name(),
            contributor_login: Some(self.login.clone()),
            author_association: None,
            title: self.title.clone(),
            body: self.body.clone(),
            labels: self.labels.clone(),
            changed_files: Vec::new(),
            linked_issues: self.linked_issues.clone(),
            tests: Vec::new(),
        }
    }
}
