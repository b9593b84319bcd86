//! Finds out why git refused a directory, from the file system alone: no repository, a bare one, a stranger's, a broken one.
//!
//! Git answers all four with the same exit code and tells them apart only in prose.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use super::error::{GitError, GitReason};

/// What was found on the way up from a directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The folder of the repository.
    pub(super) root: PathBuf,
    kind: FoundKind,
}

#[derive(Debug, PartialEq, Eq)]
enum FoundKind {
    /// A folder with a `.git`.
    Checkout,
    /// A folder laid out like the inside of a `.git`.
    Bare,
}

/// Looks for a repository in the directory and in the folders around it.
pub(super) fn look_around(directory: &Path) -> Option<Found> {
    directory.ancestors().find_map(|folder| {
        let kind = if fs::symlink_metadata(folder.join(".git")).is_ok() {
            FoundKind::Checkout
        } else if is_git_directory(folder) {
            FoundKind::Bare
        } else {
            return None;
        };
        Some(Found { root: folder.to_owned(), kind })
    })
}

impl Found {
    /// Whether a part of the repository that git checks belongs to somebody else.
    pub(super) fn is_of_another_user(&self) -> bool {
        let own = geteuid().as_raw();
        let entry = self.root.join(".git");
        let mut parts = vec![self.root.clone(), entry.clone()];
        parts.extend(directory_of_gitfile(&entry));
        parts.iter().filter_map(|part| fs::metadata(part).ok()).any(|metadata| metadata.uid() != own)
    }

    /// The error for a repository that git refused, given what the user trusts.
    pub(super) fn explain(&self, trusted: &[OsString]) -> GitError {
        if self.is_of_another_user() && !is_trusted(&self.root, trusted) {
            return GitError::of(GitReason::DubiousOwnership);
        }
        match self.kind {
            FoundKind::Bare => GitError::of(GitReason::BareRepository),
            FoundKind::Checkout if fs::metadata(self.root.join(".git")).is_ok_and(|entry| entry.is_file()) => {
                GitError::with_message(
                    GitReason::BrokenRepository,
                    "this is a linked working tree whose main repository is gone or damaged; restore it, or run \
                     `git worktree repair` there",
                )
            }
            FoundKind::Checkout => GitError::of(GitReason::BrokenRepository),
        }
    }
}

fn is_git_directory(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

/// Git's own rule: an empty value forgets the values before it, `*` trusts all, `…/*` trusts what lies below.
fn is_trusted(root: &Path, trusted: &[OsString]) -> bool {
    trusted.iter().fold(false, |so_far, value| match value.as_bytes() {
        b"" => false,
        b"*" => true,
        bytes => match bytes.strip_suffix(b"/*") {
            Some(parent) => so_far || root.starts_with(OsStr::from_bytes(parent)),
            None => so_far || root == Path::new(value),
        },
    })
}

/// Where a `.git` file points, read with a bound because it may be any file.
fn directory_of_gitfile(entry: &Path) -> Option<PathBuf> {
    if !fs::metadata(entry).ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    File::open(entry).ok()?.take(8 * 1024).read_to_end(&mut text).ok()?;
    let target = text.strip_prefix(b"gitdir: ")?.trim_ascii_end();
    Some(entry.parent()?.join(OsStr::from_bytes(target)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_follows_the_rule_of_git() {
        let root = Path::new("/srv/work");
        let trusts = |values: &[&str]| is_trusted(root, &values.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(trusts(&["*"]) && trusts(&["/srv/work"]) && trusts(&["/srv/*"]));
        assert!(!trusts(&[]) && !trusts(&["/srv"]) && !trusts(&["*", ""]) && !trusts(&["/sr/*"]));
    }

    #[test]
    fn what_belongs_to_somebody_else_is_a_strangers_until_it_is_trusted() {
        let folder = tempfile::tempdir().expect("a folder");
        // Nobody but the superuser can give a folder away, and to all others the superuser is a stranger.
        let root = if geteuid().is_root() { folder.path().to_owned() } else { PathBuf::from("/") };
        let found = |kind| Found { root: root.clone(), kind };
        if geteuid().is_root() {
            assert_eq!(found(FoundKind::Checkout).explain(&[]).reason, GitReason::BrokenRepository);
            std::os::unix::fs::chown(&root, Some(12_345), None).expect("given away");
        }
        assert_eq!(found(FoundKind::Checkout).explain(&[]).reason, GitReason::DubiousOwnership);
        assert_eq!(found(FoundKind::Bare).explain(&["/elsewhere".into()]).reason, GitReason::DubiousOwnership);
        assert_eq!(found(FoundKind::Bare).explain(&[root.clone().into()]).reason, GitReason::BareRepository);
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(look_around(folder.path()).map(|found| found.kind), None);
        fs::create_dir_all(folder.path().join("x/.git")).expect("a folder");
        let found = look_around(&folder.path().join("x")).expect("found");
        assert_eq!((found.root, found.kind), (folder.path().join("x"), FoundKind::Checkout));
    }
}
