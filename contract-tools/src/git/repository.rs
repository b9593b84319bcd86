//! Opens a repository: refuses what has no working tree or no trust, finds the root, and learns where `HEAD` is.

use std::fs;
use std::path::{Path, PathBuf};

use super::command::{Answer, Git};
use super::discovery;
use super::error::{GitError, GitReason};
use super::filters;
use super::surroundings::Surroundings;

/// A working tree that git accepts, and git set up so that nothing of it runs.
#[derive(Debug)]
pub(super) struct Repository {
    /// Git with the repository's filters switched off.
    pub(super) git: Git,
    /// The top folder of the working tree.
    pub(super) root: PathBuf,
    /// The clone is shallow.
    pub(super) shallow: bool,
    /// The address of the `origin` remote, as written.
    pub(super) remote_url: Option<String>,
    /// Objects may be missing because they were never fetched.
    pub(super) partial_clone: bool,
}

/// Where `HEAD` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The branch; absent when detached.
    pub(super) branch: Option<String>,
    /// The commit; absent on a branch without commits.
    pub(super) commit: Option<String>,
}

/// Opens the repository around a directory, with the user's own word on whom to trust.
pub(super) fn open(git: Git, directory: &Path, surroundings: &Surroundings) -> Result<Repository, GitError> {
    let answer = probe(&git, directory)?;
    if answer.code == 0 {
        return accept(git, directory, &answer);
    }
    // Only a refusal makes the user's configuration matter: git looks at it only for a repository of somebody else.
    let Some(found) = discovery::look_around(directory) else {
        return Err(GitError::of(GitReason::NotARepository));
    };
    if !found.is_of_another_user() {
        return Err(found.explain(&[]));
    }
    let trusted = git.user_trusts(surroundings)?;
    let git = git.trusting(&trusted);
    let answer = probe(&git, directory)?;
    if answer.code == 0 { accept(git, directory, &answer) } else { Err(found.explain(&trusted)) }
}

/// Opens a submodule, which is trusted no further than the repository around it.
pub(super) fn open_submodule(git: Git, directory: &Path) -> Result<Repository, GitError> {
    let answer = probe(&git, directory)?;
    if answer.code != 0 {
        return Err(GitError::of(GitReason::BrokenRepository));
    }
    accept(git, directory, &answer)
}

impl Repository {
    /// Asks git at the root a small question.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Answer, GitError> {
        self.git.ask(&self.root, arguments)
    }

    /// Asks git at the root a question that may take all the time that is left.
    pub(super) fn ask_patiently(&self, arguments: &[&str]) -> Result<Answer, GitError> {
        self.git.ask_patiently(&self.root, arguments)
    }

    /// Where `HEAD` is. A branch whose commit cannot be read is broken, not empty.
    pub(super) fn head(&self) -> Result<Head, GitError> {
        let broken = || GitError::of(GitReason::BrokenRepository);
        let symbolic = self.ask(&["symbolic-ref", "-q", "HEAD"])?;
        let target = match symbolic.code {
            0 => Some(symbolic.line().ok_or_else(broken)?),
            1 => None,
            _ => return Err(broken()),
        };
        let branch = target.as_deref().and_then(|name| name.strip_prefix("refs/heads/")).map(str::to_owned);
        if let Some(commit) = self.ask(&["rev-parse", "-q", "--verify", "HEAD^{commit}"])?.object_id() {
            return Ok(Head { branch, commit: Some(commit) });
        }
        if self.ask(&["rev-parse", "-q", "--verify", "HEAD"])?.code == 0 {
            return Err(broken());
        }
        let Some(target) = target else { return Err(broken()) };
        let file = self.ask(&["rev-parse", "--git-path", &target])?.line().ok_or_else(broken)?;
        if fs::symlink_metadata(self.root.join(file)).is_ok_and(|entry| !entry.is_dir()) {
            return Err(broken());
        }
        Ok(Head { branch, commit: None })
    }
}

/// Bare? Inside the working tree? Shallow? How far up is the root? The last is the only answer that could hold a path.
fn probe(git: &Git, directory: &Path) -> Result<Answer, GitError> {
    let questions = ["--is-bare-repository", "--is-inside-work-tree", "--is-shallow-repository", "--show-cdup"];
    git.ask(directory, &[&["rev-parse"], questions.as_slice()].concat())
}

fn accept(git: Git, directory: &Path, probed: &Answer) -> Result<Repository, GitError> {
    let text = String::from_utf8_lossy(&probed.bytes);
    let lines: Vec<&str> = text.splitn(4, '\n').collect();
    let [bare, inside, shallow, up] = lines[..] else { return Err(GitError::of(GitReason::BrokenRepository)) };
    if bare == "true" {
        return Err(GitError::of(GitReason::BareRepository));
    }
    if inside != "true" {
        return Err(GitError::of(GitReason::NotARepository));
    }
    let steps = Path::new(up.trim_end_matches('\n')).components().count();
    let root = directory.ancestors().nth(steps).ok_or_else(|| GitError::of(GitReason::BrokenRepository))?.to_owned();
    let shallow = shallow == "true";
    let configured = filters::configured(&git, &root)?;
    let git = git.without_filters(configured.overrides);
    Ok(Repository { git, root, shallow, remote_url: configured.remote_url, partial_clone: configured.partial_clone })
}
