//! Resolves the CLI's configuration: which API, which profile, which token, from an environment map and one file. And
//! reads a deployment's private configuration, in `private/`.
//!
//! Everything is a function of what is passed in, also the time, so that a test or a server decides what is read. A
//! token sits in a [`Token`], which does not print itself; no error repeats a value.

mod address;
mod cli_environment;
mod document;
mod expiry;
mod file;
mod location;
mod private;
mod resolve;
mod token;

pub use address::{DEFAULT_API_URL, api_url};
pub use cli_environment::CliEnvironment;
pub use document::{Document, Profile, Session, canonical_profile_name};
pub use file::{FileProblem, LARGEST_FILE, read_document};
pub use location::config_path;
pub use private::{FOLDER_VARIABLE, PrivateAnswer, PrivateConfig, private_candidates};
pub use resolve::{CliConfig, ConfigError, ProfileState, Request, TokenSource, resolve};
pub use token::Token;

/// The environment as a map; values that are not UTF-8 are left out by whoever builds it.
pub type Environment = std::collections::BTreeMap<String, String>;

/// A variable's value, if it is set to something: an empty or blank value is as good as none.
fn set<'a>(environment: &'a Environment, name: &str) -> Option<&'a str> {
    environment.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
}
