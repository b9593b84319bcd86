//! Where a server's working tree is: what it hands to the tools that read one.

use std::path::PathBuf;

use super::error::{GitError, GitReason};
use super::roots::choose_directory;
use super::surroundings::Surroundings;

/// The directory a process stands in, the folders its client exposed, and what git may know.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// The process's own directory; absent when it is gone.
    pub current: Option<PathBuf>,
    /// The client's `file:` URIs.
    pub roots: Vec<String>,
    /// What reading depends on.
    pub surroundings: Surroundings,
}

impl Workspace {
    /// That of this process, with no folder exposed.
    pub fn of_process() -> Self {
        Self {
            current: std::env::current_dir().ok(),
            roots: Vec::new(),
            surroundings: Surroundings::from_environment(|name| std::env::var_os(name)),
        }
    }

    /// The directory that a request means.
    ///
    /// # Errors
    /// As [`choose_directory`].
    pub fn directory(&self, requested: Option<&str>) -> Result<PathBuf, GitError> {
        let current = self.current.as_deref().ok_or_else(|| GitError::of(GitReason::DirectoryNotFound))?;
        choose_directory(&self.roots, requested, current)
    }
}
