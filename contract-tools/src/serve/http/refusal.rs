//! What a request is answered that no route hears of.

use axum::response::{IntoResponse, Response};
use http::StatusCode;

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
        (self.status, self.message).into_response()
    }
}
