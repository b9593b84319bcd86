//! How answers are written: JSON, a stream of events, or an error with its status.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::unfold;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::event_log::{Event, Events};
use super::session::Unavailable;
use super::{Unidentified, Vouched};
use crate::serve::http::Refusal;
use crate::serve::http::connection::HasEnd;
use crate::serve::http::refusal::say_when;

pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
pub(super) const HEADER_MISMATCH: i32 = -32020;
pub(super) const MISSING_CAPABILITY: i32 = -32021;
pub(super) const UNKNOWN_REVISION: i32 = -32022;

const INTERNAL_ERROR: i32 = -32603;

/// A client is told that it is still connected after so much silence.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// When a client whose stream broke off may come back.
const RETRY: Duration = Duration::from_secs(1);

/// A request that is not acted on.
pub(super) struct Refused(Box<Fault>);

/// What such a request is answered.
struct Fault {
    status: StatusCode,
    /// The id of the request as it is written, once anybody knows it. Who asks, and whether they may, is known before the body
    /// is read, so such a refusal has none: JSON-RPC writes `null` there.
    id: Option<String>,
    code: i32,
    message: Cow<'static, str>,
    data: Option<Value>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refused {
    fn coded(status: StatusCode, code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Fault { status, id: None, code, message: message.into(), data: None, header: None }))
    }

    /// For what is wrong before anybody knows the id.
    pub(super) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::coded(status, INVALID_REQUEST, message)
    }

    /// For what is wrong with a request itself.
    pub(super) fn request(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self::coded(StatusCode::BAD_REQUEST, code, message)
    }

    /// The same, as the answer to the request whose id is written so.
    pub(super) fn about(mut self, id: String) -> Self {
        self.0.id = Some(id);
        self
    }

    pub(super) fn method() -> Self {
        let mut refused = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "send messages with POST; GET and DELETE are for sessions of the revisions before 2026-07-28",
        );
        refused.0.header = Some((ALLOW, HeaderValue::from_static("GET, POST, DELETE")));
        refused
    }

    pub(super) fn no_session() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "`Mcp-Session-Id` is missing; send `initialize` first, or requests of revision 2026-07-28, which name it in \
             `_meta` and in `MCP-Protocol-Version`",
        )
    }

    pub(super) fn unknown_session() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is no such session, or no longer; send `initialize` for a new one")
    }

    pub(super) fn unknown_revision() -> Self {
        let mut refused = Self::request(UNKNOWN_REVISION, "that protocol revision is not served here");
        refused.0.data = Some(json!({ "supported": ["2025-06-18", "2025-11-25", "2026-07-28"] }));
        refused
    }

    fn wrong_credential() -> Self {
        let mut refused = Self::new(
            StatusCode::UNAUTHORIZED,
            "the credential is not valid here; send `Authorization: Bearer TOKEN` with a valid token, or none for public tools",
        );
        let challenge = HeaderValue::from_static(r#"Bearer realm="loopover", error="invalid_token""#);
        refused.0.header = Some((WWW_AUTHENTICATE, challenge));
        refused
    }

    /// For a handshake in a revision that has none.
    pub(super) fn no_handshake() -> Self {
        let message = "this revision has no `initialize`; send `server/discover`, or any request";
        Self::coded(StatusCode::NOT_FOUND, METHOD_NOT_FOUND, message)
    }

    /// The server ended before there was an answer.
    pub(super) fn unanswered() -> Self {
        let message = "the request was not answered; try again";
        Self::coded(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL_ERROR, message)
    }

    pub(super) fn into_response(self) -> Response {
        let Fault { status, id, code, message, data, header } = *self.0;
        let mut error = json!({ "code": code, "message": message });
        if let Some(data) = data {
            error["data"] = data;
        }
        // The id goes back as it came, which a parsed number would not.
        let id = id.as_deref().unwrap_or("null");
        let mut response = text(status, format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#));
        response.headers_mut().extend(header);
        say_when(status, response.headers_mut());
        response
    }
}

impl From<Unidentified> for Refused {
    fn from(unidentified: Unidentified) -> Self {
        match unidentified {
            Unidentified::WrongCredential => Self::wrong_credential(),
            Unidentified::Unavailable(reason) => {
                let message = format!(
                    "who you are cannot be found out now, since the store cannot be used ({reason}); try again later"
                );
                let mut refused = Self::coded(StatusCode::SERVICE_UNAVAILABLE, INTERNAL_ERROR, message);
                refused.0.data = Some(json!({ "reason": reason }));
                refused
            }
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.status, refusal.message)
    }
}

impl From<Unavailable> for Refused {
    fn from(unavailable: Unavailable) -> Self {
        Self::new(unavailable.status(), unavailable.message())
    }
}

/// One JSON document.
pub(super) fn text(status: StatusCode, json: String) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Nothing but a status.
pub(super) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// The events of a log as they come, to its end. A reader that stays longer than `keep_alive` has to be known still.
pub(super) fn events(events: Events, keep_alive: Duration, reader: Option<Vouched>) -> Response {
    let has_end = reader.is_none();
    let stream = unfold((events, reader, Instant::now()), move |(mut events, reader, mut known)| async move {
        let written = match timeout(keep_alive, events.next()).await {
            Ok(event) => write(&events, &event?),
            Err(_) => Bytes::from_static(b":\n\n"),
        };
        if let Some(reader) = &reader
            && known.elapsed() >= keep_alive
        {
            if !reader.is_known().await {
                return None;
            }
            known = Instant::now();
        }
        Some((Ok::<_, Infallible>(written), (events, reader, known)))
    });
    let mut response = Response::new(Body::from_stream(stream));
    if has_end {
        response.extensions_mut().insert(HasEnd);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that collect an answer before they pass it on would hold back a stream for good.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// One event. Its text is one line: JSON has no raw line ends.
fn write(events: &Events, event: &Event) -> Bytes {
    let mut written = String::with_capacity(event.text().map_or(0, str::len) + 48);
    if let Some(stream) = events.resumable() {
        let _ = writeln!(written, "id: {stream}-{}", event.index());
    }
    if event.text().is_none() {
        let _ = writeln!(written, "retry: {}", RETRY.as_millis());
    }
    let _ = write!(written, "data: {}\n\n", event.text().unwrap_or_default());
    Bytes::from(written)
}
