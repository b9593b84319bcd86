//! One call, carried over MCP from the first request to the answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use contract_core::{Forwarded, Progress, ToolError};
use futures_util::StreamExt as _;
use http::{HeaderName, HeaderValue};
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ClientJsonRpcMessage,
    Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ServiceError, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::{BoxedSseResponse, NeverRetry};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use serde_json::Value;

use super::address::Address;
use super::failure::Failure;
use super::told;

/// As much of a report is passed on, in units.
const LONGEST_REPORT: usize = 300;

/// Asks the server; the inner error is the tool's own, which the server told.
pub(super) async fn ask(
    http: reqwest::Client,
    address: &Arc<Address>,
    call: Forwarded,
) -> Result<Result<Value, ToolError>, Failure> {
    let Forwarded { tool, auth: _, arguments, progress } = call;
    let seen = Seen::default();
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.endpoint.as_str());
    config.auth_header = address.token.as_ref().map(|token| token.expose().to_owned());
    // A call that may have been made is not made again behind its caller's back.
    config.retry_config = Arc::<NeverRetry>::default();
    config.reinit_on_expired_session = false;
    let watched = Watched { http, seen: seen.clone(), reports: Reports { progress, address: Arc::clone(address) } };
    let transport = StreamableHttpClientTransport::with_client(watched, config);
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let client = serve_client_with_lifecycle(Asker, transport, lifecycle).await;
    let client = client.map_err(|error| seen.failure().unwrap_or_else(|| of_opening(&error)))?;
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = Some(arguments);
    let answer = client.call_tool_once(params).await;
    let _ = client.cancel().await;
    match answer {
        Ok(CallToolResponse::Complete(result)) => read(result, address).ok_or(Failure::NoAnswer),
        Ok(_) => Err(Failure::NoAnswer),
        Err(ServiceError::McpError(error)) => {
            // A broken stream is told as an error of the call as well; what was seen of it says more.
            Err(seen.failure().unwrap_or(Failure::Refused(error.code.0)))
        }
        Err(_) => Err(seen.failure().unwrap_or(Failure::Broken)),
    }
}

/// What a tool answers: its structured content, or the error that its text tells of.
fn read(result: CallToolResult, address: &Address) -> Option<Result<Value, ToolError>> {
    if result.is_error != Some(true) {
        return result.structured_content.map(Ok);
    }
    let text = result.content.iter().find_map(|block| block.as_text())?;
    told::error(&serde_json::from_str(&text.text).ok()?, address).map(Err)
}

fn of_opening(error: &ClientInitializeError) -> Failure {
    match error {
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => Failure::Broken,
        _ => Failure::NotMcp,
    }
}

/// Who asks, and wants to hear nothing but the answer: reports are read where they still come in order.
struct Asker;

impl ClientHandler for Asker {
    fn get_info(&self) -> ClientConfig {
        let myself = Implementation::new("loopover-stdio", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), myself)
    }
}

/// Passes the server's reports on. rmcp hands each to a task of its own, so there one may overtake another, or the answer
/// all of them.
#[derive(Clone)]
struct Reports {
    progress: Progress,
    address: Arc<Address>,
}

impl Reports {
    /// Passes on what an event tells, if that is how far the call is.
    fn read(&self, event: &str) {
        #[derive(serde::Deserialize)]
        struct Notification {
            method: String,
            params: ProgressNotificationParam,
        }
        let Ok(Notification { method, params }) = serde_json::from_str(event) else { return };
        if method == "notifications/progress" {
            let message = params.message.map(|message| told::sentence(&message, LONGEST_REPORT, &self.address));
            self.progress.report(params.progress, params.total, message);
        }
    }
}

/// The first thing that went wrong with a connection: rmcp tells of it in ways that do not say which it was.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Option<Failure>>>);

impl Seen {
    fn note(&self, failure: Failure) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    fn failure(&self) -> Option<Failure> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// rmcp's client over reqwest, looked over the shoulder of.
#[derive(Clone)]
struct Watched {
    http: reqwest::Client,
    seen: Seen,
    reports: Reports,
}

type Error = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

impl StreamableHttpClient for Watched {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let posted =
            self.http.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits);
        match posted.await {
            Ok(StreamableHttpPostResponse::Sse(events, session)) => {
                let (seen, reports) = (self.seen.clone(), self.reports.clone());
                let watched = events.inspect(move |event| match event {
                    Ok(event) => reports.read(event.data.as_deref().unwrap_or_default()),
                    Err(error) => seen.note(Failure::of_stream(error)),
                });
                Ok(StreamableHttpPostResponse::Sse(watched.boxed(), session))
            }
            Ok(response) => Ok(response),
            Err(error) => {
                self.seen.note(Failure::of(&error));
                Err(error)
            }
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Error> {
        self.http.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxedSseResponse, Error> {
        self.http.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await
    }
}
