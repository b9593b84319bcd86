//! Directories that are needed for as long as a process lives: sessions of a chat, the store of a demonstration. Each is locked
//! for that long, so what a killed process left can be told from what is in use, and the next one clears it.
//!
//! The lock is on the directory itself and the system's own: it lets go when a process ends, however it ends, and no number of
//! a process is asked whom it names now. What is cleared is ours beyond doubt: a directory, not a link to one, with the name,
//! the owner and the rights that one of its kind has, in which nothing else stands, and that nobody holds.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::{fs, io};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, open, stat};
use rustix::io::Errno;
use tempfile::TempDir;

/// How many letters the name has behind its prefix.
const RANDOM: usize = 6;
const RIGHTS: u32 = 0o700;
/// How often one is made until it can be held.
const ATTEMPTS: u32 = 16;

/// What a directory is for.
pub(crate) struct Kind {
    /// How its name begins.
    pub(crate) prefix: &'static str,
    /// All that may stand in it.
    pub(crate) holds: &'static [&'static str],
}

/// One that is held; gone when dropped, and its lock after it.
pub(crate) struct Scratch {
    directory: TempDir,
    _lock: OwnedFd,
}

impl Scratch {
    fn hold(directory: TempDir) -> io::Result<Option<Self>> {
        let lock = match opened(directory.path()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened?,
        };
        // Where nothing can be locked, nothing is cleared either.
        let is_taken = flock(&lock, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK);
        let is_held = !is_taken && is_at(&lock, directory.path());
        Ok(is_held.then_some(Self { directory, _lock: lock }))
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

impl Kind {
    /// Makes one that is empty.
    pub(crate) fn make(&self) -> io::Result<Scratch> {
        let rights: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(RIGHTS);
        let mut builder = tempfile::Builder::new();
        builder.prefix(self.prefix).rand_bytes(RANDOM).permissions(rights);
        // Another process that starts may find one before it is locked, and take it for left over.
        let mut attempts = (0..ATTEMPTS).map(|_| Scratch::hold(builder.tempdir()?));
        attempts.find_map(Result::transpose).unwrap_or(Err(io::ErrorKind::NotFound.into()))
    }

    /// Clears what killed processes of this user left in `parent`; returns how much that was. What cannot be cleared stays.
    pub(crate) fn sweep(&self, parent: &Path) -> usize {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        let left = entries.filter(|entry| self.is_name(&entry.file_name())).filter(|entry| {
            let path = entry.path();
            let lock = self.left_over(&path);
            lock.is_some_and(|_lock| fs::remove_dir_all(&path).is_ok())
        });
        left.count()
    }

    /// The lock of a directory that is ours and nobody's any more.
    fn left_over(&self, path: &Path) -> Option<OwnedFd> {
        let lock = opened(path).ok()?;
        let found = fstat(&lock).ok()?;
        let is_ours = found.st_uid == rustix::process::geteuid().as_raw() && found.st_mode & 0o7777 == RIGHTS;
        let is_free = is_ours && flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
        (is_free && is_at(&lock, path) && self.holds_nothing_else(path)).then_some(lock)
    }

    fn is_name(&self, name: &OsStr) -> bool {
        let random = name.to_str().and_then(|name| name.strip_prefix(self.prefix));
        random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    }

    fn holds_nothing_else(&self, path: &Path) -> bool {
        let is_known = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| self.holds.iter().any(|known| *known == entry.file_name()))
        };
        fs::read_dir(path).is_ok_and(|mut entries| entries.all(is_known))
    }
}

fn opened(path: &Path) -> Result<OwnedFd, Errno> {
    open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Whether what was opened still is where it was.
fn is_at(opened: &OwnedFd, path: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fstat(opened), stat(path)) else { return false };
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const WORK: &str = "work";
    const SERVERS: &str = "servers.json";
    const SESSIONS: Kind = Kind { prefix: "loopover-chat-", holds: &[WORK, SERVERS] };

    /// A directory as a killed process leaves it.
    fn left_in(parent: &Path, name: &str) -> std::path::PathBuf {
        let path = parent.join(name);
        fs::create_dir_all(path.join(WORK)).unwrap();
        fs::write(path.join(SERVERS), "{}").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(RIGHTS)).unwrap();
        path
    }

    #[test]
    fn what_is_left_is_cleared_and_what_is_held_is_not() {
        let parent = tempfile::tempdir().unwrap();
        let held = left_in(parent.path(), "loopover-chat-held00");
        let lock = opened(&held).unwrap();
        flock(&lock, FlockOperation::LockShared).unwrap();
        let left = left_in(parent.path(), "loopover-chat-left00");
        let outside = parent.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "").unwrap();
        std::os::unix::fs::symlink(&outside, left.join(WORK).join("link")).unwrap();
        assert_eq!(SESSIONS.sweep(parent.path()), 1);
        assert!(held.join(SERVERS).exists() && !left.exists() && outside.join("kept").exists());
        drop(lock);
        assert_eq!(SESSIONS.sweep(parent.path()), 1);
        assert!(!held.exists());
        assert_eq!(SESSIONS.sweep(&parent.path().join("nowhere")), 0);
    }

    #[test]
    fn what_is_not_ours_beyond_doubt_stays() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        for name in [
            "loopover-chat-",
            "loopover-chat-abcde",
            "loopover-chat-abcdefg",
            "loopover-chat-abc_ef",
            "other-chat-abcdef",
        ] {
            left_in(parent.path(), name);
        }
        fs::write(left_in(parent.path(), "loopover-chat-notes1").join("notes"), "").unwrap();
        let open_to_all = left_in(parent.path(), "loopover-chat-open11");
        fs::set_permissions(&open_to_all, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(at("loopover-chat-file11"), "").unwrap();
        std::os::unix::fs::symlink(left_in(parent.path(), "elsewhere"), at("loopover-chat-link11")).unwrap();
        let before = fs::read_dir(parent.path()).unwrap().count();
        assert_eq!(SESSIONS.sweep(parent.path()), 0);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), before);
        assert!(at("elsewhere").join(SERVERS).exists());
    }

    #[test]
    fn a_directory_that_was_taken_for_left_over_is_not_used() {
        let gone = tempfile::tempdir().unwrap();
        fs::remove_dir(gone.path()).unwrap();
        assert!(Scratch::hold(gone).unwrap().is_none());
        let taken = tempfile::tempdir().unwrap();
        let lock = opened(taken.path()).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        assert!(Scratch::hold(taken).unwrap().is_none());
        let moved = tempfile::tempdir().unwrap();
        let opened = opened(moved.path()).unwrap();
        fs::remove_dir(moved.path()).unwrap();
        assert!(!is_at(&opened, moved.path()));
    }
}
