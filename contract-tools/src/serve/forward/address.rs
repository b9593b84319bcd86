//! Where calls are carried to and with which credential, as the command line's configuration says.

use std::time::{Duration, SystemTime};

use contract_core::ToolError;

use crate::config::{CliEnvironment, Request, Token, TokenSource, resolve};
use crate::forge::sync::{AddressError, ApiAddress};

/// How long a server may take unless `LOOPOVER_API_TIMEOUT_MS` says otherwise.
const USUAL_TIMEOUT: Duration = Duration::from_secs(30);

/// The server's MCP endpoint, behind the address of its API.
const ENDPOINT: &str = "/mcp";

/// The configured server.
#[derive(Debug)]
pub(super) struct Address {
    /// Its MCP endpoint.
    pub(super) endpoint: String,
    /// How it is called in messages: the configured address, which holds no secret.
    pub(super) shown: String,
    pub(super) token: Option<Token>,
    /// Where the token comes from, or would have to.
    pub(super) credential: String,
    pub(super) timeout: Duration,
}

impl Address {
    /// Reads the configuration, its file included. Blocks.
    pub(super) fn find(environment: &CliEnvironment, now: SystemTime) -> Result<Self, ToolError> {
        let CliEnvironment { environment, home } = environment;
        let config = resolve(&Request { environment, home: home.as_deref(), profile: None, now })
            .map_err(|error| ToolError::not_configured(error.to_string()))?;
        let shown = config.api_url;
        check(&shown).map_err(ToolError::not_configured)?;
        let profile = &config.profile;
        let credential = match profile.token_source {
            TokenSource::Environment => "the environment's token".to_owned(),
            TokenSource::Profile => format!("the login of profile `{}`", profile.name),
            TokenSource::None if profile.login.is_some() => {
                format!("the login of profile `{}` is over", profile.name)
            }
            TokenSource::None => format!("profile `{}` has no login", profile.name),
        };
        let endpoint = if shown.ends_with(ENDPOINT) { shown.clone() } else { format!("{shown}{ENDPOINT}") };
        let milliseconds = environment.get("LOOPOVER_API_TIMEOUT_MS").and_then(|text| text.trim().parse().ok());
        let timeout = milliseconds.filter(|time| *time > 0).map_or(USUAL_TIMEOUT, Duration::from_millis);
        Ok(Self { endpoint, shown, token: config.token, credential, timeout })
    }
}

/// Whether calls may be carried to `address`, judged as the address of GitHub's API is, since a token goes to both.
pub(crate) fn check(address: &str) -> Result<(), String> {
    ApiAddress::parse(address).map(drop).map_err(|error| match error {
        AddressError::NotProtected
            if address.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:")) =>
        {
            format!("the configured address of the LoopOver server is refused: {error}")
        }
        _ => {
            "the configured address of the LoopOver server is no http or https URL; set LOOPOVER_API_URL to its address"
                .to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    fn find(variables: &[(&str, &str)]) -> Result<Address, ToolError> {
        let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Address::find(&CliEnvironment { environment, home: None }, UNIX_EPOCH)
    }

    #[test]
    fn the_endpoint_is_behind_the_configured_address() {
        for (configured, endpoint) in [
            ("http://localhost:9/", "http://localhost:9/mcp"),
            ("https://h/loopover", "https://h/loopover/mcp"),
            ("https://h/mcp", "https://h/mcp"),
        ] {
            assert_eq!(find(&[("LOOPOVER_API_URL", configured)]).unwrap().endpoint, endpoint);
        }
        let error = find(&[("LOOPOVER_API_URL", "http://192.0.2.2:9")]).unwrap_err();
        assert_eq!(error.code(), contract_core::ErrorCode::NotConfigured);
        assert!(error.message().contains(&AddressError::NotProtected.to_string()), "{error:?}");
        for unusable in ["ftp://h", "h", "http://", "file:///etc/passwd", "https:///x y"] {
            let error = find(&[("LOOPOVER_API_URL", unusable)]).unwrap_err();
            assert_eq!(error.code(), contract_core::ErrorCode::NotConfigured, "{unusable}");
        }
    }

    #[test]
    fn the_time_is_configured_and_the_token_is_not_shown() {
        let address = find(&[("LOOPOVER_API_TIMEOUT_MS", " 250 "), ("LOOPOVER_TOKEN", "hush")]).unwrap();
        assert_eq!(address.timeout, Duration::from_millis(250));
        assert!(!format!("{address:?}").contains("hush"));
        for unusable in ["0", "-1", "soon", ""] {
            assert_eq!(find(&[("LOOPOVER_API_TIMEOUT_MS", unusable)]).unwrap().timeout, USUAL_TIMEOUT);
        }
    }
}
