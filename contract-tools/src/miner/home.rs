//! Where a miner keeps things: its environment, its home, and the paths that follow from them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

use super::stores::Store;

/// The part of a process that the miner's tools read from; handed in, so that tests and servers decide what it is.
#[derive(Clone, Default)]
pub struct MinerHome {
    /// The environment; values may be any bytes.
    pub environment: BTreeMap<OsString, OsString>,
    /// The person's home directory.
    pub home: Option<PathBuf>,
    /// The directory that relative paths start from.
    pub current: Option<PathBuf>,
}

impl fmt::Debug for MinerHome {
    /// Names the directories alone: variables hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinerHome").field("home", &self.home).field("current", &self.current).finish_non_exhaustive()
    }
}

/// Secrets that are too large to be any.
const LARGEST_SECRET: u64 = 1 << 20;

/// Whose variables these are: ours, and others with a word for a secret in them. A machine's environment is full of
/// `SSL_CERT_FILE` and the like, which are no secrets and whose files need not be there.
const OUR_PREFIXES: [&str; 2] = ["LOOPOVER_", "MINER_"];
const SECRET_WORDS: [&str; 6] = ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL", "DSN"];

fn names_a_secret(plain: &OsStr) -> bool {
    let name = plain.to_string_lossy().to_uppercase();
    OUR_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || SECRET_WORDS.iter().any(|word| name.contains(word))
}

impl MinerHome {
    /// That of this process.
    pub fn of_process() -> Self {
        let environment: BTreeMap<_, _> = std::env::vars_os().collect();
        let home = environment.get(OsStr::new("HOME")).filter(|home| !home.is_empty()).map(PathBuf::from);
        Self { environment, home, current: std::env::current_dir().ok() }
    }

    /// Puts the contents of the files that `NAME_FILE` variables name into `NAME`, where that is empty.
    ///
    /// # Errors
    /// A file that cannot be read, told by its variable and path and never by what is in it.
    pub fn resolve_secret_files(&mut self) -> Result<(), String> {
        let mut resolved = Vec::new();
        for (name, path) in &self.environment {
            let Some(plain) = name.as_bytes().strip_suffix(b"_FILE").filter(|plain| !plain.is_empty()) else {
                continue;
            };
            let plain = OsStr::from_bytes(plain);
            let is_set = self.environment.get(plain).is_some_and(|value| !value.is_empty());
            if is_set || path.is_empty() || !names_a_secret(plain) {
                continue;
            }
            let contents = read_secret(Path::new(path)).map_err(|()| {
                format!("{} names a file that cannot be read: {}", name.display(), Path::new(path).display())
            })?;
            resolved.push((plain.to_owned(), contents));
        }
        self.environment.extend(resolved);
        Ok(())
    }

    /// A variable's value without white space around it, if there is anything left of it.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let value = trimmed(self.environment.get(OsStr::new(name))?.as_bytes());
        (!value.is_empty()).then(|| OsString::from_vec(value.to_vec()))
    }

    /// A variable's value as text, if it is set to something.
    pub fn text(&self, name: &str) -> Option<String> {
        self.variable(name)?.into_string().ok()
    }

    /// The directory of the miner's state, as its users write it.
    pub fn state_directory(&self) -> PathBuf {
        if let Some(directory) = self.variable("LOOPOVER_MINER_CONFIG_DIR") {
            return directory.into();
        }
        let configuration = self
            .variable("XDG_CONFIG_HOME")
            .map_or_else(|| joined(self.home.as_deref().unwrap_or(Path::new("")), ".config"), PathBuf::from);
        joined(&configuration, "loopover-miner")
    }

    /// The path of a store, as its users write it.
    pub fn store_path(&self, store: Store) -> PathBuf {
        match self.variable(store.variable()) {
            Some(path) => path.into(),
            None => joined(&self.state_directory(), store.file()),
        }
    }

    /// A path, starting from this process's directory when it is relative.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.current.as_deref().map_or_else(|| path.to_owned(), |current| current.join(path))
    }
}

fn read_secret(path: &Path) -> Result<OsString, ()> {
    // A pipe would be waited for without an end.
    if !fs::metadata(path).map_err(drop)?.is_file() {
        return Err(());
    }
    let mut contents = Vec::new();
    fs::File::open(path).map_err(drop)?.take(LARGEST_SECRET + 1).read_to_end(&mut contents).map_err(drop)?;
    if contents.len() as u64 > LARGEST_SECRET {
        return Err(());
    }
    Ok(OsString::from_vec(trimmed(&contents).to_vec()))
}

/// Without white space at both ends; bytes that are no text are kept as they are.
fn trimmed(value: &[u8]) -> &[u8] {
    match std::str::from_utf8(value) {
        Ok(text) => text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').as_bytes(),
        Err(_) => value.trim_ascii(),
    }
}

/// Joins and takes out `.`, `..` and doubled slashes, without looking at the file system.
fn joined(directory: &Path, file: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in directory.join(file).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match path.components().next_back() {
                Some(Component::Normal(_)) => drop(path.pop()),
                Some(Component::RootDir) => {}
                _ => path.push(".."),
            },
            other => path.push(other),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(variables: &[(&str, &str)]) -> MinerHome {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        MinerHome { environment, home: Some("/h".into()), current: Some("/w".into()) }
    }

    #[test]
    fn only_joins_normalise() {
        let home =
            home(&[("LOOPOVER_MINER_CONFIG_DIR", "/cfg/../other//x/"), ("LOOPOVER_MINER_RUN_STATE_DB", " r/../s ")]);
        assert_eq!(home.state_directory(), Path::new("/cfg/../other//x/"));
        assert_eq!(home.store_path(Store::EventLedger), Path::new("/other/x/event-ledger.sqlite3"));
        assert_eq!(home.store_path(Store::RunState), Path::new("r/../s"));
        assert_eq!(home.absolute(Path::new("r/s")), Path::new("/w/r/s"));
    }

    #[test]
    fn a_secret_comes_from_its_file_unless_it_is_set() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("secret");
        fs::write(&file, "  hidden\n").unwrap();
        let file = file.to_str().unwrap();
        let mut home = home(&[
            ("A_TOKEN_FILE", file),
            ("B_SECRET_FILE", file),
            ("B_SECRET", "own"),
            ("C_KEY_FILE", ""),
            ("COMPOSE_FILE", "/no"),
            ("SSL_CERT_FILE", "/no"),
        ]);
        home.resolve_secret_files().unwrap();
        let texts = ["A_TOKEN", "B_SECRET", "C_KEY", "SSL_CERT"].map(|name| home.text(name));
        assert_eq!(texts.each_ref().map(Option::as_deref), [Some("hidden"), Some("own"), None, None]);
        home.environment.insert("LOOPOVER_D_FILE".into(), "/no/such".into());
        let error = home.resolve_secret_files().unwrap_err();
        assert!(
            error.contains("LOOPOVER_D_FILE") && error.contains("/no/such") && !error.contains("hidden"),
            "{error}"
        );
        assert!(!format!("{home:?}").contains("hidden"));
    }
}
