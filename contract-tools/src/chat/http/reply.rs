//! Answers that are no stream: one shape of error for all of them, and headers that keep a page to itself.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL};
use http::{HeaderValue, Method, StatusCode};
use serde_json::json;

use crate::serve::http::Refusal;

/// Why a request is not answered: `{"error": "<code>: <message>"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    code: &'static str,
    message: String,
    /// The methods that would be right, where the one of the request is not.
    allow: Option<&'static str>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), allow: None }
    }

    /// What every server here refuses, under this code.
    pub(super) fn of(refusal: &Refusal, code: &'static str) -> Self {
        Self::new(refusal.status, code, refusal.message)
    }

    /// The address is there, and is asked with other methods.
    pub(super) fn method(allowed: &'static str) -> Self {
        let message = format!("this address takes {allowed}");
        Self { allow: Some(allowed), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message) }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": format!("{}: {}", self.code, self.message) }));
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(self.allow.map(|allow| (ALLOW, HeaderValue::from_static(allow))));
        response
    }
}

/// Whether a request of this method changes nothing, so that whoever sends it need not be known so well.
pub(super) fn is_safe(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}
