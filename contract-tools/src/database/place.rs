//! What stands at the place of a database, found out before anything is opened: a pipe would be waited for without an end.

use std::ffi::OsString;
use std::fs::{self, Metadata, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;

use super::fault::Fault;

/// How far the time stamp of a write may be from the clock that is asked here.
pub(super) const CLOCK_GRAIN: Duration = Duration::from_millis(20);

/// How far it may be where the file system keeps whole seconds only, as some keep every second one.
const COARSE_GRAIN: Duration = Duration::from_secs(2);

/// What SQLite's own files beside a database are called.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// What stands beside a database under its name and this suffix; a link is looked at, not followed.
fn beside(path: &Path, suffix: &str) -> Option<Metadata> {
    fs::symlink_metadata(name_beside(path, suffix)).ok()
}

fn name_beside(path: &Path, suffix: &str) -> OsString {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name
}

/// A file that may be a database.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Where it is, without links.
    pub(super) path: PathBuf,
    /// What it was when it was looked at.
    pub(super) stamp: Stamp,
}

/// A file by its device and its number there: another file that takes its name is another file.
pub(crate) type FileId = (u64, u64);

/// What changes when a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) file: FileId,
    length: u64,
    modified: (i64, i64),
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }

    /// Whether a further write would be seen in the file's time: the clock that stamps files has gone on since the last one.
    pub(super) fn is_settled(&self) -> bool {
        let (seconds, nanoseconds) = self.modified;
        let part = |number: i64| u64::try_from(number).unwrap_or(0);
        let modified = Duration::from_secs(part(seconds)) + Duration::from_nanos(part(nanoseconds));
        let now = stamping_clock();
        match now.checked_sub(modified) {
            Some(age) if nanoseconds == 0 => age > COARSE_GRAIN,
            Some(age) => age > Duration::ZERO,
            // A time to come is no age, and settled all the same: no clock of ours will write it. A little ahead is only a
            // clock that is finer than this one.
            None => modified > now + CLOCK_GRAIN,
        }
    }
}

/// The time, since 1970, that the kernel would stamp a file with now, or one a little before.
#[cfg(target_os = "linux")]
fn stamping_clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    Duration::from_secs(part(now.tv_sec)) + Duration::from_nanos(part(now.tv_nsec))
}

#[cfg(not(target_os = "linux"))]
fn stamping_clock() -> Duration {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(CLOCK_GRAIN)
}

impl Place {
    /// Looks at a path; nothing when there is nothing, or a file without a byte that nobody has begun to fill.
    pub(crate) fn look(path: &Path) -> Result<Option<Self>, Fault> {
        match fs::symlink_metadata(path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(_) => return Err(Fault::Unreadable),
        }
        let path = fs::canonicalize(path).map_err(|error| {
            // A link to nothing, or to itself.
            let leads_nowhere =
                error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
            if leads_nowhere { Fault::NotAFile } else { Fault::Unreadable }
        })?;
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(_) => return Err(Fault::Unreadable),
        };
        if !metadata.is_file() {
            return Err(Fault::NotAFile);
        }
        let place = Self { path, stamp: Stamp::of(&metadata) };
        // SQLite opens what is called as its own files are, and would wait for whoever writes into a pipe.
        if !BESIDE.iter().all(|suffix| beside(&place.path, suffix).is_none_or(|found| found.is_file())) {
            return Err(Fault::NotAFile);
        }
        Ok((metadata.len() > 0 || place.has_log()).then_some(place))
    }

    /// Whether a log with something in it stands beside the file: then its writer is there, or was interrupted.
    pub(super) fn has_log(&self) -> bool {
        beside(&self.path, "-wal").is_some_and(|metadata| metadata.len() > 0)
    }

    /// Whether something stands beside the file under its name and this suffix.
    pub(super) fn has(&self, suffix: &str) -> bool {
        beside(&self.path, suffix).is_some()
    }

    /// Gives what stands beside the database the database's mode, which may have changed since that was made: who may read the
    /// one may read the others. SQLite does so only for what it makes itself. What is somebody else's stays as it is.
    pub(crate) fn align_modes(&self) {
        let Ok(mode) = fs::metadata(&self.path).map(|metadata| metadata.mode() & 0o777) else { return };
        for suffix in BESIDE {
            if beside(&self.path, suffix).is_some_and(|found| found.is_file() && found.mode() & 0o777 != mode) {
                // Whoever may not change it is not its owner, and no worse off than before.
                let _ = fs::set_permissions(name_beside(&self.path, suffix), Permissions::from_mode(mode));
            }
        }
    }

    /// Whether the file of this stamp stands here, whatever was written since.
    pub(super) fn is_file(&self, stamp: Stamp) -> bool {
        fs::metadata(&self.path).is_ok_and(|metadata| Stamp::of(&metadata).file == stamp.file)
    }

    /// Whether the file is still what this stamp says. A log that came meanwhile is no matter: it holds what was committed
    /// after this moment.
    pub(super) fn is_still(&self, stamp: Stamp) -> bool {
        fs::metadata(&self.path).is_ok_and(|metadata| Stamp::of(&metadata) == stamp)
    }
}
