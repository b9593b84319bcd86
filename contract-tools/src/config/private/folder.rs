//! Opens files of one folder and of nowhere else, with a bound on what is read.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::engine::config_layers::{LARGEST_LAYER, NoText};

/// What there is to a candidate.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No such file.
    Absent,
    /// A file, and its text if that can be used.
    File(Result<String, NoText>),
    /// A link to somewhere outside of the folder: it is not followed.
    LeadsOut,
    /// A file that may not be read.
    Denied,
    /// It cannot be opened for another reason, or is no file.
    Unreadable,
}

/// The folder of the configuration.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Reads the file at a path relative to the folder.
    pub(super) fn read(&self, relative: &str) -> Found {
        // Opening a pipe waits for its other end, unless it is told not to.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = rustix::fs::open(&self.path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
            .and_then(|folder| open_beneath(&folder, &self.path, relative, flags));
        match opened {
            Ok(file) => read(File::from(file)),
            Err(Errno::NOENT | Errno::NOTDIR) => Found::Absent,
            Err(Errno::XDEV) => Found::LeadsOut,
            Err(Errno::ACCESS | Errno::PERM) => Found::Denied,
            Err(_) => Found::Unreadable,
        }
    }
}

fn read(file: File) -> Found {
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) | Err(_) => return Found::Unreadable,
    }
    let mut bytes = Vec::new();
    if file.take(LARGEST_LAYER as u64 + 1).read_to_end(&mut bytes).is_err() {
        return Found::Unreadable;
    }
    if bytes.len() > LARGEST_LAYER {
        return Found::File(Err(NoText::TooLarge));
    }
    Found::File(String::from_utf8(bytes).map_err(|_| NoText::NotUtf8))
}

/// Opens a file below the folder. Links are followed as long as they stay inside; the kernel sees to that, so nobody can
/// put a link in place between a look and the opening.
#[cfg(target_os = "linux")]
fn open_beneath(folder: &OwnedFd, path: &Path, relative: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};

    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..4 {
        match openat2(folder, relative, flags, Mode::empty(), resolve) {
            // Something was renamed meanwhile, so that the kernel could not be sure.
            Err(Errno::AGAIN) => {}
            // An old kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS) => return open_resolved(path, relative, flags),
            outcome => return outcome,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(_: &OwnedFd, path: &Path, relative: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    open_resolved(path, relative, flags)
}

/// The same where the kernel does not help: every link is resolved, and the outcome has to lie in the folder.
fn open_resolved(path: &Path, relative: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let errno = |error: std::io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
    let folder = path.canonicalize().map_err(errno)?;
    let resolved = folder.join(relative).canonicalize().map_err(errno)?;
    if !resolved.starts_with(&folder) {
        return Err(Errno::XDEV);
    }
    rustix::fs::open(&resolved, flags | OFlags::NOFOLLOW, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn both_ways_to_open_agree_on_what_lies_inside() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("inner")).expect("folders");
        fs::write(outer.path().join("outside"), "x").expect("a file");
        fs::write(root.join("inner/file"), "x").expect("a file");
        symlink("inner", root.join("good")).expect("a link");
        symlink("../outside", root.join("bad")).expect("a link");
        symlink("..", root.join("out")).expect("a link");
        symlink("loop", root.join("loop")).expect("a link");
        let folder = rustix::fs::open(&root, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).expect("opened");
        for (relative, expected) in [
            ("inner/file", None),
            ("good/file", None),
            ("bad", Some(Errno::XDEV)),
            ("out/outside", Some(Errno::XDEV)),
            ("none", Some(Errno::NOENT)),
            ("inner/file/below", Some(Errno::NOTDIR)),
            ("loop", Some(Errno::LOOP)),
        ] {
            let beneath = open_beneath(&folder, &root, relative, OFlags::RDONLY).err();
            let resolved = open_resolved(&root, relative, OFlags::RDONLY).err();
            assert_eq!((beneath, resolved), (expected, expected), "{relative}");
        }
    }
}
