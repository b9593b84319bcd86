//! What a request is answered that no route hears of.

use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderValue, StatusCode};

/// Why a request is not taken, in words that tell its sender what would be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status that says so.
    pub status: StatusCode,
    /// The sentence that goes with it.
    pub message: &'static str,
}

impl Refusal {
    /// The refusal as plain text, for routes without a form of their own.
    pub fn plain(&self) -> Response {
        let mut response = (self.status, self.message).into_response();
        say_when(self.status, response.headers_mut());
        response
    }
}

/// Says when to come back, where the status says that it is worth it. What is short here is short for moments.
pub(super) fn say_when(status: StatusCode, headers: &mut HeaderMap) {
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
}
