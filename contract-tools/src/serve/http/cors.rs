//! What a browser has to hear before a web page of another origin may ask: for pages that the guard lets in, and nobody else.

use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, Method};
use tower::{Layer as _, ServiceExt as _};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// For how long a browser need not ask again.
const REMEMBERED: Duration = Duration::from_mins(10);

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

static LAYER: LazyLock<CorsLayer> = LazyLock::new(|| {
    let sent = ["mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"].map(HeaderName::from_static);
    CorsLayer::new()
        // The guard has compared it already, exactly.
        .allow_origin(AllowOrigin::mirror_request())
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE, SESSION_ID].into_iter().chain(sent).collect::<Vec<_>>())
        .expose_headers([SESSION_ID, WWW_AUTHENTICATE, RETRY_AFTER])
        .max_age(REMEMBERED)
});

/// Answers a page that may ask: a preflight here, everything else by what is behind the guard.
pub(super) async fn answer(request: Request, next: Next) -> Response {
    match LAYER.layer(next).oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
