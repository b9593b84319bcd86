//! What a prediction is asked about.

use std::borrow::Cow;

use crate::engine::preflight::PlannedPullRequest;
use crate::engine::text::cut_units;

/// No further than this is a title looked at. GitHub takes titles of 256 characters.
pub(super) const TITLE_UNITS: usize = 4_096;

/// No further than this is a text looked at: GitHub takes no longer one.
pub(super) const BODY_UNITS: usize = 65_536;

/// How much of the title and the text was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeenText {
    /// All of it.
    Whole,
    /// Its beginning.
    Beginning,
}

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

    /// The same with a title and a text that are no longer than a pull request can have. The rules look at each many times,
    /// so that the work is bounded here.
    pub(super) fn within_bounds(&self) -> (Cow<'_, Self>, SeenText) {
        let title = cut_units(&self.title, TITLE_UNITS);
        let body = self.body.as_deref().map(|body| cut_units(body, BODY_UNITS));
        if title.len() == self.title.len() && body.map(str::len) == self.body.as_ref().map(String::len) {
            return (Cow::Borrowed(self), SeenText::Whole);
        }
        let cut = Self {
            title: title.to_owned(),
            body: body.map(str::to_owned),
            login: self.login.clone(),
            owner: self.owner.clone(),
            repo: self.repo.clone(),
            labels: self.labels.clone(),
            linked_issues: self.linked_issues.clone(),
            changed_paths: self.changed_paths.clone(),
        };
        (Cow::Owned(cut), SeenText::Beginning)
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
