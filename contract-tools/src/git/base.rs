//! Finds the commit to compare with: what the caller named, or the documented default.
//!
//! The default is where `origin/HEAD` points, else `origin/main`, else `origin/master`, else `HEAD` itself. A name that
//! the caller gives is read as a remote-tracking branch first, then as a local branch, then as git reads it, so that a
//! tag of the same name does not get in the way.

use super::command::is_object_id;
use super::error::{GitError, GitReason};
use super::repository::{Head, Repository};

/// A base that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// As the caller wrote it, or the short name of the default.
    pub(super) name: String,
    /// Its commit; absent only for `HEAD` on a branch without commits.
    pub(super) commit: Option<String>,
}

/// The longest ref that is accepted, in characters.
pub const LONGEST_REF: u64 = 1024;

/// Refuses what is no ref, and what git would take for something else than a ref.
///
/// # Errors
/// `invalid_ref`.
pub(super) fn check_ref(name: &str) -> Result<(), GitError> {
    let opens_badly = name.starts_with(['-', '^', ':']);
    let holds_badly = name.contains("..") || name.contains("@{");
    let has_space = name.chars().any(|character| character.is_control() || character.is_whitespace());
    if name.is_empty() || name.chars().count() as u64 > LONGEST_REF || opens_badly || holds_badly || has_space {
        return Err(GitError::of(GitReason::InvalidRef));
    }
    Ok(())
}

/// The base for this read; an empty name is as good as none.
pub(super) fn find(repository: &Repository, head: &Head, requested: Option<&str>) -> Result<Base, GitError> {
    match requested.filter(|name| !name.is_empty()) {
        Some(name) => named(repository, head, name),
        None => default(repository, head),
    }
}

/// Where the remote-tracking ref stands that an `origin/…` base means, by its full name and without the network.
pub(super) fn remote_tracking(repository: &Repository, base_name: &str) -> Result<Option<String>, GitError> {
    let short = base_name.strip_prefix("refs/remotes/").unwrap_or(base_name);
    if !short.starts_with("origin/") || !is_plain(short) {
        return Ok(None);
    }
    exact(repository, &format!("refs/remotes/{short}"))
}

fn default(repository: &Repository, head: &Head) -> Result<Base, GitError> {
    let pointed = repository.ask(&["symbolic-ref", "-q", "refs/remotes/origin/HEAD"])?.line();
    let candidates = pointed.into_iter().chain(["main", "master"].map(|name| format!("refs/remotes/origin/{name}")));
    for full_name in candidates {
        let Some(short) = full_name.strip_prefix("refs/remotes/") else { continue };
        if let Some(id) = exact(repository, &full_name)? {
            // The ref is there, so a commit that is not means a broken repository rather than the next candidate.
            let commit = peeled(repository, &id)?.ok_or_else(|| GitError::of(GitReason::BrokenRepository))?;
            return Ok(Base { name: short.to_owned(), commit: Some(commit) });
        }
    }
    Ok(Base { name: "HEAD".to_owned(), commit: head.commit.clone() })
}

fn named(repository: &Repository, head: &Head, name: &str) -> Result<Base, GitError> {
    check_ref(name)?;
    if head.commit.is_none() && matches!(name, "HEAD" | "@") {
        return Ok(Base { name: name.to_owned(), commit: None });
    }
    let id = object_named(repository, name)?.ok_or_else(|| not_found(name))?;
    if let Some(commit) = peeled(repository, &id)? {
        return Ok(Base { name: name.to_owned(), commit: Some(commit) });
    }
    if repository.ask(&["cat-file", "-e", &id])?.code == 0 {
        return Err(GitError::of(GitReason::BaseNotCommit));
    }
    if is_object_id(name) { Err(not_found(name)) } else { Err(GitError::of(GitReason::BrokenRepository)) }
}

fn object_named(repository: &Repository, name: &str) -> Result<Option<String>, GitError> {
    if is_plain(name) && !is_object_id(name) && name != "HEAD" {
        for namespace in ["refs/remotes", "refs/heads"] {
            if let Some(id) = exact(repository, &format!("{namespace}/{name}"))? {
                return Ok(Some(id));
            }
        }
    }
    Ok(repository.ask(&["rev-parse", "-q", "--verify", "--end-of-options", name])?.object_id())
}

/// The object that a ref of exactly this full name points at.
fn exact(repository: &Repository, full_name: &str) -> Result<Option<String>, GitError> {
    let answer = repository.ask(&["show-ref", "--verify", "--hash", "--", full_name])?;
    if let Some(id) = answer.object_id() {
        return Ok(Some(id));
    }
    // Asked quietly, git tells a missing ref (1) from a ref to a missing object by its exit code.
    match repository.ask(&["show-ref", "--verify", "-q", "--", full_name])?.code {
        1 => Ok(None),
        _ => Err(GitError::of(GitReason::BrokenRepository)),
    }
}

fn peeled(repository: &Repository, id: &str) -> Result<Option<String>, GitError> {
    Ok(repository.ask(&["rev-parse", "-q", "--verify", &format!("{id}^{{commit}}")])?.object_id())
}

/// Whether a name is only a name, without the suffixes that walk from it.
fn is_plain(name: &str) -> bool {
    !name.contains(['~', '^', ':', '@', '*', '?', '[', '\\'])
}

fn not_found(name: &str) -> GitError {
    GitError::with_message(
        GitReason::BaseNotFound,
        format!("the base ref `{name}` names nothing in this repository; check its spelling, or fetch it first"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_that_git_could_misread_are_refused() {
        for name in [
            "",
            "--output=/tmp/x",
            "-x",
            "main..evil",
            "a...b",
            "@{-1}",
            "main@{1}",
            "HEAD\0",
            "a b",
            "a\nb",
            "^main",
            ":/fix",
            ":file",
            "a\u{a0}b",
            "a\u{7f}",
        ] {
            assert_eq!(check_ref(name).expect_err(name).reason, GitReason::InvalidRef, "{name:?}");
        }
        assert!(check_ref(&"a".repeat(1025)).is_err() && check_ref(&"ü".repeat(1024)).is_ok());
    }

    #[test]
    fn ordinary_refs_are_accepted() {
        for name in ["main", "origin/main", "refs/remotes/origin/x", "HEAD~3", "v1.0^", "HEAD^{tree}", "größe", "a@b"]
        {
            assert_eq!(check_ref(name), Ok(()), "{name}");
        }
    }
}
