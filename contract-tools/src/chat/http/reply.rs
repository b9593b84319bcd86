//! Answers that are no stream: one shape of error for all of them, and headers that keep a page to itself.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL};
use http::{HeaderValue, Method, StatusCode};
use serde_json::json;

/// Why a request is not answered: `{"error": "<code>: <message>"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    code: &'static str,
    message: String,
}

impl Refused {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": format!("{}: {}", self.code, self.message) }));
        (self.status, [(CACHE_CONTROL, HeaderValue::from_static("no-store"))], body).into_response()
    }
}

pub(super) async fn not_found() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
}

pub(super) async fn method_not_allowed() -> Response {
    wrong_method("GET, HEAD")
}

pub(super) fn wrong_method(allowed: &'static str) -> Response {
    let message = format!("this address takes {allowed}");
    let refused = Refused::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message);
    ([(ALLOW, HeaderValue::from_static(allowed))], refused).into_response()
}

/// Whether a request of this method changes nothing, so that whoever sends it need not be known so well.
pub(super) fn is_safe(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}
