//! Which requests are let in: the `Host` a request names and the web page it comes from.
//!
//! A browser on this machine reaches any local server, so a page of a stranger could use it, by its own origin or through a
//! name that it had rebound to this address. Both give themselves away in headers that a page cannot forge. The rules are
//! exact: no prefixes, no suffixes, and no header that a client may set grants anything.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, StatusCode, Uri};

use super::framing::{self, only};
use super::{Refusal, cors};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The names that a server answers to, and the foreign web pages that may ask it.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<Host>,
    origins: Vec<String>,
    /// Where a proxy in front of the server is reached, when the operator has said it.
    public: Option<PublicOrigin>,
    /// Whether the operator can add to them.
    is_open_to_more: bool,
}

/// An origin, and the host in it.
#[derive(Clone, Debug)]
struct PublicOrigin {
    origin: String,
    host: Host,
}

/// Whose page a request comes from, of those that may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The server's own, or no page at all.
    Own,
    /// One of another origin that the operator has named; its browser has to hear that.
    Allowed,
}

/// A name or address, with the port that belongs to it; without one, whichever port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Guard {
    /// For a server that listens at `address`: its loopback names with that port, its address if it is one of the machine's,
    /// and what the operator adds.
    ///
    /// # Errors
    /// When a host or an origin that the operator adds is none.
    pub fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Result<Self, String> {
        let port = Some(address.port());
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into_iter();
        let bound = (!address.ip().is_unspecified()).then(|| written(address.ip()));
        let mut known: Vec<Host> = own.chain(bound).map(|name| Host { name, port }).collect();
        for host in hosts {
            known.push(read_host(host)?);
        }
        let origins = origins.iter().map(|origin| read_origin(origin)).collect::<Result<_, _>>()?;
        Ok(Self { hosts: known, origins, public: None, is_open_to_more: true })
    }

    /// Behind a proxy that is reached at this origin, whose host is answered to from then on: its own pages are those of this
    /// origin exactly, and otherwise pages that were asked for without TLS.
    ///
    /// # Errors
    /// When that is no origin.
    pub fn behind(mut self, origin: &str) -> Result<Self, String> {
        let origin = read_origin(origin)?;
        let host = read_host(origin.split_once("://").map_or(origin.as_str(), |(_, authority)| authority))?;
        self.hosts.push(host.clone());
        self.public = Some(PublicOrigin { origin, host });
        Ok(self)
    }

    /// For a server whose operator cannot add anything, and that no proxy stands in front of: what it answers names no flag that
    /// does not exist, and its own pages were asked for without TLS.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.is_open_to_more = false;
        self
    }

    /// Judges a request by what it says about itself.
    ///
    /// # Errors
    /// What the request is answered instead: it names no host or an unknown one, or comes from a web page that may not ask.
    pub fn judge(&self, uri: &Uri, headers: &HeaderMap) -> Result<Page, Refusal> {
        let host = self.judge_host(uri, headers)?;
        self.judge_page(host, headers)
    }

    /// Judges whom a request is for, which it says once; returns the host that it is for.
    ///
    /// # Errors
    /// It names no host, more than one or an unknown one, or its body has two ends.
    pub fn judge_host<'headers>(&self, uri: &Uri, headers: &'headers HeaderMap) -> Result<&'headers str, Refusal> {
        framing::judge(headers)?;
        let host = only(headers, &HOST).map_err(|()| bad("the request has more than one `Host`; send one"))?;
        let host = host.ok_or_else(|| bad("the request has no `Host`; send one"))?;
        self.judge_name(host)?;
        if let Some(authority) = uri.authority() {
            self.judge_name(authority.as_str())?;
        }
        Ok(host)
    }

    fn judge_name(&self, host: &str) -> Result<(), Refusal> {
        let known = Host::read(host).is_some_and(|host| self.hosts.iter().any(|known| known.covers(&host)));
        if known {
            return Ok(());
        }
        Err(forbidden(if self.is_open_to_more {
            "this server does not answer to that `Host`; its operator can add one with --allowed-host"
        } else {
            "this server does not answer to that `Host`; ask it at the address it printed"
        }))
    }

    /// Judges whose page a request for `host` comes from.
    ///
    /// # Errors
    /// One that may not ask, or it says so twice.
    pub fn judge_page(&self, host: &str, headers: &HeaderMap) -> Result<Page, Refusal> {
        let refused = || {
            forbidden(if self.is_open_to_more {
                "web pages of that origin may not ask; the operator can add one with --allowed-origin"
            } else {
                "web pages of that origin may not ask; only the server's own may"
            })
        };
        match only(headers, &ORIGIN).map_err(|()| refused())? {
            Some(origin) => {
                let known = || self.origins.iter().any(|known| known == origin);
                if self.is_own(origin, host) {
                    return Ok(Page::Own);
                }
                known().then_some(Page::Allowed).ok_or_else(refused)
            }
            // A browser leaves the origin out of some requests, but says how far away their page is.
            None => match only(headers, &FETCH_SITE).map_err(|()| refused())? {
                None | Some("same-origin" | "none") => Ok(Page::Own),
                Some(_) => Err(refused()),
            },
        }
    }
}

impl Guard {
    /// Whether an origin is that of the server's own pages, where it is asked for as `host`. Browsers write one in small letters,
    /// whatever was typed.
    fn is_own(&self, origin: &str, host: &str) -> bool {
        let plain = origin.strip_prefix("http://");
        let names = |authority: Option<&str>| authority.is_some_and(|it| it == host.to_ascii_lowercase());
        match &self.public {
            Some(public) if Host::read(host).is_some_and(|host| public.host.covers(&host)) => public.origin == origin,
            // Nobody has said which scheme a proxy speaks that may stand in front of it.
            None if self.is_open_to_more => names(plain.or_else(|| origin.strip_prefix("https://"))),
            Some(_) | None => names(plain),
        }
    }
}

impl Host {
    /// Reads what stands in a `Host` header; nothing else that an authority may hold is taken.
    fn read(text: &str) -> Option<Self> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(read_port(port)?)),
            _ => (text, None),
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        let well_formed = match name.strip_prefix('[') {
            Some(address) => address.strip_suffix(']')?.parse::<std::net::Ipv6Addr>().is_ok(),
            None => !name.is_empty() && name.bytes().all(plain),
        };
        well_formed.then(|| Self { name: name.to_ascii_lowercase(), port })
    }

    /// Whether that is this one. A browser leaves out the port that `http` has by itself.
    fn covers(&self, other: &Self) -> bool {
        self.name == other.name && self.port.is_none_or(|port| port == other.port.unwrap_or(80))
    }
}

fn read_port(text: &str) -> Option<u16> {
    // The two spellings of a port would be two names for one server.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    is_plain.then(|| text.parse().ok()).flatten()
}

fn written(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn read_host(text: &str) -> Result<Host, String> {
    Host::read(text).ok_or_else(|| format!("`{text}` is no host; write NAME or NAME:PORT"))
}

/// Reads a host on a command line.
///
/// # Errors
/// When it is none.
pub fn host(text: &str) -> Result<String, String> {
    read_host(text).map(|_| text.to_owned())
}

/// Reads an origin on a command line.
///
/// # Errors
/// When it is none.
pub fn origin(text: &str) -> Result<String, String> {
    read_origin(text)
}

/// A scheme and an authority, and nothing after them: the form in which browsers send it.
fn read_origin(text: &str) -> Result<String, String> {
    let authority = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let well_formed = authority.and_then(Host::read).is_some();
    well_formed
        .then(|| text.to_ascii_lowercase())
        .ok_or_else(|| format!("`{text}` is no origin; write https://NAME or https://NAME:PORT"))
}

fn bad(message: &'static str) -> Refusal {
    Refusal { status: StatusCode::BAD_REQUEST, message }
}

fn forbidden(message: &'static str) -> Refusal {
    Refusal { status: StatusCode::FORBIDDEN, message }
}

/// A guard, and how its refusals are written.
#[derive(Clone)]
pub struct Gate {
    /// Who decides.
    pub guard: Arc<Guard>,
    /// The answer that says so, in the form of the routes behind it.
    pub answer: fn(&Refusal) -> Response,
}

/// The layer: `middleware::from_fn_with_state(gate, guard::layer)`. Nothing behind it hears of a request that is refused.
pub async fn layer(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    match gate.guard.judge(request.uri(), request.headers()) {
        Ok(Page::Own) => next.run(request).await,
        Ok(Page::Allowed) => cors::answer(request, next).await,
        Err(refusal) => framing::ending_malformed((gate.answer)(&refusal)),
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderName, HeaderValue, Uri};

    use super::{Guard, Page};

    fn guard() -> Guard {
        let hosts = ["tools.example".to_owned(), "tools.example.org:8443".to_owned()];
        Guard::new("127.0.0.1:8787".parse().unwrap(), &hosts, &["https://app.example".to_owned()]).unwrap()
    }

    #[track_caller]
    fn check(uri: &str, headers: &[(&'static str, &'static str)], status: Option<u16>) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let refused = guard().judge(&uri.parse::<Uri>().unwrap(), &map).err();
        assert_eq!(refused.map(|refusal| refusal.status.as_u16()), status, "{uri} {headers:?}");
    }

    #[test]
    fn a_host_is_one_of_the_known_ones_exactly() {
        for host in
            ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "[::1]:8787", "tools.example", "tools.example:1"]
        {
            check("/mcp", &[("host", host)], None);
        }
        for host in [
            "evil.example:8787",
            "localhost.evil.example:8787",
            "127.0.0.1.evil.example",
            "localhost:8788",
            "localhost",
            "localhost.:8787",
            "evil@localhost:8787",
            "localhost:8787 evil",
            "localhost:+8787",
            "localhost:08787",
            "tools.example.org",
            "[::1]evil:8787",
            "",
        ] {
            check("/mcp", &[("host", host)], Some(403));
        }
    }

    #[test]
    fn a_host_is_there_once_and_the_request_line_agrees() {
        check("/mcp", &[], Some(400));
        check("/mcp", &[("host", "localhost:8787"), ("host", "localhost:8787")], Some(400));
        check("http://localhost:8787/mcp", &[("host", "localhost:8787")], None);
        check("http://evil.example/mcp", &[("host", "localhost:8787")], Some(403));
        check("/mcp", &[("x-forwarded-host", "localhost:8787"), ("x-forwarded-for", "127.0.0.1")], Some(400));
    }

    #[test]
    fn a_web_page_asks_its_own_server_or_was_allowed_to_ask_this_one() {
        let with = |origin| [("host", "localhost:8787"), ("origin", origin)];
        for origin in ["http://localhost:8787", "https://localhost:8787", "https://app.example"] {
            check("/mcp", &with(origin), None);
        }
        for origin in [
            "https://evil.example",
            "null",
            "HTTP://localhost:8787",
            "http://LOCALHOST:8787",
            "https://APP.example",
            "http://app.example",
            "https://app.example:1",
            "http://127.0.0.1:8787",
            "localhost:8787",
        ] {
            check("/mcp", &with(origin), Some(403));
        }
        check("/mcp", &[("host", "localhost:8787"), ("origin", "https://app.example"), ("origin", "null")], Some(403));
    }

    #[test]
    fn a_server_that_knows_its_public_origin_compares_it_exactly() {
        let address = "127.0.0.1:8787".parse().unwrap();
        let guard = Guard::new(address, &[], &[]).unwrap().behind("https://tools.example").unwrap();
        for (host, origin, is_own) in [
            ("tools.example", "https://tools.example", true),
            ("tools.example", "http://tools.example", false),
            ("tools.example", "https://tools.example:8443", false),
            ("tools.example:8443", "https://tools.example:8443", false),
            ("localhost:8787", "http://localhost:8787", true),
            ("localhost:8787", "https://localhost:8787", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static(host));
            headers.insert("origin", HeaderValue::from_static(origin));
            assert_eq!(guard.judge(&Uri::from_static("/mcp"), &headers).is_ok(), is_own, "{host} {origin}");
        }
    }

    #[test]
    fn a_server_without_a_proxy_has_pages_without_tls_alone() {
        let guard = Guard::new("127.0.0.1:8787".parse().unwrap(), &[], &[]).unwrap().closed();
        for (host, origin, is_own) in [
            ("127.0.0.1:8787", "http://127.0.0.1:8787", true),
            ("LOCALHOST:8787", "http://localhost:8787", true),
            ("127.0.0.1:8787", "https://127.0.0.1:8787", false),
            ("localhost:8787", "http://127.0.0.1:8787", false),
            ("localhost:8787", "http://localhost.:8787", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("origin", HeaderValue::from_static(origin));
            assert_eq!(guard.judge_page(host, &headers).is_ok(), is_own, "{host} {origin}");
        }
    }

    #[test]
    fn only_a_page_of_another_origin_has_to_be_told_about() {
        for (origin, page) in [("http://localhost:8787", Page::Own), ("https://app.example", Page::Allowed)] {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("localhost:8787"));
            headers.insert("origin", HeaderValue::from_static(origin));
            assert_eq!(guard().judge(&Uri::from_static("/mcp"), &headers), Ok(page));
        }
    }

    #[test]
    fn a_browser_without_an_origin_says_how_far_its_page_is() {
        let with = |site| [("host", "localhost:8787"), ("sec-fetch-site", site)];
        for site in ["none", "same-origin"] {
            check("/mcp", &with(site), None);
        }
        for site in ["cross-site", "same-site", "new-word"] {
            check("/mcp", &with(site), Some(403));
        }
        check(
            "/mcp",
            &[("host", "localhost:8787"), ("origin", "https://app.example"), ("sec-fetch-site", "cross-site")],
            None,
        );
    }

    #[test]
    fn what_an_operator_adds_is_held_to_its_form() {
        let address = "0.0.0.0:80".parse().unwrap();
        assert!(Guard::new(address, &["http://tools.example".to_owned()], &[]).is_err());
        assert!(Guard::new(address, &[], &["tools.example".to_owned()]).is_err());
        assert!(Guard::new(address, &[], &["https://tools.example/".to_owned()]).is_err());
        let guard = Guard::new(address, &[], &[]).unwrap();
        for (host, is_known) in
            [("0.0.0.0", false), ("127.0.0.1", true), ("127.0.0.1:80", true), ("127.0.0.1:443", false)]
        {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static(host));
            assert_eq!(guard.judge(&Uri::from_static("/"), &headers).is_ok(), is_known, "{host}");
        }
    }
}
