//! Looks at submodules without letting git walk into them by itself.
//!
//! Git would run its status inside each submodule with that submodule's configuration, filters and all. So git is told
//! not to look, and each submodule is opened like any other repository that nobody vouches for.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
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
/// What lies deeper is not looked at, which makes what it lies in unreadable.
const DEEPEST_SUBMODULE: usize = 5;
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

/// The state of one submodule's own working tree, with that of the submodules in it.
///
/// # Errors
/// Only what ends the whole read; everything else is part of the answer.
pub(super) fn inspect(repository: &Repository, path: &[u8]) -> Result<SubmoduleState, GitError> {
    inspect_at(repository, path, 1)
}

fn inspect_at(repository: &Repository, path: &[u8], depth: usize) -> Result<SubmoduleState, GitError> {
    let mut state = SubmoduleState {
        checkout: SubmoduleCheckout::NotInitialised,
        commit_changed: false,
        modified: false,
        untracked: false,
    };
    let looked = match checkout(&repository.root, path) {
        Ok(None) => return Ok(state),
        Ok(Some(_)) if depth > DEEPEST_SUBMODULE => Err(GitError::of(GitReason::BrokenRepository)),
        Ok(Some(folder)) => look_inside(repository, &folder, depth, &mut state),
        Err(_) => Err(GitError::of(GitReason::BrokenRepository)),
    };
    state.checkout = match looked {
        Err(error) if error.ends_the_read() => return Err(error),
        Err(_) => SubmoduleCheckout::Unreadable,
        Ok(()) => SubmoduleCheckout::Present,
    };
    Ok(state)
}

fn look_inside(
    repository: &Repository,
    folder: &Path,
    depth: usize,
    state: &mut SubmoduleState,
) -> Result<(), GitError> {
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
    if code != 0 {
        return Err(GitError::of(GitReason::BrokenRepository));
    }
    for path in &index_facts(&submodule)?.submodules {
        let nested = inspect_at(&submodule, path, depth + 1)?;
        state.modified |= nested.modified;
        state.untracked |= nested.untracked;
        if nested.checkout == SubmoduleCheckout::Unreadable {
            return Err(GitError::of(GitReason::BrokenRepository));
        }
    }
    Ok(())
}

/// The folder of a submodule that is checked out there, not where a symbolic link on the way leads.
///
/// # Errors
/// Nobody may look.
fn checkout(root: &Path, path: &[u8]) -> io::Result<Option<PathBuf>> {
    let folder = root.join(Path::new(OsStr::from_bytes(path)));
    let looked = fs::canonicalize(&folder).and_then(|resolved| {
        // What is in the way of the folder is told as a change of the path itself.
        let is_checkout = resolved == folder && resolved.is_dir();
        if is_checkout { fs::symlink_metadata(folder.join(".git")).map(|_| Some(folder)) } else { Ok(None) }
    });
    match looked {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        looked => looked,
    }
}
