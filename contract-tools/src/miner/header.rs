//! The first bytes of a store's file: whether it is a database, and how its writer journals.
//!
//! SQLite keeps its locks in the kernel, which drops all locks of a process on a file as soon as that process closes any
//! descriptor of it. A header may therefore be read only while this process has no connection to the same file: [`Gate`]
//! sees to it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::place::{Place, Stamp};

/// How a store's writer journals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Journal {
    /// It writes into the file, and keeps what was there beside it.
    Rollback,
    /// It writes into a log beside the file.
    WriteAhead,
}

/// Why a header tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoHeader {
    /// The file may not be read.
    Unreadable,
    /// It is not a database.
    NotADatabase,
    /// It has no bytes any more.
    Empty,
}

/// Connections to one file may be open at once; its header is read between them.
#[derive(Debug, Default)]
pub(super) struct Gate {
    connections: RwLock<()>,
    /// What the header said when the file was last as it is now: who waits for a busy store holds nobody else up.
    known: Mutex<Option<(Stamp, Journal)>>,
}

type Gates = Mutex<HashMap<(u64, u64), Arc<Gate>>>;

/// One gate per file; those that nobody holds go when another is asked for.
static GATES: LazyLock<Gates> = LazyLock::new(Gates::default);

impl Gate {
    /// The gate of the file with this device and inode number.
    pub(super) fn of(file: (u64, u64)) -> Arc<Self> {
        let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| Arc::strong_count(gate) > 1);
        Arc::clone(gates.entry(file).or_default())
    }

    /// Held while a connection is open.
    pub(super) fn connected(&self) -> RwLockReadGuard<'_, ()> {
        self.connections.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the header of a file says.
    pub(super) fn header(&self, place: &Place) -> Result<Journal, NoHeader> {
        let known = *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stamp, journal)) = known
            && stamp == place.stamp
        {
            return Ok(journal);
        }
        let journal = self.read(&place.path)?;
        // A file that was written just now may be written again without its stamp telling.
        if place.stamp.is_settled() {
            *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((place.stamp, journal));
        }
        Ok(journal)
    }

    fn read(&self, path: &Path) -> Result<Journal, NoHeader> {
        let _alone = self.connections.write().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = [0; 20];
        // Whatever came to stand here since it was looked at, opening it does not wait.
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let opened = File::options().read(true).custom_flags(flags).open(path);
        match opened.and_then(|mut file| file.read_exact(&mut bytes)) {
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
