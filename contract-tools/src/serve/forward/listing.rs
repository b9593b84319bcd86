//! A server's list of tools, asked over MCP: for comparing it, not for calling.

use std::collections::HashSet;
use std::error::Error;
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, ErrorData, Implementation, ListToolsRequest,
    PaginatedRequestParams, ProtocolVersion, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, RoleClient, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::transport::worker::WorkerQuitReason;
use serde_json::{Value, json};

use super::failure::Failure;
use super::http_client;

/// How long a server may take to tell all of its tools.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that lists its tools one by one and a server whose list has no end cannot be told apart; no honest one needs as many.
const MOST_PAGES: usize = 500;

type HttpError = StreamableHttpError<reqwest::Error>;

/// The `tools/list` of the server at `url`, all pages of it.
///
/// # Errors
/// Why there is none, in words.
pub(crate) fn ask(url: &str, token: Option<&str>) -> Result<Value, String> {
    let runtime = crate::serve::runtime().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let listed = tokio::time::timeout(PATIENCE, listed(url, token)).await;
        listed.unwrap_or_else(|_| Err(format!("it did not answer within {} seconds", PATIENCE.as_secs())))
    })
}

async fn listed(url: &str, token: Option<&str>) -> Result<Value, String> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.auth_header = token.map(str::to_owned);
    let transport = StreamableHttpClientTransport::with_client(http_client()?, config);
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let who = ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("loopover-contract", env!("CARGO_PKG_VERSION")),
    );
    let client = serve_client_with_lifecycle(who, transport, lifecycle).await.map_err(|error| told(&error))?;
    let tools = all_pages(&client).await;
    let _ = client.cancel().await;
    Ok(json!({ "tools": tools? }))
}

/// The tools of all pages, whatever they are: what in them is not as MCP says can only be told by looking.
async fn all_pages(client: &Peer<RoleClient>) -> Result<Value, String> {
    let mut tools = Vec::new();
    let mut params = PaginatedRequestParams::default();
    let mut pages = HashSet::new();
    loop {
        let answer = client.send_request(ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params))).await;
        let page = match answer.map_err(|error| told(&error))? {
            ServerResult::ListToolsResult(page) => json!(page),
            ServerResult::CustomResult(page) => page.0,
            _ => Value::Null,
        };
        let Some(listed) = page.get("tools").and_then(Value::as_array) else {
            return Err("it answers `tools/list` with something that holds no list of tools".to_owned());
        };
        tools.extend(listed.iter().cloned());
        let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) else { return Ok(Value::Array(tools)) };
        if !pages.insert(cursor.to_owned()) {
            return Err("it names a page of its list a second time, so the list has no end".to_owned());
        }
        if pages.len() == MOST_PAGES {
            return Err(format!(
                "its list goes on after {MOST_PAGES} pages with {} tools, so it may have no end; expected a last page without \
                 `nextCursor`",
                tools.len()
            ));
        }
        params = PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned()));
    }
}

/// What an error comes to, in this program's words: rmcp's sentences name its own types.
fn told(error: &(dyn Error + 'static)) -> String {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<HttpError>() {
            return of_transport(error);
        }
        if let Some(ClientInitializeError::JsonRpcError(refusal)) = error.downcast_ref() {
            return refused(refusal);
        }
        if let Some(ServiceError::McpError(refusal)) = error.downcast_ref() {
            return refused(refusal);
        }
        cause = within(error);
    }
    "it does not speak MCP over HTTP: expected the URL of a Streamable HTTP endpoint, such as http://127.0.0.1:8787/mcp"
        .to_owned()
}

/// What lies behind an error; some of rmcp's do not call it their source.
fn within<'error>(error: &'error (dyn Error + 'static)) -> Option<&'error (dyn Error + 'static)> {
    if let Some(ClientInitializeError::TransportError { error, .. }) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(WorkerQuitReason::Fatal::<HttpError> { error, .. }) = error.downcast_ref() {
        return Some(error);
    }
    error.source()
}

fn refused(refusal: &ErrorData) -> String {
    format!("the server refuses with the JSON-RPC error {}; expected one that lists tools", refusal.code.0)
}

fn of_transport(error: &HttpError) -> String {
    match Failure::of(error) {
        Failure::Unreachable => {
            "nobody answers there; check that the server runs and that this is its address".to_owned()
        }
        Failure::Unauthorized => {
            "it asks for a credential or does not know this one; give one with --token-file".to_owned()
        }
        Failure::Forbidden => "it refuses this credential; ask its operator for access".to_owned(),
        Failure::UnusableToken => "the URL or the credential holds what cannot be sent".to_owned(),
        Failure::Redirected => "it redirects to another address, which is not followed; name that address".to_owned(),
        Failure::Status(status) => format!("it answers with HTTP status {status}"),
        Failure::TooLarge => "it answers with more than is taken".to_owned(),
        Failure::Slow => "it did not answer in time; try again".to_owned(),
        Failure::NotMcp => {
            "what answers there is no MCP server: expected the URL of a Streamable HTTP endpoint, such as \
             http://127.0.0.1:8787/mcp"
                .to_owned()
        }
        _ => "it ended the connection before it answered; try again".to_owned(),
    }
}
