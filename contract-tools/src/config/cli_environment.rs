//! What the command line's configuration is resolved from: the part of the process that a server hands to its tools.

use std::path::PathBuf;

use super::Environment;

/// The environment, the home directory and the profile that a process was started with.
#[derive(Clone, Default)]
pub struct CliEnvironment {
    /// Every variable whose value is UTF-8.
    pub environment: Environment,
    /// The person's home directory.
    pub home: Option<PathBuf>,
}

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
}

impl std::fmt::Debug for CliEnvironment {
    /// Names the home alone: variables hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CliEnvironment").field("home", &self.home).finish_non_exhaustive()
    }
}
