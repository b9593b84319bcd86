//! What the author of a pull request is to its repository.

use serde::Serialize;

use super::super::text::is_maintainer_association;
use super::ReviewabilityInput;

/// What somebody is to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Owns it.
    Owner,
    /// Belongs to the organisation that owns it.
    OrgMember,
    /// Works on it.
    Collaborator,
    /// Maintains it in some way.
    RepoMaintainer,
    /// Contributes from outside.
    OutsideContributor,
    /// Nobody knows.
    Unknown,
}

impl Role {
    /// Whether the rules for contributors do not apply.
    pub fn is_maintainer_lane(self) -> bool {
        matches!(self, Self::Owner | Self::OrgMember | Self::Collaborator | Self::RepoMaintainer)
    }
}

/// How a role is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleSource {
    /// The login is that of the owner.
    RepoOwnerMatch,
    /// GitHub says so.
    GithubAssociation,
    /// The programme counted work of theirs.
    GittensorApi,
    /// There are records of their work.
    Cache,
    /// It is not.
    Unknown,
}

/// The role of the author and how it is known. The first rule that applies decides.
pub(super) fn role(input: &ReviewabilityInput<'_>) -> (Role, RoleSource) {
    let Some(login) = input.pull_request.author_login.as_deref().filter(|login| !login.is_empty()) else {
        return (Role::Unknown, RoleSource::Unknown);
    };
    if is_owner(input, login) {
        return (Role::Owner, RoleSource::RepoOwnerMatch);
    }
    let works = works_of(input, login);
    let associations: Vec<&str> = works.iter().filter_map(|association| *association).collect();
    let exactly = [("OWNER", Role::Owner), ("MEMBER", Role::OrgMember), ("COLLABORATOR", Role::Collaborator)];
    if let Some((_, role)) = exactly.iter().find(|(word, _)| associations.contains(word)) {
        return (*role, RoleSource::GithubAssociation);
    }
    if associations.iter().any(|association| is_maintainer_association(Some(association))) {
        return (Role::RepoMaintainer, RoleSource::GithubAssociation);
    }
    if is_officially_active(input) {
        return (Role::OutsideContributor, RoleSource::GittensorApi);
    }
    let has_touched = input
        .profile
        .is_some_and(|profile| profile.repositories_touched.iter().any(|name| same(name, input.repo_full_name)));
    if has_touched || is_listed(input, login) {
        return (Role::OutsideContributor, RoleSource::Cache);
    }
    (Role::Unknown, RoleSource::Unknown)
}

fn is_owner(input: &ReviewabilityInput<'_>, login: &str) -> bool {
    let from_name = input.repo_full_name.split('/').next().unwrap_or_default();
    same(login, from_name) || same(login, &input.repository.owner)
}

/// The associations of everything of the author in this repository: the pull request itself, and what is listed.
fn works_of<'a>(input: &ReviewabilityInput<'a>, login: &str) -> Vec<Option<&'a str>> {
    let own = std::iter::once(input.pull_request.author_association.as_deref());
    own.chain(listed(input, login)).map(|association| association.filter(|text| !text.is_empty())).collect()
}

/// Whether anything of the author is listed.
fn is_listed(input: &ReviewabilityInput<'_>, login: &str) -> bool {
    listed(input, login).next().is_some()
}

/// The associations of what the author has among the listed issues and pull requests of this repository.
fn listed<'a>(input: &ReviewabilityInput<'a>, login: &str) -> impl Iterator<Item = Option<&'a str>> {
    let ReviewabilityInput { repo_full_name, issues, pull_requests, .. } = *input;
    let pull_requests = pull_requests.iter().map(|pull_request| {
        (&pull_request.repo_full_name, &pull_request.author_login, &pull_request.author_association)
    });
    let issues = issues.iter().map(|issue| (&issue.repo_full_name, &issue.author_login, &issue.author_association));
    pull_requests.chain(issues).filter_map(move |(name, author, association)| {
        let is_theirs = author.as_deref().is_some_and(|author| same(author, login)) && same(name, repo_full_name);
        is_theirs.then_some(association.as_deref())
    })
}

fn is_officially_active(input: &ReviewabilityInput<'_>) -> bool {
    let rows = input.profile.map(|profile| profile.official_repositories.as_slice()).unwrap_or_default();
    rows.iter()
        .filter(|row| same(&row.repo_full_name, input.repo_full_name))
        .any(|row| row.pull_requests > 0 || row.open_issues > 0 || row.closed_issues > 0)
}

/// Logins and repository names are the same in any case.
pub(super) fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}
