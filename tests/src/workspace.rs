//! Where things are in the source tree, for tests that read it.

use std::path::{Path, PathBuf};

/// The workspace's root.
///
/// # Panics
/// Never: this crate lies one level below it.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests crate is inside the workspace").to_owned()
}

/// Every file below `directory` whose name ends in `suffix`, sorted.
///
/// # Panics
/// When a directory cannot be read.
pub fn files(directory: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display())) {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
