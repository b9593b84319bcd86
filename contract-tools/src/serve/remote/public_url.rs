//! Where clients reach a server that stands behind a proxy: what its operator says, and never what a request claims.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

/// The path at which MCP is spoken.
pub(super) const ENDPOINT: &str = "/mcp";

/// An address that ends where the server's own paths begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// Without a slash at its end.
    base: String,
    origin: String,
}

impl PublicUrl {
    /// Where MCP is spoken.
    pub fn endpoint(&self) -> String {
        format!("{}{ENDPOINT}", self.base)
    }

    /// What browsers name as the `Origin` of its pages.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl FromStr for PublicUrl {
    type Err = NotPublic;

    fn from_str(text: &str) -> Result<Self, NotPublic> {
        let url = Url::parse(text).map_err(|_| NotPublic)?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let host = url.host_str().filter(|host| is_plain && !host.is_empty()).ok_or(NotPublic)?;
        let authority = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let path = url.path().trim_end_matches('/');
        // The endpoint is what people copy.
        let path = path.strip_suffix(ENDPOINT).unwrap_or(path);
        let origin = format!("{}://{authority}", url.scheme());
        Ok(Self { base: format!("{origin}{path}"), origin })
    }
}

/// That a text is no such address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write https://NAME, with :PORT and a path where there are some, and nothing after it")
    }
}

impl std::error::Error for NotPublic {}

#[cfg(test)]
mod tests {
    use super::PublicUrl;

    #[test]
    fn the_endpoint_is_behind_what_the_operator_says() {
        for (text, endpoint, origin) in [
            ("https://tools.example", "https://tools.example/mcp", "https://tools.example"),
            ("https://Tools.Example:443/", "https://tools.example/mcp", "https://tools.example"),
            ("https://tools.example:8443/a/b/", "https://tools.example:8443/a/b/mcp", "https://tools.example:8443"),
            ("https://tools.example/mcp", "https://tools.example/mcp", "https://tools.example"),
            ("http://[::1]:80", "http://[::1]/mcp", "http://[::1]"),
        ] {
            let url: PublicUrl = text.parse().unwrap();
            assert_eq!((url.endpoint().as_str(), url.origin()), (endpoint, origin));
        }
        for text in
            ["tools.example", "ftp://a", "https://", "https://u@a", "https://:p@a", "https://a?b", "https://a#b"]
        {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }
}
