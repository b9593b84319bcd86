//! Takes files that git should not or cannot read out of the comparison, so that one of them does not cost the answer.
//!
//! To count lines git first hashes every file whose time stamp is stale: a gigabyte as willingly as a kilobyte, and it
//! gives up altogether at one that it may not open or that is a pipe or a socket. So a first pass, which reads no
//! contents, finds these; the second leaves them out, and they are judged by what the file system says of them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;

use super::command::{LARGEST_COUNTED_FILE, os_string};
use super::diff_output::{Difference, Lines, Mode};
use super::error::GitError;
use super::repository::Repository;

/// More large files than this are left to git.
const MOST_LEFT_OUT: usize = 200;
/// Files of the same size as before are hashed up to this size, and beyond it taken to have changed.
const LARGEST_HASHED_FILE: u64 = 256 * 1024 * 1024;

/// Files to leave out of the comparison.
#[derive(Default)]
pub(super) struct UnreadFiles {
    large: Vec<Difference>,
    unreadable: Vec<Difference>,
}

impl UnreadFiles {
    /// Looks at a difference that was found without reading contents, and keeps it if it is one of them.
    pub(super) fn look_at(&mut self, repository: &Repository, mut difference: Difference) {
        if !difference.unhashed || !matches!(difference.new_mode, Mode::File | Mode::Executable) {
            return;
        }
        let path = path_of(repository, &difference.path);
        let Ok(metadata) = fs::symlink_metadata(&path) else { return };
        if !metadata.is_file() || may_not_read(&path) {
            difference.unverified = false;
            difference.lines = Lines::Unreadable;
            // One more than can be left out says that there are too many; how many more, nobody asks.
            if self.unreadable.len() <= MOST_LEFT_OUT {
                self.unreadable.push(difference);
            }
        } else if metadata.len() > LARGEST_COUNTED_FILE && self.large.len() < MOST_LEFT_OUT {
            self.large.push(difference);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.large.is_empty() && self.unreadable.is_empty()
    }

    /// Whether there are more that git would give up at than can be named on a command line.
    pub(super) fn are_too_many(&self) -> bool {
        self.unreadable.len() > MOST_LEFT_OUT
    }

    /// A path pattern for each that leaves it out.
    pub(super) fn left_out(&self) -> Vec<OsString> {
        let pattern =
            |difference: &Difference| os_string(&[b":(top,literal,exclude)".as_slice(), &difference.path].concat());
        self.unreadable.iter().chain(&self.large).map(pattern).collect()
    }

    /// Drops the large ones that are the same after all, and marks all others as not counted.
    pub(super) fn settled(self, repository: &Repository) -> Result<Vec<Difference>, GitError> {
        let mut changed = self.unreadable;
        for mut difference in self.large {
            if !(difference.unverified && is_same(repository, &difference)?) {
                // What could be found out has been, so nobody hashes it again.
                difference.unverified = false;
                difference.lines = Lines::Uncounted;
                changed.push(difference);
            }
        }
        Ok(changed)
    }
}

fn is_same(repository: &Repository, difference: &Difference) -> Result<bool, GitError> {
    let old_id = String::from_utf8_lossy(&difference.old_id).into_owned();
    let old_size = repository.ask(&["cat-file", "-s", &old_id])?.line().and_then(|line| line.parse::<u64>().ok());
    let size = size(repository, &difference.path);
    if old_size != Some(size) || size > LARGEST_HASHED_FILE {
        return Ok(false);
    }
    let arguments = [OsString::from("hash-object"), OsString::from("--"), os_string(&difference.path)];
    Ok(repository.git.ask_patiently(&repository.root, &arguments)?.object_id() == Some(old_id))
}

/// The size of a file of the working tree; 0 if it is gone.
pub(super) fn size(repository: &Repository, path: &[u8]) -> u64 {
    fs::symlink_metadata(path_of(repository, path)).map_or(0, |metadata| metadata.len())
}

fn path_of(repository: &Repository, path: &[u8]) -> PathBuf {
    repository.root.join(OsStr::from_bytes(path))
}

/// Whether permission is denied; where that cannot be asked, git finds out.
fn may_not_read(path: &Path) -> bool {
    accessat(CWD, path, Access::READ_OK, AtFlags::EACCESS) == Err(Errno::ACCESS)
}
