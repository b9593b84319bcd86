//! Everything that can be seen of a directory, for tests that let nothing there be touched.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Its entries, and of each the kind, the permissions, the times of change and the bytes.
pub fn seen(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut seen = BTreeMap::new();
    see(directory, &mut seen);
    seen
}

fn see(path: &Path, seen: &mut BTreeMap<PathBuf, String>) {
    let Ok(metadata) = path.symlink_metadata() else { return };
    let mut bytes = DefaultHasher::new();
    if metadata.is_file() {
        fs::read(path).unwrap_or_default().hash(&mut bytes);
    }
    // Run by root, SQLite gives what stands beside a store the store's owner, who owns it already: that is no change but for
    // the time at which it was made.
    let stands_beside =
        ["-wal", "-shm", "-journal"].iter().any(|ending| path.as_os_str().as_bytes().ends_with(ending.as_bytes()));
    let changed = if stands_beside { (0, 0) } else { (metadata.ctime(), metadata.ctime_nsec()) };
    let line = format!(
        "{:o} {}:{} {} {}.{:09} {changed:?} {:x}",
        metadata.mode(),
        metadata.uid(),
        metadata.gid(),
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        bytes.finish()
    );
    seen.insert(path.to_owned(), line);
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        see(&entry.path(), seen);
    }
}
