//! Looks at submodules without letting git walk into them by itself.
//!
//! Git would run its status inside each submodule with that submodule's configuration, filters and all. So git is told
//! not to look, and each submodule is opened like any other repository that nobody vouches for.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::error::{GitError, GitReason};
use super::model::{SubmoduleCheckout, SubmoduleState};
use super::repository::{Repository, open_submodule};

/// What only the index knows.
#[derive(Debug, Default)]
pub(super) struct IndexFacts {
    /// Paths of submodules.
    pub(super) submodules: BTreeSet<Box<[u8]>>,
    /// Paths that a merge left in conflict.
    pub(super) conflicted: BTreeSet<Box<[u8]>>,
}

const LONGEST_RECORD: usize = 16 * 1024;
const MOST_SUBMODULES: usize = 1_000;
const MOST_CONFLICTS: usize = 10_000;

/// Reads the index once, keeping only the paths that matter.
pub(super) fn index_facts(repository: &Repository) -> Result<IndexFacts, GitError> {
    let mut facts = IndexFacts::default();
    let arguments = ["ls-files", "-z", "--stage"];
    let code = repository.git.records(&repository.root, &arguments, LONGEST_RECORD, &mut |record| {
        // `<mode> <id> <stage><tab><path>`
        let Some(tab) = record.iter().position(|byte| *byte == b'\t') else { return };
        let (facts_of_entry, path) = (&record[..tab], &record[tab + 1..]);
        if facts_of_entry.starts_with(b"160000 ") && facts.submodules.len() < MOST_SUBMODULES {
            facts.submodules.insert(path.into());
        }
        if !facts_of_entry.ends_with(b" 0") && facts.conflicted.len() < MOST_CONFLICTS {
            facts.conflicted.insert(path.into());
        }
    })?;
    if code == 0 { Ok(facts) } else { Err(GitError::of(GitReason::BrokenRepository)) }
}

/// The state of one submodule's own working tree.
///
/// # Errors
/// Only the time limit; everything else is part of the answer.
pub(super) fn inspect(repository: &Repository, path: &[u8]) -> Result<SubmoduleState, GitError> {
    let mut state = SubmoduleState {
        checkout: SubmoduleCheckout::NotInitialised,
        commit_changed: false,
        modified: false,
        untracked: false,
    };
    let Some(folder) = real_folder(&repository.root, path) else { return Ok(state) };
    if fs::symlink_metadata(folder.join(".git")).is_err() {
        return Ok(state);
    }
    match look_inside(repository, &folder, &mut state) {
        Err(error) if error.reason == GitReason::Timeout => return Err(error),
        Err(_) => state.checkout = SubmoduleCheckout::Unreadable,
        Ok(()) => state.checkout = SubmoduleCheckout::Present,
    }
    Ok(state)
}

fn look_inside(repository: &Repository, folder: &Path, state: &mut SubmoduleState) -> Result<(), GitError> {
    let parent = folder.parent().unwrap_or(folder);
    let submodule = open_submodule(repository.git.for_submodule(parent), folder)?;
    if submodule.root != folder {
        return Err(GitError::of(GitReason::BrokenRepository));
    }
    let arguments =
        ["status", "-z", "--porcelain=v2", "--untracked-files=normal", "--no-renames", "--ignore-submodules=dirty"];
    let code = submodule.git.records(folder, &arguments, LONGEST_RECORD, &mut |record| match record.first() {
        Some(b'1' | b'2' | b'u') => state.modified = true,
        Some(b'?') => state.untracked = true,
        _ => {}
    })?;
    if code == 0 { Ok(()) } else { Err(GitError::of(GitReason::BrokenRepository)) }
}

/// The folder of a submodule, unless a symbolic link on the way leads elsewhere.
fn real_folder(root: &Path, path: &[u8]) -> Option<PathBuf> {
    let folder = root.join(Path::new(OsStr::from_bytes(path)));
    let resolved = fs::canonicalize(&folder).ok()?;
    (resolved == folder && resolved.is_dir()).then_some(folder)
}
