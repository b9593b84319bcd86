//! The page at `/`: what runs here, and how it stands. It needs no script and loads nothing.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::{Html, IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};

use super::ChatServer;
use super::gate::{Gate, IsKnown};
use crate::chat::agent::Agent;
use crate::miner::status::{self, Driver};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
                     td{padding:.1rem .8rem .1rem 0;vertical-align:top}code{font-size:.9em}";

pub(super) async fn show(
    State((server, _)): State<(ChatServer, Arc<Gate>)>,
    Extension(IsKnown(is_known)): Extension<IsKnown>,
) -> Response {
    let page = if is_known {
        // The stores are looked through, which may wait for one that its writer holds.
        tokio::task::spawn_blocking(move || state(&server)).await.unwrap_or_default()
    } else {
        "<p>Open the link that the server printed in its terminal when it started; it lets this browser in.</p>"
            .to_owned()
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>LoopOver miner</title>\
         <style>{STYLE}</style></head>\n<body><h1>LoopOver miner</h1>\n\
         <p>This is the local API of a miner on this machine. It answers questions about the miner's own state at \
         <code>POST /api/chat</code>, and changes nothing.</p>\n{page}</body></html>\n"
    );
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}

fn state(server: &ChatServer) -> String {
    let mut page = String::from("<h2>Provider</h2>\n<table>");
    let driver = Driver::of(&server.home);
    let provider = driver.provider.map_or("none", |provider| provider.as_str());
    row(&mut page, "configured", provider);
    if let Some(model) = driver.model(&server.home) {
        row(&mut page, "model", &model);
    }
    if let Some(timeout) = driver.timeout(&server.home) {
        row(&mut page, "time for an attempt", &format!("{} ms", timeout.as_millis()));
    }
    let chat =
        Agent::of(&server.home).map_or_else(|failure| format!("off: {}", failure.message()), |_| "on".to_owned());
    row(&mut page, "chat", &chat);
    let claude = status::program_path(&server.home, "claude");
    row(&mut page, "claude", if claude.is_some() { "on the search path" } else { "not on the search path" });
    page.push_str("</table>\n<h2>Tools</h2>\n<table>");
    for (name, purpose) in server.tools.iter() {
        row(&mut page, name, purpose);
    }
    page.push_str("</table>\n<h2>Stores</h2>\n<table>");
    row(&mut page, "directory", &server.home.state_directory().to_string_lossy());
    for check in status::checks(&server.home, server.clock.now(), false) {
        if let Some(store) = check.name.strip_prefix("store-integrity:") {
            row(&mut page, store, &check.detail);
        }
    }
    page.push_str("</table>\n");
    page
}

fn row(page: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "<tr><td><code>{}</code></td><td>{}</td></tr>", escaped(name), escaped(value));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_is_markup() {
        let mut page = String::new();
        row(&mut page, "a<b", "\"&amp;</td><script>");
        assert_eq!(page, "<tr><td><code>a&lt;b</code></td><td>&quot;&amp;amp;&lt;/td&gt;&lt;script&gt;</td></tr>\n");
    }
}
