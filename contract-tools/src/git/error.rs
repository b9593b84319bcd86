//! What can keep a working tree from being read: a closed set of reasons, each with a message that says what to do.

use std::fmt;

/// Why a working tree could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GitReason {
    /// The directory lies in no git working tree.
    NotARepository,
    /// No `git` program is on the search path.
    GitNotFound,
    /// The directory does not exist, is a file, or may not be opened.
    DirectoryNotFound,
    /// The repository belongs to another user and is not listed in `safe.directory`.
    DubiousOwnership,
    /// The repository has no working tree.
    BareRepository,
    /// Neither the caller nor the `origin` remote names the repository.
    NoRemote,
    /// The repository name that the caller gave is not of the form `owner/repo`.
    InvalidRepositoryName,
    /// The base ref is not written as a ref may be.
    InvalidRef,
    /// The base ref names nothing.
    BaseNotFound,
    /// The base ref names a file, a tree or a tag of one.
    BaseNotCommit,
    /// Base and `HEAD` have unrelated histories.
    NoCommonAncestor,
    /// The directory lies outside the folders that the client exposed.
    OutsideRoots,
    /// The repository is damaged or incomplete.
    BrokenRepository,
    /// The repository configures something that cannot be switched off reliably, or that git refuses.
    UnsafeConfiguration,
    /// Git did not answer in time.
    Timeout,
    /// Nobody waits for the answer any more.
    Stopped,
    /// The user asked for source upload, which this tool never does.
    SourceUploadRefused,
}

/// A failed read: the reason for programs and the message for people.
///
/// The message is in our own words. It holds no text of git, and no path but what the caller gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitError {
    /// The reason, from a closed set.
    pub reason: GitReason,
    /// What happened and what to do about it.
    pub message: String,
}

impl GitReason {
    /// Every reason, in declared order.
    pub const ALL: [Self; 17] = [
        Self::NotARepository,
        Self::GitNotFound,
        Self::DirectoryNotFound,
        Self::DubiousOwnership,
        Self::BareRepository,
        Self::NoRemote,
        Self::InvalidRepositoryName,
        Self::InvalidRef,
        Self::BaseNotFound,
        Self::BaseNotCommit,
        Self::NoCommonAncestor,
        Self::OutsideRoots,
        Self::BrokenRepository,
        Self::UnsafeConfiguration,
        Self::Timeout,
        Self::Stopped,
        Self::SourceUploadRefused,
    ];

    /// The reason in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotARepository => "not_a_repository",
            Self::GitNotFound => "git_not_found",
            Self::DirectoryNotFound => "directory_not_found",
            Self::DubiousOwnership => "dubious_ownership",
            Self::BareRepository => "bare_repository",
            Self::NoRemote => "no_remote",
            Self::InvalidRepositoryName => "invalid_repository_name",
            Self::InvalidRef => "invalid_ref",
            Self::BaseNotFound => "base_not_found",
            Self::BaseNotCommit => "base_not_commit",
            Self::NoCommonAncestor => "no_common_ancestor",
            Self::OutsideRoots => "outside_roots",
            Self::BrokenRepository => "broken_repository",
            Self::UnsafeConfiguration => "unsafe_configuration",
            Self::Timeout => "timeout",
            Self::Stopped => "stopped",
            Self::SourceUploadRefused => "source_upload_refused",
        }
    }

    /// The message that fits every case of the reason.
    const fn advice(self) -> &'static str {
        match self {
            Self::NotARepository => {
                "the directory is not inside a git working tree; pass the folder of a checked-out repository as `cwd`"
            }
            Self::GitNotFound => "no `git` program was found; install git and make sure that PATH names its folder",
            Self::DirectoryNotFound => {
                "the directory does not exist or cannot be opened; pass an existing folder as `cwd`"
            }
            Self::DubiousOwnership => {
                "the repository belongs to another user, so git does not trust it; if you do, run \
                 `git config --global --add safe.directory <folder of the repository>` and try again"
            }
            Self::BareRepository => {
                "the repository is bare: it has no working tree to report on; use a checkout, or unset `core.bare` \
                 if this is one"
            }
            Self::NoRemote => {
                "the repository has no GitHub remote called origin; pass `repoFullName` as owner/repo, or add the \
                 remote"
            }
            Self::InvalidRepositoryName => {
                "`repoFullName` must be owner/repo, each part made of letters, digits, `.`, `_` and `-`"
            }
            Self::InvalidRef => {
                "`baseRef` is not a ref this tool accepts; name one branch, tag or commit, such as origin/main"
            }
            Self::BaseNotFound => {
                "the base ref names nothing in this repository; check its spelling, or fetch it first"
            }
            Self::BaseNotCommit => "the base ref does not name a commit; name a branch, a tag of a commit, or a commit",
            Self::NoCommonAncestor => {
                "the base ref and HEAD share no history; choose the base that this branch was started from"
            }
            Self::OutsideRoots => {
                "the directory is outside the exposed roots of this session; choose one inside, or expose its folder"
            }
            Self::BrokenRepository => {
                "git cannot read this repository: it is damaged or parts of it are missing; `git fsck` tells more"
            }
            Self::UnsafeConfiguration => {
                "the repository's configuration names a filter in a way that cannot be switched off, so nothing was \
                 read; rename or remove the filter"
            }
            Self::Timeout => "git did not answer in time, so it was stopped; try again when the repository is idle",
            Self::Stopped => "the request was taken back, so git was stopped; ask again for an answer",
            Self::SourceUploadRefused => {
                "LOOPOVER_UPLOAD_SOURCE is set, but source is never uploaded; unset it to go on"
            }
        }
    }
}

impl GitError {
    /// An error with the message that fits every case of its reason.
    pub(super) fn of(reason: GitReason) -> Self {
        Self { reason, message: reason.advice().to_owned() }
    }

    /// Whether no further question of the same read could be answered.
    pub(super) fn ends_the_read(&self) -> bool {
        matches!(self.reason, GitReason::Timeout | GitReason::Stopped)
    }

    /// An error whose message knows more than its reason does.
    pub(super) fn with_message(reason: GitReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }
}

impl fmt::Display for GitReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for GitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for GitError {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn reasons_are_distinct_and_in_snake_case() {
        let names: BTreeSet<&str> = GitReason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(names.len(), GitReason::ALL.len());
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
    }

    #[test]
    fn every_reason_says_what_to_do() {
        for reason in GitReason::ALL {
            assert!(GitError::of(reason).message.len() > 40, "{reason}");
        }
    }
}
