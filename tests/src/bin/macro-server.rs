//! What rmcp offers by itself: one tool by its macros, over its own HTTP. The load test prints its times beside ours.

use std::sync::Arc;

use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two numbers.
#[derive(Deserialize, JsonSchema)]
struct Numbers {
    a: i64,
    b: i64,
}

/// Their sum.
#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// What is added to.
#[derive(Clone)]
struct Adder {
    zero: i64,
}

#[tool_router]
impl Adder {
    /// Add two numbers.
    #[tool]
    fn add(&self, Parameters(numbers): Parameters<Numbers>) -> Json<Sum> {
        Json(Sum { sum: self.zero + numbers.a + numbers.b })
    }
}

#[tool_handler]
impl ServerHandler for Adder {}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let config = StreamableHttpServerConfig::default().with_json_response(true);
        let service =
            StreamableHttpService::new(|| Ok(Adder { zero: 0 }), Arc::new(LocalSessionManager::default()), config);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        contract_tests::print_line(&format!("http://{address}/mcp"));
        let router = axum::Router::new().route_service("/mcp", service);
        // Without this every small answer waits 40 ms, and the comparison would be of that.
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, router).await.expect("it serves");
    });
}
