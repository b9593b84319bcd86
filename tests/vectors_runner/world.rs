//! What runners share: fixtures, each built at most once, and scratch folders that go away with the value.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::process;

/// Every vector's clock that does not name its own time: 2026-01-02T03:04:05Z.
pub(crate) const NOW: u64 = 1_767_323_045;

/// Fixtures and what was made of them.
pub(crate) struct World {
    fixtures: PathBuf,
    scratch: TempDir,
    repositories: OnceCell<Result<PathBuf, String>>,
    tools: OnceCell<Result<Vec<Value>, String>>,
    miner_tools: OnceCell<Vec<Value>>,
    emptied_stores: OnceCell<Result<PathBuf, String>>,
}

impl World {
    /// A world whose fixtures lie in `fixtures`.
    pub(crate) fn new(fixtures: PathBuf) -> Self {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        Self {
            fixtures,
            scratch,
            repositories: OnceCell::new(),
            tools: OnceCell::new(),
            miner_tools: OnceCell::new(),
            emptied_stores: OnceCell::new(),
        }
    }

    /// The folder with the git repositories of `make-git.sh`, which vectors call `<ROOT>`.
    pub(crate) fn repositories(&self) -> Result<&Path, String> {
        let made = self.repositories.get_or_init(|| {
            let scratch = fs::canonicalize(self.scratch.path()).map_err(|error| error.to_string())?;
            make_repositories(&self.fixtures.join("make-git.sh"), scratch.join("git"))
        });
        made.as_deref().map_err(Clone::clone)
    }

    /// The tools of the miner's server, listed at most once.
    pub(crate) fn miner_tools(&self, list: impl FnOnce() -> Vec<Value>) -> &[Value] {
        self.miner_tools.get_or_init(list)
    }

    /// The folder with a miner's state of this name.
    pub(crate) fn miner_state(&self, name: &str) -> PathBuf {
        self.fixtures.join("miner-state").join(name)
    }

    /// The folder with a miner's stores that hold nothing, made at most once.
    pub(crate) fn emptied_stores(&self, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<&Path, String> {
        let folder = self.emptied_stores.get_or_init(|| {
            let folder = self.scratch.path().join("emptied-stores");
            fill(&folder).map(|()| folder)
        });
        folder.as_deref().map_err(Clone::clone)
    }

    /// An empty folder, a person's home for one case.
    pub(crate) fn home(&self) -> TempDir {
        tempfile::tempdir_in(self.scratch.path()).expect("a scratch folder")
    }

    /// The tools of the whole contract, also those that a deployment has to enable.
    pub(crate) fn tools(&self) -> Result<&[Value], String> {
        let listed = self.tools.get_or_init(|| {
            let document = process::output(&["contract", "export", "--format", "mcp"])?;
            document["tools"].as_array().cloned().ok_or_else(|| "`contract export` printed no list".to_owned())
        });
        listed.as_deref().map_err(Clone::clone)
    }
}

fn make_repositories(script: &Path, root: PathBuf) -> Result<PathBuf, String> {
    let outcome = Command::new("bash")
        .arg(script)
        .arg(&root)
        .env_clear()
        .envs(search_path())
        .output()
        .map_err(|error| format!("bash cannot be started: {error}"))?;
    if !outcome.status.success() {
        return Err(format!("{} failed: {}", script.display(), String::from_utf8_lossy(&outcome.stderr)));
    }
    // The way out of a root that one of the vectors takes.
    symlink(root.join("notgit"), root.join("work/link")).map_err(|error| error.to_string())?;
    Ok(root)
}

/// The one variable that every process here gets from outside.
pub(crate) fn search_path() -> BTreeMap<String, String> {
    std::env::var("PATH").map(|path| ("PATH".to_owned(), path)).into_iter().collect()
}
