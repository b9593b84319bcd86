//! Where the body of a request ends: two readers of one connection must see the same requests.
//!
//! `Content-Length` beside `Transfer-Encoding` is not refused here, since nobody here sees it: hyper takes the length out of the
//! headers before a service hears of the request, whichever comes first (hyper 1.12, `Server::parse` in `src/proto/h1/role.rs`).
//! It reads the chunks, as RFC 9112, 6.3 has it, and closes the connection behind the answer, so nothing that follows is taken
//! for a request. Looking for the two in the stream would be a second reader with an opinion of its own.
//!
//! What it lets through is another coding below the chunks, or chunks in chunks, which it would give on as they are.

use axum::response::Response;
use http::header::{CONNECTION, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::Refusal;

/// Refuses a request whose body is sent in another way than by its length or in chunks, once.
pub(super) fn judge(headers: &HeaderMap) -> Result<(), Refusal> {
    match only(headers, &TRANSFER_ENCODING) {
        Ok(None) => Ok(()),
        Ok(Some(coding)) if coding.trim().eq_ignore_ascii_case("chunked") => Ok(()),
        Ok(Some(_)) | Err(()) => {
            let message =
                "`Transfer-Encoding` may be chunked, once and nothing else; or send a `Content-Length` instead";
            Err(Refusal { status: StatusCode::BAD_REQUEST, message })
        }
    }
}

/// Makes the answer to a malformed request the last one of its connection: what its sender takes for the next one is not sure.
/// Such a request is all that a guard answers 400.
#[must_use]
pub fn ending_malformed(mut response: Response) -> Response {
    if response.status() == StatusCode::BAD_REQUEST {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The value of a header that may be there once; what is no text counts as one that is there too often.
pub(super) fn only<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Result<Option<&'headers str>, ()> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(());
    }
    value.map(|value| value.to_str().map_err(|_| ())).transpose()
}
