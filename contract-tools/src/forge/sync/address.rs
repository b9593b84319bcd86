//! Where the API is, and what opens it. The token goes to that one origin and nowhere else.

use std::fmt;
use std::net::IpAddr;

use http::HeaderValue;
use reqwest::Url;

/// GitHub's own.
pub const DEFAULT_API: &str = "https://api.github.com";

/// The address of an API, and of everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiAddress(Url);

/// Why an address is no API's. What was given may hold a password and is never repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It cannot be read as an address.
    NotAnAddress,
    /// It is neither `https` nor `http` on this machine.
    NotProtected,
    /// It holds a user or a password.
    HoldsSecret,
    /// It holds a query or a fragment.
    NotPlain,
}

impl ApiAddress {
    /// Reads an address: `https://api.github.com`, `https://git.example.org/api/v3`, or `http` for this machine alone, since
    /// the token is sent as it is.
    ///
    /// # Errors
    /// When it is none, or a token sent there would be for others to read.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let mut url = Url::parse(text.trim()).map_err(|_| AddressError::NotAnAddress)?;
        if url.host_str().is_none_or(str::is_empty) {
            return Err(AddressError::NotAnAddress);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::HoldsSecret);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(AddressError::NotPlain);
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            _ => return Err(AddressError::NotProtected),
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The address of a path in the API; a path is put together of names that need no escaping.
    pub(super) fn at(&self, path: &str, query: &[(&str, &str)]) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    /// Whether the token may be sent there: the same scheme, host and port.
    pub(super) fn owns(&self, url: &Url) -> bool {
        let is_plain = url.username().is_empty() && url.password().is_none();
        is_plain && url.origin() == self.0.origin()
    }

    /// Whether it is on this machine, unprotected.
    pub(super) fn is_plain_loopback(&self) -> bool {
        self.0.scheme() == "http"
    }
}

fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl fmt::Display for ApiAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAnAddress => "this is no address; write one like https://git.example.org/api/v3",
            Self::NotProtected => {
                "the token would be sent for everybody to read; write an https address (http only works for this machine)"
            }
            Self::HoldsSecret => {
                "the address holds a user or a password; leave them out, the token comes from GITHUB_TOKEN"
            }
            Self::NotPlain => "the address holds a query or a fragment; leave them out",
        })
    }
}

impl std::error::Error for AddressError {}

/// A token for the API. It does not print itself.
#[derive(Clone)]
pub struct ApiToken(HeaderValue);

impl ApiToken {
    /// The token without the white space around it; none when it could not be one.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_token = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let mut value = HeaderValue::from_str(&format!("Bearer {text}")).ok().filter(|_| is_token)?;
        value.set_sensitive(true);
        Some(Self(value))
    }

    /// What the header `Authorization` holds.
    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiToken([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_protected_address_may_have_the_token() {
        for (text, expected) in [
            ("https://api.github.com/", Ok(())),
            ("https://git.example.org:8443/api/v3/", Ok(())),
            ("http://127.0.0.1:80", Ok(())),
            ("http://[::1]:9", Ok(())),
            ("http://localhost", Ok(())),
            ("http://api.github.com", Err(AddressError::NotProtected)),
            ("http://127.0.0.1.example.org", Err(AddressError::NotProtected)),
            ("http://localhost.example.org", Err(AddressError::NotProtected)),
            ("ftp://h", Err(AddressError::NotProtected)),
            ("https://u:hush@h", Err(AddressError::HoldsSecret)),
            ("https://hush@h", Err(AddressError::HoldsSecret)),
            ("https://h/?token=hush", Err(AddressError::NotPlain)),
            ("api.github.com", Err(AddressError::NotAnAddress)),
            ("", Err(AddressError::NotAnAddress)),
        ] {
            let parsed = ApiAddress::parse(text);
            assert_eq!(parsed.as_ref().map(|_| ()), expected.as_ref().copied(), "{text}");
            assert!(!format!("{parsed:?}").contains("hush"));
        }
    }

    #[test]
    fn the_token_goes_to_one_origin() {
        let api = ApiAddress::parse("https://git.example.org/api/v3/").unwrap();
        assert_eq!(api.at("repos/a/b", &[("q", "x y")]).as_str(), "https://git.example.org/api/v3/repos/a/b?q=x+y");
        for (text, expected) in [
            ("https://git.example.org/repositories/7", true),
            ("https://git.example.org:443/x", true),
            ("http://git.example.org/x", false),
            ("https://git.example.org:444/x", false),
            ("https://git.example.org.evil.example/x", false),
            ("https://u@git.example.org/x", false),
        ] {
            assert_eq!(api.owns(&Url::parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn a_token_is_one_word_and_never_printed() {
        let token = ApiToken::new(" hush\n").unwrap();
        assert_eq!(token.header().to_str().unwrap(), "Bearer hush");
        assert!(!format!("{token:?} {:?}", token.header()).contains("hush"));
        for none in ["", " ", "a b", "a\nb", "ü"] {
            assert!(ApiToken::new(none).is_none(), "{none:?}");
        }
    }
}
