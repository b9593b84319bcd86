//! The server that the official conformance suites expect: their tools written with the attribute and answered through the one
//! door, their prompts and resources on rmcp directly, all of it over the program's own HTTP.
//!
//! What the attribute has no form for (pictures, questions to the client, more than one round) is data in a tool's answer
//! ([`answer::Answer`]); `server.rs` makes MCP of it.

mod answer;
mod beside;
mod plain;
mod questions;
mod rounds;
mod server;

use std::sync::Arc;
use std::time::SystemTime;

use contract_core::rmcp::{RegistryServer, ServerIdentity};
use contract_core::{BoxFuture, CallContext, Caller, Clock, Locality, Registry, ToolFilter, TrustProcessOwner};
use contract_tools::serve::http::guard::{self, Gate, Guard};
use contract_tools::serve::http::listener::{self, Limits};
use contract_tools::serve::http::mcp::{self, Identify, SessionLimits, Unidentified};
use tokio_util::sync::CancellationToken;

use self::answer::{Round, Talk};
use self::server::Fixture;

fn main() {
    let registry = Registry::collect().expect("the tools make a registry");
    let identity = ServerIdentity { name: "conformance".to_owned(), version: "0".to_owned(), instructions: None };
    // The tools of the product are linked too.
    let slice = ToolFilter::new().locality(Locality::Remote).category("utility");
    let context = || CallContext::new(Clock::new(SystemTime::now));
    let tools = RegistryServer::new(registry, slice, TrustProcessOwner, identity, context)
        .expect("the definitions fit rmcp")
        .with_callers(|request| {
            let round = request.extensions.get::<Round>().cloned().unwrap_or_default();
            Caller::authenticated(Talk { peer: request.peer.clone(), meta: request.meta.clone(), round })
        });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = socket.local_addr().expect("it has an address");
        let ending = CancellationToken::new();
        let gate =
            Gate { guard: Arc::new(Guard::new(address, &[], &[]).expect("no host is added")), answer: mcp::refuse };
        let router =
            mcp::routes("/mcp", Fixture { tools }, Arc::new(Anybody), SessionLimits::default(), ending.clone())
                .layer(axum::middleware::from_fn_with_state(gate, guard::layer));
        contract_tests::print_line(&format!("http://{address}/mcp"));
        listener::serve(socket, router, Limits::default(), ending).await;
    });
}

/// Lets everybody in.
struct Anybody;

impl Identify for Anybody {
    fn identify(&self, _: Option<&str>) -> BoxFuture<Result<Caller, Unidentified>> {
        Box::pin(std::future::ready(Ok(Caller::anonymous())))
    }
}
