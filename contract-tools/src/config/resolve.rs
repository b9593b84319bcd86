//! Puts the pieces together: the chosen profile, whether it is logged in, and the token to use.

use std::fmt;
use std::path::Path;
use std::time::SystemTime;

use super::address::{api_url, plain};
use super::document::{DEFAULT_PROFILE, Document, Session, canonical_profile_name};
use super::expiry;
use super::file::{FileProblem, read_document};
use super::location::config_path;
use super::token::Token;
use super::{Environment, set};

/// What a resolution depends on.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// The user's home folder, if there is one.
    pub home: Option<&'a Path>,
    /// The profile asked for on the command line; it goes before `LOOPOVER_PROFILE`.
    pub profile: Option<&'a str>,
    /// The time by which logins are judged.
    pub now: SystemTime,
}

/// The resolved configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliConfig {
    /// The API to talk to, without what could be a secret.
    pub api_url: String,
    /// There is a token to send.
    pub has_token: bool,
    /// The chosen profile.
    pub profile: ProfileState,
    /// Who is logged in by the profile, also when the login is over.
    pub auth_login: Option<String>,
    /// When the profile's login ends or ended.
    pub session_expires_at: Option<String>,
    /// The token to send.
    pub token: Option<Token>,
    /// Why the configuration file counted as empty, if it did.
    pub file_problem: Option<FileProblem>,
}

/// The chosen profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileState {
    /// Its canonical name.
    pub name: String,
    /// It is the one that the file says to use.
    pub active: bool,
    /// The file has it.
    pub configured: bool,
    /// It has a login that is not over.
    pub authenticated: bool,
    /// Who logged in.
    pub login: Option<String>,
    /// When the login ends or ended.
    pub expires_at: Option<String>,
    /// Where the token comes from.
    pub token_source: TokenSource,
    /// The profile's own API, without what could be a secret.
    pub api_url: Option<String>,
}

/// Where a token comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// A variable of the environment.
    Environment,
    /// The profile's login.
    Profile,
    /// There is none.
    None,
}

/// Why there is no configuration to go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The profile asked for cannot be a profile's name.
    IllegalProfileName,
}

/// Where a token stands in the environment, the first one first.
pub(super) const TOKEN_VARIABLES: [&str; 3] = ["LOOPOVER_API_TOKEN", "LOOPOVER_MCP_TOKEN", "LOOPOVER_TOKEN"];

/// Reads the configuration file and resolves everything.
///
/// A file that cannot be used counts as empty and is told of in [`CliConfig::file_problem`].
///
/// # Errors
/// [`ConfigError::IllegalProfileName`] for a profile, asked for by argument or environment, that cannot exist.
pub fn resolve(request: &Request<'_>) -> Result<CliConfig, ConfigError> {
    let read =
        config_path(request.environment, request.home).map_or(Ok(Document::default()), |path| read_document(&path));
    let file_problem = read.as_ref().err().copied();
    let document = read.unwrap_or_default();
    let name = chosen_profile(request, &document)?;
    let profile = document.profiles.get(&name);
    let session = profile.and_then(|profile| profile.session.as_ref());
    let current = session.filter(|session| !expiry::is_over(session.expires_at.as_deref(), request.now));
    let (token, token_source) = token(request.environment, current);
    let login = session.and_then(|session| session.login.clone());
    let expires_at = session.and_then(|session| session.expires_at.clone());
    Ok(CliConfig {
        api_url: api_url(request.environment, &document, profile),
        has_token: token.is_some(),
        profile: ProfileState {
            active: name == document.active_profile.as_deref().unwrap_or(DEFAULT_PROFILE),
            configured: profile.is_some(),
            authenticated: current.is_some(),
            login: login.clone(),
            expires_at: expires_at.clone(),
            token_source,
            api_url: profile.and_then(|profile| profile.api_url.as_deref()).map(plain),
            name,
        },
        auth_login: login,
        session_expires_at: expires_at,
        token,
        file_problem,
    })
}

impl TokenSource {
    /// The source in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Profile => "profile",
            Self::None => "none",
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalProfileName => formatter.write_str(
                "the requested profile is no profile name: use up to 64 letters, digits, `.`, `_` and `-`, beginning \
                 with a letter or digit",
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

/// The requested profile even if it does not exist, else the configured one if it exists, else the default one.
fn chosen_profile(request: &Request<'_>, document: &Document) -> Result<String, ConfigError> {
    let requested = request.profile.or_else(|| set(request.environment, "LOOPOVER_PROFILE"));
    if let Some(requested) = requested {
        return canonical_profile_name(Some(requested)).ok_or(ConfigError::IllegalProfileName);
    }
    let configured = document.active_profile.as_deref().unwrap_or(DEFAULT_PROFILE);
    let exists = |name: &str| document.profiles.contains_key(name);
    Ok(if !exists(configured) && exists(DEFAULT_PROFILE) { DEFAULT_PROFILE } else { configured }.to_owned())
}

/// The first token that is set to something, else that of a login that is not over.
fn token(environment: &Environment, current: Option<&Session>) -> (Option<Token>, TokenSource) {
    if let Some(token) = TOKEN_VARIABLES.iter().find_map(|name| Token::new(set(environment, name)?)) {
        return (Some(token), TokenSource::Environment);
    }
    match current {
        Some(session) => (Some(session.token.clone()), TokenSource::Profile),
        None => (None, TokenSource::None),
    }
}
