//! Reads the configuration file with bounds: a file that is large, no file, or no JSON is a fact and not a failure.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::Value;

use super::document::Document;

/// Larger files are not read.
pub const LARGEST_FILE: u64 = 1024 * 1024;

/// Why a configuration file counts as empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileProblem {
    /// It cannot be opened or read.
    Unreadable,
    /// It is a folder, a pipe, a device or a socket.
    NotAFile,
    /// It is larger than [`LARGEST_FILE`].
    TooLarge,
    /// It is not a JSON object.
    NotAnObject,
}

/// The document in the file; an absent file is the empty document.
///
/// # Errors
/// The file is there but cannot be used; the caller goes on with the empty document.
pub fn read_document(path: &Path) -> Result<Document, FileProblem> {
    let Some(bytes) = read_bytes(path)? else { return Ok(Document::default()) };
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(Document::from_json(&object)),
        Ok(_) | Err(_) => Err(FileProblem::NotAnObject),
    }
}

/// What is in the file, if there is one.
pub(super) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, FileProblem> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).map_err(|_| FileProblem::Unreadable)?;
    // Opening a pipe waits for its other end, unless it is told not to.
    let file = match OpenOptions::new().read(true).custom_flags(nonblocking).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(_) => return Err(FileProblem::Unreadable),
    };
    let metadata = file.metadata().map_err(|_| FileProblem::Unreadable)?;
    if !metadata.is_file() {
        return Err(FileProblem::NotAFile);
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|_| FileProblem::Unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(FileProblem::TooLarge);
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn problem(text: &[u8]) -> Option<FileProblem> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.json");
        fs::write(&path, text).expect("written");
        read_document(&path).err()
    }

    #[test]
    fn what_is_no_json_object_is_a_problem() {
        for text in [b"{bad".as_slice(), b"[]", b"", b"null", b"\xff", &[b'['; 10_000]] {
            assert_eq!(problem(text), Some(FileProblem::NotAnObject));
        }
        assert_eq!(problem(b"{}"), None);
    }

    #[test]
    fn a_large_file_is_not_read() {
        let text = format!("{{\"a\":\"{}\"}}", "x".repeat(1024 * 1024));
        assert_eq!(problem(text.as_bytes()), Some(FileProblem::TooLarge));
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read_document(folder.path()), Err(FileProblem::NotAFile));
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        assert_eq!(read_document(&pipe), Err(FileProblem::NotAFile));
        assert_eq!(read_document(&pipe.join("below")), Err(FileProblem::Unreadable));
        assert_eq!(read_document(Path::new("/dev/zero")), Err(FileProblem::NotAFile));
    }

    #[test]
    fn an_absent_file_is_the_empty_document() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read_document(&folder.path().join("none")), Ok(Document::default()));
    }
}
