//! What the command line's configuration is resolved from: the part of the process that a server hands to its tools.

use std::path::{Path, PathBuf};

use super::file::read_bytes;
use super::resolve::TOKEN_VARIABLES;
use super::{Environment, set};

/// The environment, the home directory and the profile that a process was started with.
#[derive(Clone, Default)]
pub struct CliEnvironment {
    /// Every variable whose value is UTF-8.
    pub environment: Environment,
    /// The person's home directory.
    pub home: Option<PathBuf>,
}

/// The secrets that may stand in files: a client's tokens, which are a server's too, and those that only a server has.
const SECRETS: [&str; 5] =
    [TOKEN_VARIABLES[0], TOKEN_VARIABLES[1], TOKEN_VARIABLES[2], "LOOPOVER_MCP_ADMIN_TOKEN", "INTERNAL_JOB_TOKEN"];

impl CliEnvironment {
    /// That of this process.
    pub fn of_process() -> Self {
        let utf8 = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self {
            environment: std::env::vars_os().filter_map(utf8).collect(),
            home: std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from),
        }
    }

    /// That of this process, with the tokens in place whose files `NAME_FILE` variables name.
    ///
    /// # Errors
    /// A file that cannot be read, told by its variable and path and never by what is in it.
    pub fn with_secret_files() -> Result<Self, String> {
        let mut this = Self::of_process();
        this.resolve_secret_files()?;
        Ok(this)
    }

    fn resolve_secret_files(&mut self) -> Result<(), String> {
        for name in SECRETS {
            let variable = format!("{name}_FILE");
            let Some(path) = set(&self.environment, &variable).filter(|_| set(&self.environment, name).is_none())
            else {
                continue;
            };
            let text = read_bytes(Path::new(path)).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
            let token = text.ok_or_else(|| format!("{variable} names a file that cannot be read: {path}"))?;
            self.environment.insert(name.to_owned(), token.trim().to_owned());
        }
        Ok(())
    }
}

impl std::fmt::Debug for CliEnvironment {
    /// Names the home alone: variables hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CliEnvironment").field("home", &self.home).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_from_its_file_unless_it_is_set() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("token").display().to_string();
        std::fs::write(&file, " hush\n").unwrap();
        let resolved = |variables: &[(&str, &str)]| {
            let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let mut environment = CliEnvironment { environment, home: None };
            environment.resolve_secret_files().map(|()| environment.environment.remove("LOOPOVER_TOKEN"))
        };
        assert_eq!(resolved(&[("LOOPOVER_TOKEN_FILE", &file)]), Ok(Some("hush".to_owned())));
        let own = resolved(&[("LOOPOVER_TOKEN_FILE", "/no"), ("LOOPOVER_TOKEN", "own")]);
        assert_eq!(own, Ok(Some("own".to_owned())));
        let environment = [("INTERNAL_JOB_TOKEN_FILE".to_owned(), file.clone())].into();
        let mut server = CliEnvironment { environment, home: None };
        server.resolve_secret_files().unwrap();
        assert_eq!(server.environment["INTERNAL_JOB_TOKEN"], "hush");
        assert_eq!(resolved(&[("OTHER_TOKEN_FILE", "/no"), ("LOOPOVER_TOKEN_FILE", " ")]), Ok(None));
        for unreadable in ["/no/such/file", "/"] {
            let error = resolved(&[("LOOPOVER_TOKEN_FILE", unreadable)]).unwrap_err();
            assert!(error.contains("LOOPOVER_TOKEN_FILE") && error.contains(unreadable), "{error}");
        }
    }
}
