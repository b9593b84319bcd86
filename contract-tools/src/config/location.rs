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
    use crate::config::vectors;

    #[test]
    fn the_path_agrees_with_the_golden_facts() {
        let facts = vectors::read("cli-config");
        let paths: Vec<_> = facts.iter().filter(|fact| fact["expect"].get("path").is_some()).collect();
        assert!(!paths.is_empty());
        for fact in paths {
            let home = fact["input"]["homeDir"].as_str().map(Path::new);
            let path = config_path(&vectors::environment(fact), home);
            assert_eq!(path.as_deref().and_then(Path::to_str), fact["expect"]["path"].as_str(), "{fact}");
        }
    }

    #[test]
    fn without_a_home_nothing_is_guessed() {
        assert_eq!(config_path(&Environment::new(), None), None);
    }
}
