//! Who is let in: whoever followed the link that the server printed once.
//!
//! The gate is a layer over all routes. What it does not name is closed, so a route that is added later is behind it without
//! a word. Cookies know no port, so the cookie's name does: two servers on one machine do not disturb each other. A page of
//! another server on this machine counts as of the same site, so `SameSite` does not keep it out; its origin does.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use subtle::ConstantTimeEq as _;

use super::ChatServer;
use super::reply::{Refused, is_safe};
use crate::serve::http::guard::Guard;

/// Where the link leads.
pub(super) const BOOTSTRAP: &str = "/__auth/bootstrap";

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

    fn is(&self, said: &str) -> bool {
        said.len() == self.0.len() && bool::from(said.as_bytes().ct_eq(self.0.as_bytes()))
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

    /// Whether the request has the cookie: once, and right.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
        let pairs = cookies.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut values = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
        let value = values.next();
        values.next().is_none() && value.is_some_and(|value| self.cookie.is(value))
    }

    fn judge_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        let hosts = headers.get_all(HOST).iter().map(|host| (HOST, host.clone()));
        let refused = self.guard.judge(uri, &hosts.collect());
        refused.map(drop).map_err(|refusal| Refused::new(refusal.status, "wrong_host", refusal.message))
    }

    /// A request that may change something comes from a page of this server, as JSON: no other page can send that.
    fn judge_write(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        if !is_json(headers) {
            let message = "send JSON and say so: `Content-Type: application/json`";
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
        }
        let forbidden = |message: &str| Refused::new(StatusCode::FORBIDDEN, "wrong_origin", message);
        self.guard.judge(uri, headers).map_err(|_| forbidden("pages of other servers may not ask this one"))?;
        // A browser that says both is believed where it says the worse.
        if headers.get_all(FETCH_SITE).iter().any(|site| site == "cross-site" || site == "same-site") {
            return Err(forbidden("pages of other servers may not ask this one"));
        }
        let says_same = headers.get(FETCH_SITE).is_some_and(|site| site == "same-origin");
        if headers.contains_key(ORIGIN) || says_same {
            return Ok(());
        }
        let own = format!("http://{}", self.address);
        Err(forbidden(&format!("the request does not say where it comes from; send `Origin: {own}`")))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
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
        return refused.into_response();
    }
    request.extensions_mut().insert(IsKnown(is_known));
    let mut response = next.run(request).await;
    if is_known {
        response.headers_mut().insert(SET_COOKIE, gate.set_cookie());
    }
    response
}

fn judge(gate: &Gate, is_known: bool, request: &Request) -> Result<(), Refused> {
    gate.judge_host(request.uri(), request.headers())?;
    if !is_known && !is_open(request.method(), request.uri()) {
        let message = "open the link that the server printed when it started";
        return Err(Refused::new(StatusCode::UNAUTHORIZED, "unauthenticated", message));
    }
    if !is_safe(request.method()) {
        gate.judge_write(request.uri(), request.headers())?;
    }
    Ok(())
}

/// The way in: takes the token of the link once and gives the cookie for it.
pub(super) async fn bootstrap(State((_, gate)): State<(ChatServer, Arc<Gate>)>, method: Method, uri: Uri) -> Response {
    let mut tokens = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("token="));
    let is_right = matches!((tokens.next(), tokens.next()), (Some(token), None) if gate.ticket.is(token));
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
        assert_ne!(gate.cookie.0, gate.ticket.0);
    }

    #[test]
    fn a_write_is_json_from_a_page_of_this_server() {
        let check = |pairs: &[(HeaderName, &str)], status: Option<u16>| {
            let mut all = headers(pairs);
            all.insert(HOST, HeaderValue::from_static("127.0.0.1:4177"));
            let refused = gate().judge_write(&Uri::from_static("/api/chat"), &all).err();
            assert_eq!(refused.map(|refused| refused.status.as_u16()), status, "{pairs:?}");
        };
        let json = (CONTENT_TYPE, "application/json; charset=utf-8");
        let own = (ORIGIN, "http://127.0.0.1:4177");
        check(&[json.clone(), own.clone()], None);
        check(&[json.clone(), (FETCH_SITE, "same-origin")], None);
        check(std::slice::from_ref(&own), Some(415));
        check(&[(CONTENT_TYPE, "text/plain"), (ORIGIN, "https://evil.example")], Some(415));
        check(&[(CONTENT_TYPE, "application/jsonp"), own], Some(415));
        check(std::slice::from_ref(&json), Some(403));
        check(&[json.clone(), (FETCH_SITE, "none")], Some(403));
        check(&[json.clone(), (FETCH_SITE, "same-site")], Some(403));
        for origin in ["https://evil.example", "null", "http://127.0.0.1:4178", "http://localhost:4177"] {
            check(&[json.clone(), (ORIGIN, origin)], Some(403));
        }
    }
}
