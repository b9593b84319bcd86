//! Where the configuration file is.

use std::path::{Path, PathBuf};

use super::{Environment, set};

/// The path of the configuration file; none if nothing says where and there is no home.
pub fn config_path(environment: &Environment, home: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = set(environment, "LOOPOVER_CONFIG_PATH") {
        return Some(PathBuf::from(path));
    }
    if let Some(folder) = set(environment, "LOOPOVER_CONFIG_DIR") {
        return Some(Path::new(folder).join("config.json"));
    }
    let folder = match set(environment, "XDG_CONFIG_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => home?.join(".config"),
    };
    Some(folder.join("loopover").join("config.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_home_nothing_is_guessed() {
        assert_eq!(config_path(&Environment::new(), None), None);
    }
}
