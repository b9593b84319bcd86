//! Takes files that are too large to read out of the comparison, so that one of them does not use up all the time.
//!
//! To count lines git first hashes every file whose time stamp is stale, a gigabyte as willingly as a kilobyte. So a
//! first pass, which reads no contents, finds the large ones; the second leaves them out, and they are judged by size.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;

use super::command::{LARGEST_COUNTED_FILE, os_string};
use super::diff_output::{Difference, Lines, Mode};
use super::error::GitError;
use super::repository::Repository;

/// More than this many are left to git.
const MOST_LEFT_OUT: usize = 200;
/// Files of the same size as before are hashed up to this size, and beyond it taken to have changed.
const LARGEST_HASHED_FILE: u64 = 256 * 1024 * 1024;

/// The large files among differences that were found without reading contents.
pub(super) fn among(repository: &Repository, differences: Vec<Difference>) -> Vec<Difference> {
    let is_large = |difference: &Difference| {
        difference.unhashed
            && matches!(difference.new_mode, Mode::File | Mode::Executable)
            && size(repository, &difference.path) > LARGEST_COUNTED_FILE
    };
    differences.into_iter().filter(is_large).take(MOST_LEFT_OUT).collect()
}

/// A path pattern that leaves one file out.
pub(super) fn left_out(difference: &Difference) -> OsString {
    os_string(&[b":(top,literal,exclude)".as_slice(), &difference.path].concat())
}

/// Drops those that are the same after all, and marks the others as not counted.
pub(super) fn settled(repository: &Repository, large: Vec<Difference>) -> Result<Vec<Difference>, GitError> {
    let mut changed = Vec::new();
    for mut difference in large {
        if !(difference.unverified && is_same(repository, &difference)?) {
            // What could be found out has been, so nobody hashes it again.
            difference.unverified = false;
            difference.lines = Lines::Uncounted;
            changed.push(difference);
        }
    }
    Ok(changed)
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
    let path = repository.root.join(OsStr::from_bytes(path));
    fs::symlink_metadata(path).map_or(0, |metadata| metadata.len())
}
