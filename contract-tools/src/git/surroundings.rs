//! What the reader may know of the process it runs in, handed over by the caller so that tests need no environment.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The few facts about the process that reading a working tree depends on.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// `PATH`: where to look for `git`, and what git's own programs get as theirs.
    pub search_path: OsString,
    /// Where the user's and the machine's git configuration are: only for `safe.directory`, see [`CONFIGURATION`].
    pub configuration: Vec<(&'static str, OsString)>,
    /// `LOOPOVER_UPLOAD_SOURCE`: a truthy value is refused.
    pub upload_source: Option<OsString>,
}

/// The variables by which git finds the user's and the machine's configuration.
pub const CONFIGURATION: [&str; 5] =
    ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

impl Surroundings {
    /// Takes the facts out of an environment, usually `std::env::var_os`.
    pub fn from_environment(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        Self {
            search_path: lookup("PATH").unwrap_or_default(),
            configuration: CONFIGURATION.into_iter().filter_map(|name| Some((name, lookup(name)?))).collect(),
            upload_source: lookup("LOOPOVER_UPLOAD_SOURCE"),
        }
    }

    /// Whether the user asked for source upload.
    pub(super) fn wants_source_upload(&self) -> bool {
        let Some(value) = self.upload_source.as_deref().and_then(OsStr::to_str) else { return false };
        ["1", "true", "yes"].iter().any(|truthy| value.trim().eq_ignore_ascii_case(truthy))
    }

    /// The search path without its relative entries: those would be looked up in the inspected directory.
    pub(super) fn absolute_search_path(&self) -> OsString {
        join_paths(split_paths(&self.search_path).filter(|folder| folder.is_absolute())).unwrap_or_default()
    }

    /// The first executable `git` on the search path.
    pub(super) fn find_git(&self) -> Option<PathBuf> {
        split_paths(&self.search_path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join("git"))
            .find(|candidate| is_executable(candidate))
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_entries_of_the_search_path_are_dropped() {
        let surroundings = Surroundings { search_path: OsString::from(":.:bin:/a:/b"), ..Surroundings::default() };
        assert_eq!(surroundings.absolute_search_path(), OsString::from("/a:/b"));
    }

    #[test]
    fn only_truthy_values_ask_for_source_upload() {
        let asks = |value: &str| {
            Surroundings { upload_source: Some(OsString::from(value)), ..Surroundings::default() }.wants_source_upload()
        };
        assert!(asks("1") && asks("true") && asks("YES"));
        assert!(!asks("") && !asks("0") && !asks("no") && !asks("11"));
        assert!(!Surroundings::default().wants_source_upload());
    }
}
