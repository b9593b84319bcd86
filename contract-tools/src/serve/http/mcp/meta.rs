//! What the revisions without a handshake have each request say about itself, in its body and again in its headers.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use contract_core::wire::Request;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::headers::{Revision, WITHOUT_SESSIONS, only, revision_text};
use super::reply::{HEADER_MISMATCH, INVALID_PARAMS, Refused};

const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It opens a session.
    Opens,
    /// It belongs to a session.
    InSession,
    /// It stands alone.
    Alone,
}

/// The parameters that decide.
#[derive(Default, Deserialize)]
struct Params {
    #[serde(rename = "_meta", default)]
    meta: Value,
    #[serde(rename = "protocolVersion", default)]
    protocol_version: Value,
    #[serde(default)]
    name: Value,
    #[serde(default)]
    uri: Value,
}

/// Judges a request by its headers and what its body says of the same.
pub(super) fn way(request: &Request<'_>, headers: &HeaderMap) -> Result<Way, Refused> {
    let header = revision_text(headers)?;
    let params: Params = request.params().and_then(|params| serde_json::from_str(params).ok()).unwrap_or_default();
    let mismatch = |message: &'static str| Refused::request(HEADER_MISMATCH, message);
    let named = params.meta.get("io.modelcontextprotocol/protocolVersion").and_then(Value::as_str);
    let incomplete = || {
        let message = "`params._meta` must name `io.modelcontextprotocol/protocolVersion` and \
                       `io.modelcontextprotocol/clientCapabilities`";
        Refused::request(INVALID_PARAMS, message)
    };
    if request.method() == "initialize" {
        if named.is_some_and(|named| named >= WITHOUT_SESSIONS) {
            return Err(Refused::no_handshake());
        }
        let body = params.protocol_version.as_str();
        if header.is_some_and(|header| body.is_some_and(|body| header != body)) {
            return Err(mismatch("`MCP-Protocol-Version` is not the `protocolVersion` of `params`"));
        }
        if only(headers, METHOD)?.is_some_and(|method| method != "initialize") {
            return Err(mismatch("`Mcp-Method` is not the `method` of the body"));
        }
        return Ok(Way::Opens);
    }
    let is_discovery = request.method() == "server/discover";
    match (header, named) {
        (None, Some(_)) => {
            return Err(mismatch("`MCP-Protocol-Version` is missing; it must be the revision that `_meta` names"));
        }
        (Some(header), Some(named)) if header != named => {
            return Err(mismatch("`MCP-Protocol-Version` is not the revision that `_meta` names"));
        }
        (header, None) if is_discovery || header.is_some_and(|header| header >= WITHOUT_SESSIONS) => {
            if header.is_some_and(|header| matches!(Revision::of(header), Revision::Unknown(_))) {
                return Err(Refused::unknown_revision());
            }
            return Err(incomplete());
        }
        (Some(header), None) if matches!(Revision::of(header), Revision::Unknown(_)) => {
            return Err(Refused::unknown_revision());
        }
        _ => {}
    }
    let stands_alone = is_discovery || named.is_some_and(|named| Revision::of(named) != Revision::WithSessions);
    if !stands_alone {
        return Ok(Way::InSession);
    }
    let is_complete = params.meta.get("io.modelcontextprotocol/clientCapabilities").is_some_and(Value::is_object);
    if named == Some(WITHOUT_SESSIONS) && !is_complete {
        return Err(incomplete());
    }
    if header.is_some_and(|header| header >= WITHOUT_SESSIONS) {
        repeated(request, headers, &params).map_err(|message| Refused::request(HEADER_MISMATCH, message))?;
    }
    Ok(Way::Alone)
}

/// Holds the headers that proxies route by against the body, so that no two readers of one request see two requests.
fn repeated(request: &Request<'_>, headers: &HeaderMap, params: &Params) -> Result<(), String> {
    let value = |header| only(headers, header).map_err(|_| format!("`{header}` must be there once, in ASCII"));
    match value(METHOD)? {
        None => return Err("`Mcp-Method` is missing; it must be the `method` of the body".to_owned()),
        Some(method) if method != request.method() => {
            return Err("`Mcp-Method` is not the `method` of the body".to_owned());
        }
        Some(_) => {}
    }
    let (member, expected) = match request.method() {
        "tools/call" | "prompts/get" => ("name", params.name.as_str()),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => ("uri", params.uri.as_str()),
        _ => return Ok(()),
    };
    let Some(expected) = expected else { return Ok(()) };
    match value(NAME)?.map(decoded) {
        None => Err(format!("`Mcp-Name` is missing; it must be `params.{member}`")),
        Some(None) => Err("`Mcp-Name` is no Base64 where it says it is".to_owned()),
        Some(Some(name)) if name != expected => Err(format!("`Mcp-Name` is not `params.{member}`")),
        Some(Some(_)) => Ok(()),
    }
}

/// A value that a header cannot hold is wrapped: `=?base64?…?=`.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|inner| inner.strip_suffix("?=")) {
        None => Some(value.to_owned()),
        Some(inner) => String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok(),
    }
}
