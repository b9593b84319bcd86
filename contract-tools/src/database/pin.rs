//! Holds a database's file still while it is read.
//!
//! A reader of SQLite's holds a shared lock on the file. While one is held, nobody writes a rollback journal's store, and
//! nobody who leaves a write-ahead store takes its log away. A pin is that same lock, taken before anything is looked at, so
//! that what was found (a log or none, and of which kind the store is) is still so when the store is opened.
//!
//! It is a lock of one opening of the file. SQLite's own belong to the process, and the kernel drops all of those as soon as
//! any descriptor of the file is closed, as each reading beside this one does; a pin stays.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};

use super::place::{Place, Stamp};

/// How a store's writer journals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Journal {
    /// It writes into the file, and keeps what was there beside it.
    Rollback,
    /// It writes into a log beside the file.
    WriteAhead,
}

/// Why a file cannot be pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPin {
    /// Its writer holds it, or it is another file by now.
    Held,
    /// It may not be read.
    Unreadable,
}

/// Why a header tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoHeader {
    Unreadable,
    NotADatabase,
    /// The file has no bytes any more.
    Empty,
}

/// A file that is held still. Dropped, it is free again; what was opened meanwhile is closed first.
#[derive(Debug)]
pub(super) struct Pin {
    file: File,
    /// What the file was when it was pinned.
    pub(super) stamp: Stamp,
}

impl Pin {
    /// Pins the file at a place.
    pub(super) fn take(place: &Place) -> Result<Self, NoPin> {
        // Whatever came to stand here since it was looked at, opening it does not wait.
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let file = File::options()
            .read(true)
            .custom_flags(flags)
            .open(&place.path)
            .map_err(|error| if error.kind() == ErrorKind::NotFound { NoPin::Held } else { NoPin::Unreadable })?;
        if !lock::share(&file) {
            return Err(NoPin::Held);
        }
        let stamp = Stamp::of(&file.metadata().map_err(|_| NoPin::Unreadable)?);
        if stamp.file == place.stamp.file { Ok(Self { file, stamp }) } else { Err(NoPin::Held) }
    }

    /// What the file's first bytes say.
    pub(super) fn journal(&self) -> Result<Journal, NoHeader> {
        let mut bytes = [0; 20];
        match self.file.read_exact_at(&mut bytes, 0) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(if bytes == [0; 20] { NoHeader::Empty } else { NoHeader::NotADatabase });
            }
            Err(_) => return Err(NoHeader::Unreadable),
        }
        if !bytes.starts_with(b"SQLite format 3\0") {
            return Err(NoHeader::NotADatabase);
        }
        Ok(if bytes[19] == 2 { Journal::WriteAhead } else { Journal::Rollback })
    }
}

/// Whether a pin keeps others off, where the file system has locks.
pub(super) const IS_A_LOCK: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
mod lock {
    use std::fs::File;

    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;

    /// The bytes that stand for SQLite's locks: who waits for readers to leave holds the first, each reader the others.
    const PENDING: (i64, i64) = (0x4000_0000, 1);
    const SHARED: (i64, i64) = (0x4000_0002, 510);

    /// Takes a reader's lock as SQLite does; false when a writer has, or waits for, the file for itself.
    pub(super) fn share(file: &File) -> bool {
        let is_shared = set(file, libc::F_RDLCK, PENDING) && set(file, libc::F_RDLCK, SHARED);
        is_shared && set(file, libc::F_UNLCK, PENDING)
    }

    fn set(file: &File, kind: i32, (start, length): (i64, i64)) -> bool {
        let word = |word: i32| libc::c_short::try_from(word).unwrap_or_default();
        let wanted =
            libc::flock { l_type: word(kind), l_whence: word(libc::SEEK_SET), l_start: start, l_len: length, l_pid: 0 };
        // Where a file system has no locks nobody else has one either.
        !matches!(fcntl(file, FcntlArg::F_OFD_SETLK(&wanted)), Err(Errno::EAGAIN | Errno::EACCES))
    }
}

/// Without such locks what is read counts all the same only if the file is afterwards what it was.
#[cfg(not(target_os = "linux"))]
mod lock {
    pub(super) fn share(_file: &std::fs::File) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_outlives_what_its_process_closes_and_holds_off_who_wants_the_file_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
        let place = Place::look(&path).unwrap().unwrap();
        let pin = Pin::take(&place).unwrap();
        assert_eq!(pin.journal(), Ok(Journal::Rollback));
        let writer = rusqlite::Connection::open(&path).unwrap();
        writer.busy_timeout(std::time::Duration::ZERO).unwrap();
        let write = || writer.execute("INSERT INTO t VALUES (1)", []).map_err(|error| error.sqlite_error_code());
        drop(File::open(&path).unwrap());
        drop(Pin::take(&place).unwrap());
        assert_eq!(write(), Err(Some(rusqlite::ErrorCode::DatabaseBusy)));
        drop(pin);
        assert_eq!(write(), Ok(1));
        writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert_eq!(Pin::take(&place).unwrap_err(), NoPin::Held);
    }

    #[test]
    fn a_file_that_is_another_by_now_is_not_pinned() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other) = (directory.path().join("store"), directory.path().join("other"));
        std::fs::write(&path, "x").unwrap();
        std::fs::write(&other, "y").unwrap();
        let place = Place::look(&path).unwrap().unwrap();
        assert_eq!(Pin::take(&place).unwrap().journal(), Err(NoHeader::NotADatabase));
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(Pin::take(&place).unwrap_err(), NoPin::Held);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Pin::take(&place).unwrap_err(), NoPin::Held);
    }
}
