//! Where the store is: what the command line says, else the environment, else where a person's data belongs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// The variable that says where the store is.
pub(super) const VARIABLE: &str = "LOOPOVER_STORE";

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file of this path.
    File(PathBuf),
}

/// Why it cannot be said where the store is. What was given may hold a password and is never repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// A PostgreSQL address, which is to come.
    PostgresNotYet,
    /// An address of something else.
    UnknownScheme,
    /// Nothing says where, and there is no home directory to put it in.
    Nowhere,
}

impl Place {
    /// Where it is by what the command line says, if anything, and the environment.
    ///
    /// # Errors
    /// When that is no place, or none is to be found.
    pub fn find(told: Option<&OsStr>, environment: &BTreeMap<OsString, OsString>) -> Result<Self, PlaceError> {
        let variable = |name: &str| environment.get(OsStr::new(name)).filter(|value| !value.is_empty());
        if let Some(told) = told.filter(|told| !told.is_empty()).or_else(|| variable(VARIABLE).map(OsString::as_os_str))
        {
            return Self::parse(told);
        }
        // The XDG rules: a relative directory there is not to be looked at.
        let data = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || variable("HOME").map(|home| Path::new(home).join(".local/share"));
        let data = data.or_else(home).ok_or(PlaceError::Nowhere)?;
        Ok(Self::File(data.join("loopover").join("forge.sqlite3")))
    }

    /// The same in this process's environment.
    ///
    /// # Errors
    /// As [`Place::find`].
    pub fn of_process(told: Option<&OsStr>) -> Result<Self, PlaceError> {
        Self::find(told, &std::env::vars_os().collect())
    }

    /// Whether the command line or this process's environment names one, instead of leaving it to the usual place.
    pub fn is_named(told: Option<&OsStr>) -> bool {
        told.is_some_and(|told| !told.is_empty()) || std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty())
    }

    fn parse(text: &OsStr) -> Result<Self, PlaceError> {
        let Some((scheme, rest)) = text.to_str().and_then(|text| text.split_once("://")) else {
            return Ok(Self::File(text.into()));
        };
        match scheme.to_ascii_lowercase().as_str() {
            "postgres" | "postgresql" => Err(PlaceError::PostgresNotYet),
            "sqlite" | "file" => Ok(Self::File(rest.into())),
            _ => Err(PlaceError::UnknownScheme),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        let Self::File(path) = self;
        path
    }
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PostgresNotYet => {
                "a PostgreSQL store cannot be used yet; give the path of a file, which is made when it is not there"
            }
            Self::UnknownScheme => "this address names no store; give the path of a file, or `sqlite://` and a path",
            Self::Nowhere => {
                "nothing says where the forge store is: give `--store PATH`, or set LOOPOVER_STORE, XDG_DATA_HOME or HOME"
            }
        })
    }
}

impl std::error::Error for PlaceError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(told: Option<&str>, variables: &[(&str, &str)]) -> Result<Place, PlaceError> {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Place::find(told.map(OsStr::new), &environment)
    }

    #[test]
    fn the_command_line_comes_first_and_the_home_last() {
        let all = [(VARIABLE, "v.db"), ("XDG_DATA_HOME", "/data"), ("HOME", "/h")];
        let file = |path: &str| Ok(Place::File(path.into()));
        assert_eq!(find(Some("told.db"), &all), file("told.db"));
        assert_eq!(find(None, &all), file("v.db"));
        assert_eq!(find(Some(""), &all[1..]), file("/data/loopover/forge.sqlite3"));
        assert_eq!(
            find(None, &[("XDG_DATA_HOME", "relative"), ("HOME", "/h")]),
            file("/h/.local/share/loopover/forge.sqlite3")
        );
        assert_eq!(find(None, &[(VARIABLE, ""), ("HOME", "")]), Err(PlaceError::Nowhere));
    }

    #[test]
    fn addresses_say_what_they_are_without_being_repeated() {
        assert_eq!(find(Some("sqlite:///a/b"), &[]), Ok(Place::File("/a/b".into())));
        let error = find(None, &[(VARIABLE, "postgres://user:secret@host/db")]).unwrap_err();
        assert_eq!(error, PlaceError::PostgresNotYet);
        assert!(!format!("{error} {error:?}").contains("secret"));
        assert_eq!(find(Some("mysql://secret"), &[]), Err(PlaceError::UnknownScheme));
    }
}
