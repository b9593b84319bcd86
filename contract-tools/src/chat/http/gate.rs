//! Who is let in: whoever followed the link that the server printed once.
//!
//! The gate is a layer over all routes. What it does not name is closed, so a route that is added later is behind it without
//! a word. Cookies know no port, so the cookie's name does: two servers on one machine do not disturb each other. A page of
//! another server on this machine counts as of the same site, so `SameSite` does not keep it out; its origin does.
//!
//! What is asked of a request, in this order, with the status of one that fails it:
//!
//! 1. its body has one end, and it names this server as its host, once (400, 403);
//! 2. it has the cookie, or is for what is open (401);
//! 3. there is something at its address (404), which is asked in that way (405);
//! 4. if it may change something, it comes from a page of this server (403);
//! 5. and is said to be JSON, as it is (415);
//! 6. its body is no longer than it may be, and arrives (413, 408, 400, 503);
//! 7. and is a conversation (400);
//! 8. there is a seat for one more chat (429).
//!
//! Nothing of the body is read before the sixth, and nothing is started before the last; then the stream begins. The first five
//! are asked here, the rest by the route (`chat`).

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, COOKIE, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use subtle::ConstantTimeEq as _;

use super::ChatServer;
use super::reply::{Refused, is_safe};
use crate::serve::http::guard::Guard;
use crate::serve::http::{Refusal, framing, media};

/// Where the link leads.
pub(super) const BOOTSTRAP: &str = "/__auth/bootstrap";
/// Where questions are asked.
pub(super) const CHAT: &str = "/api/chat";

/// What there is, and how it may be asked. A route that is not listed here is not there.
const ADDRESSES: [(&str, &str); 3] = [("/", "GET, HEAD"), (BOOTSTRAP, "GET, HEAD"), (CHAT, "POST")];

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The gate of one server.
pub struct Gate {
    guard: Guard,
    address: SocketAddr,
    cookie: Secret,
    ticket: Secret,
    is_ticket_used: AtomicBool,
}

/// A random value; it has no way to be printed by accident.
struct Secret(String);

impl Secret {
    fn new() -> Result<Self, String> {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    fn is(&self, said: &[u8]) -> bool {
        said.len() == self.0.len() && bool::from(said.ct_eq(self.0.as_bytes()))
    }
}

impl Gate {
    /// For a server that listens at `address`.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new(address: SocketAddr) -> Result<Self, String> {
        Ok(Self {
            guard: Guard::new(address, &[], &[])?.closed(),
            address,
            cookie: Secret::new()?,
            ticket: Secret::new()?,
            is_ticket_used: AtomicBool::new(false),
        })
    }

    /// The link that lets its reader in, once.
    pub fn link(&self) -> String {
        format!("http://{}{BOOTSTRAP}?token={}", self.address, self.ticket.0)
    }

    fn cookie_name(&self) -> String {
        format!("loopover_miner_ui_token_{}", self.address.port())
    }

    fn set_cookie(&self) -> HeaderValue {
        let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.cookie.0);
        let mut value = HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static(""));
        value.set_sensitive(true);
        value
    }

    /// Whether the request has the cookie: once, and right. Other servers' cookies may be any bytes.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
        let pairs = cookies.flat_map(|header| header.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
        let mut values = pairs.filter_map(|pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
        let value = values.next();
        values.next().is_none() && value.is_some_and(|value| self.cookie.is(value))
    }

    /// A request that may change something comes from a page of this server, as JSON: no other page can send that.
    fn judge_write(&self, host: &str, headers: &HeaderMap) -> Result<(), Refused> {
        let forbidden = |message: &str| Refused::new(StatusCode::FORBIDDEN, "wrong_origin", message);
        self.guard.judge_page(host, headers).map_err(|refusal| forbidden(refusal.message))?;
        // A browser that says both is believed where it says the worse.
        let mut sites = headers.get_all(FETCH_SITE).iter();
        if !sites.all(|site| site == "same-origin" || site == "none") {
            return Err(forbidden("pages of other servers may not ask this one"));
        }
        let says_same = headers.get(FETCH_SITE).is_some_and(|site| site == "same-origin");
        if !headers.contains_key(ORIGIN) && !says_same {
            let own = format!("http://{}", self.address);
            return Err(forbidden(&format!("the request does not say where it comes from; send `Origin: {own}`")));
        }
        media::judge(headers).map_err(|refusal| Refused::of(&refusal, "unsupported_media_type"))
    }
}

/// There is something at that address, and it is asked in that way.
fn judge_address(method: &Method, uri: &Uri) -> Result<(), Refused> {
    let found = ADDRESSES.iter().find(|(path, _)| *path == uri.path());
    let (_, allowed) = found.ok_or_else(|| {
        Refused::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address; the page is at /")
    })?;
    if allowed.split(", ").any(|allowed| allowed == method.as_str()) { Ok(()) } else { Err(Refused::method(allowed)) }
}

/// What whoever has no cookie may see: the page, which then says nothing, and the way in.
fn is_open(method: &Method, uri: &Uri) -> bool {
    is_safe(method) && matches!(uri.path(), "/" | BOOTSTRAP)
}

/// Whether the request came with the cookie.
#[derive(Clone, Copy, Debug)]
pub(super) struct IsKnown(pub(super) bool);

/// The layer. A request that is refused is answered before anything of its body is read.
pub(super) async fn layer(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    let is_known = gate.is_known(request.headers());
    if let Err(refused) = judge(&gate, is_known, &request) {
        return framing::ending_malformed(refused.into_response());
    }
    request.extensions_mut().insert(IsKnown(is_known));
    let mut response = next.run(request).await;
    if is_known {
        response.headers_mut().insert(SET_COOKIE, gate.set_cookie());
    }
    response
}

fn judge(gate: &Gate, is_known: bool, request: &Request) -> Result<(), Refused> {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    let host = gate.guard.judge_host(uri, headers).map_err(|refusal| misdirected(&refusal))?;
    if !is_known && !is_open(method, uri) {
        let message = "open the link that the server printed when it started";
        return Err(Refused::new(StatusCode::UNAUTHORIZED, "unauthenticated", message));
    }
    judge_address(method, uri)?;
    if is_safe(method) { Ok(()) } else { gate.judge_write(host, headers) }
}

fn misdirected(refusal: &Refusal) -> Refused {
    let is_malformed = refusal.status == StatusCode::BAD_REQUEST;
    Refused::of(refusal, if is_malformed { "bad_request" } else { "wrong_host" })
}

/// The way in: takes the token of the link once and gives the cookie for it.
pub(super) async fn bootstrap(State((_, gate)): State<(ChatServer, Arc<Gate>)>, method: Method, uri: Uri) -> Response {
    let mut tokens = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("token="));
    let is_right = matches!((tokens.next(), tokens.next()), (Some(token), None) if gate.ticket.is(token.as_bytes()));
    let mut response = if is_right && method == Method::GET && !gate.is_ticket_used.swap(true, Ordering::SeqCst) {
        let to_page = [(LOCATION, HeaderValue::from_static("/")), (SET_COOKIE, gate.set_cookie())];
        (StatusCode::FOUND, to_page).into_response()
    } else {
        (StatusCode::NOT_FOUND, "Not Found").into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use http::header::CONTENT_TYPE;

    use super::*;

    fn gate() -> Gate {
        Gate::new("127.0.0.1:4177".parse().unwrap()).unwrap()
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn the_cookie_is_there_once_and_right() {
        let gate = gate();
        let right = format!("loopover_miner_ui_token_4177={}", gate.cookie.0);
        for known in [right.clone(), format!("a=b; junk;{right}; loopover_miner_ui_token_4178=x")] {
            assert!(gate.is_known(&headers(&[(COOKIE, &known)])), "{known}");
        }
        for unknown in [
            String::new(),
            "loopover_miner_ui_token_4177=".to_owned(),
            right[..right.len() - 1].to_owned(),
            format!("{right}0"),
            right.replace("4177", "4178"),
            format!("{right}; {right}"),
            format!("loopover_miner_ui_token_4177=x; {right}"),
            format!("loopover_miner_ui_token_4177={}", gate.ticket.0),
            "x".repeat(60_000),
        ] {
            assert!(!gate.is_known(&headers(&[(COOKIE, &unknown)])), "{unknown}");
        }
        assert!(!gate.is_known(&headers(&[(COOKIE, &right), (COOKIE, &right)])));
        let beside = |other: &[u8]| HeaderMap::from_iter([(COOKIE, HeaderValue::from_bytes(other).unwrap())]);
        let mut apart = beside(b"x=\xff");
        apart.append(COOKIE, HeaderValue::from_str(&right).unwrap());
        assert!(
            gate.is_known(&apart) && gate.is_known(&beside(&[b"x=\xc3\xa9;\t".as_slice(), right.as_bytes()].concat()))
        );
        assert!(!gate.is_known(&beside(&[right.as_bytes(), b"\xff"].concat())));
        assert_ne!(gate.cookie.0, gate.ticket.0);
    }

    #[test]
    fn a_write_is_json_from_a_page_of_this_server() {
        let check = |pairs: &[(HeaderName, &str)], status: Option<u16>| {
            let refused = gate().judge_write("127.0.0.1:4177", &headers(pairs)).err();
            assert_eq!(refused.map(|refused| refused.status.as_u16()), status, "{pairs:?}");
        };
        let json = (CONTENT_TYPE, "application/json; charset=utf-8");
        let own = (ORIGIN, "http://127.0.0.1:4177");
        check(&[json.clone(), own.clone()], None);
        check(&[json.clone(), (FETCH_SITE, "same-origin")], None);
        check(std::slice::from_ref(&own), Some(415));
        check(&[(CONTENT_TYPE, "text/plain"), (ORIGIN, "https://evil.example")], Some(403));
        check(&[(CONTENT_TYPE, "application/jsonp"), own.clone()], Some(415));
        check(&[json.clone(), own.clone(), (FETCH_SITE, "new-word")], Some(403));
        check(&[json.clone(), own, (FETCH_SITE, "none")], None);
        check(std::slice::from_ref(&json), Some(403));
        check(&[json.clone(), (FETCH_SITE, "none")], Some(403));
        check(&[json.clone(), (FETCH_SITE, "same-site")], Some(403));
        for origin in ["https://evil.example", "null", "http://127.0.0.1:4178", "http://localhost:4177"] {
            check(&[json.clone(), (ORIGIN, origin)], Some(403));
        }
    }
}
