//! A server's list of tools, asked over MCP: for comparing it, not for calling.

use std::time::Duration;

use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use super::http_client;

/// How long a server may take to tell all of its tools.
const PATIENCE: Duration = Duration::from_secs(30);

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
    let client = serve_client_with_lifecycle(who, transport, lifecycle).await.map_err(|error| error.to_string())?;
    let tools = client.list_all_tools().await;
    let _ = client.cancel().await;
    Ok(json!({ "tools": tools.map_err(|error| error.to_string())? }))
}
