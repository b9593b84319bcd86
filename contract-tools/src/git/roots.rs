//! Chooses the directory to inspect, inside the folders that the client exposed if it exposed any.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::error::{GitError, GitReason};

/// The directory to inspect, with symbolic links resolved.
///
/// `roots` are the client's URIs; all but usable `file:` ones are left out. With no usable root, `requested` is
/// relative to `current`. With roots, it is relative to the first of them and must lie inside one. An empty request
/// is as good as none.
///
/// # Errors
/// `outside_roots` for a directory outside every root, whether or not it exists; `directory_not_found` for one that
/// would be allowed but is not there.
pub fn choose_directory(roots: &[String], requested: Option<&str>, current: &Path) -> Result<PathBuf, GitError> {
    let requested = requested.filter(|directory| !directory.is_empty()).unwrap_or(".");
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in roots.iter().filter_map(|uri| path_of(uri)).filter_map(|path| fs::canonicalize(path).ok()) {
        if folder.is_dir() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let wanted = folders.first().map_or(current, PathBuf::as_path).join(requested);
    let resolved = fs::canonicalize(&wanted).ok();
    // A path that is not there is judged by the part of it that is, so that the answer tells nothing about other folders.
    let judged = resolved.clone().or_else(|| existing_part(&wanted));
    let inside = judged.is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)));
    if !folders.is_empty() && !inside {
        return Err(GitError::of(GitReason::OutsideRoots));
    }
    resolved.filter(|path| path.is_dir()).ok_or_else(|| GitError::of(GitReason::DirectoryNotFound))
}

/// The deepest part of a path that exists, resolved; none if the rest climbs up, since nobody knows from where.
fn existing_part(path: &Path) -> Option<PathBuf> {
    let existing = path.ancestors().skip(1).find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
    let (ancestor, resolved) = existing?;
    let rest = path.strip_prefix(ancestor).ok()?;
    rest.components().all(|component| component != Component::ParentDir).then_some(resolved)
}

/// The path of a `file:` URI of this machine.
fn path_of(uri: &str) -> Option<PathBuf> {
    let scheme = uri.get(..5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = uri[5..].split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        Some(with_host) => {
            let (host, _) = with_host.split_once('/')?;
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return None;
            }
            &with_host[host.len()..]
        }
        None => rest,
    };
    let bytes = percent_decoded(path)?;
    (path.starts_with('/')).then(|| PathBuf::from(OsStr::from_bytes(&bytes)))
}

/// The bytes of a percent-encoded path; none if an escape is not two hex digits, or hides a slash or a NUL.
fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let value = u8::try_from(digit()? * 16 + digit()?).ok()?;
        if matches!(value, 0 | b'/') {
            return None;
        }
        decoded.push(value);
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Folders {
        _scratch: tempfile::TempDir,
        base: PathBuf,
    }

    /// `work/src`, `work/link` to `other`, `workshop`, `ünï a` and `other` beside one another.
    fn folders() -> Folders {
        let scratch = tempfile::tempdir().expect("a folder");
        let base = fs::canonicalize(scratch.path()).expect("a folder");
        for folder in ["work/src", "workshop", "ünï a", "other"] {
            fs::create_dir_all(base.join(folder)).expect("a folder");
        }
        symlink(base.join("other"), base.join("work/link")).expect("a link");
        Folders { _scratch: scratch, base }
    }

    impl Folders {
        fn uri(&self, name: &str) -> String {
            format!("file://{}/{name}", self.base.display())
        }

        #[track_caller]
        fn check(&self, roots: &[String], requested: Option<&str>, expected: Result<&str, GitReason>) {
            let chosen = choose_directory(roots, requested, &self.base.join("other")).map_err(|error| error.reason);
            assert_eq!(chosen, expected.map(|name| self.base.join(name)));
        }
    }

    #[test]
    fn without_roots_the_request_is_relative_to_the_process() {
        let folders = folders();
        folders.check(&[], None, Ok("other"));
        folders.check(&[], Some(""), Ok("other"));
        folders.check(&[], Some("../work"), Ok("work"));
        folders.check(&[], Some("nope"), Err(GitReason::DirectoryNotFound));
        folders.check(&[], Some("a\0b"), Err(GitReason::DirectoryNotFound));
    }

    #[test]
    fn unusable_roots_count_as_none() {
        let folders = folders();
        let roots = [
            "https://example.com/x",
            "file://elsewhere/etc",
            "file:///no/such/folder",
            "file:///%2",
            "file:///a%2Fb",
            "",
            "ünï:",
        ];
        folders.check(&roots.map(str::to_owned), None, Ok("other"));
    }

    #[test]
    fn with_roots_the_first_is_the_default_and_the_base() {
        let folders = folders();
        let roots = [folders.uri("work"), folders.uri("workshop"), folders.uri("work/../work")];
        folders.check(&roots, None, Ok("work"));
        folders.check(&roots, Some(""), Ok("work"));
        folders.check(&roots, Some("src"), Ok("work/src"));
        folders.check(&roots, Some("../workshop"), Ok("workshop"));
        folders.check(&roots, Some("src/nope"), Err(GitReason::DirectoryNotFound));
    }

    #[test]
    fn a_directory_outside_is_refused_whether_or_not_it_exists() {
        let folders = folders();
        let roots = [folders.uri("work")];
        let other = folders.base.join("other");
        for requested in
            ["../other", "../workshop", "..", "link", "link/nope", "nope/../../other", "/", "../nope", "/nope"]
        {
            folders.check(&roots, Some(requested), Err(GitReason::OutsideRoots));
        }
        folders.check(&roots, other.to_str(), Err(GitReason::OutsideRoots));
    }

    #[test]
    fn escapes_and_hosts_of_uris_are_understood() {
        let folders = folders();
        let base = folders.base.display().to_string();
        for uri in [
            folders.uri("%C3%BCn%C3%AF%20a"),
            folders.uri("ünï a"),
            format!("FILE://localhost{base}/%c3%bcn%c3%af%20a?x#y"),
            format!("file:{base}/ünï%20a"),
        ] {
            folders.check(&[uri], None, Ok("ünï a"));
        }
    }
}
