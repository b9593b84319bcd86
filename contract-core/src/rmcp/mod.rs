//! Serves a slice of any registry through rmcp: the thin adapter between its transports and the one door.
//!
//! The only part of this crate that names rmcp. It decides nothing: what is listed and what is answered comes from the
//! registry, the policy and the door. rmcp hands arguments over as a parsed map, so a duplicate key is already lost when it
//! arrives here; a server that owns its transport's bytes refuses it before.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use ::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use ::rmcp::service::RequestContext;
use ::rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use crate::arguments::Arguments;
use crate::call::{CallReply, CallRequest};
use crate::caller::{Authorize, Caller};
use crate::context::CallContext;
use crate::definition::ToolFilter;
use crate::projection::mcp;
use crate::registry::Registry;

/// What a server tells about itself.
#[derive(Clone, Debug)]
pub struct ServerIdentity {
    /// Its name in `serverInfo`.
    pub name: String,
    /// Its version in `serverInfo`.
    pub version: String,
    /// What a model should know before it uses the tools.
    pub instructions: Option<String>,
}

/// Finds out who sent a request.
type Identify = dyn Fn(&RequestContext<RoleServer>) -> Caller + Send + Sync;

/// An rmcp server over a slice of a registry.
#[derive(Clone)]
pub struct RegistryServer {
    registry: Registry,
    slice: ToolFilter,
    policy: Arc<dyn Authorize>,
    identity: ServerIdentity,
    identify: Arc<Identify>,
    context: Arc<dyn Fn() -> CallContext + Send + Sync>,
    /// In order of the names, as the registry has them.
    tools: Arc<[Tool]>,
}

impl RegistryServer {
    /// A server of `slice` for callers without a credential; each call gets a context of its own.
    ///
    /// # Errors
    /// When rmcp cannot take a definition, which the registry's conventions rule out.
    pub fn new(
        registry: Registry,
        slice: ToolFilter,
        policy: impl Authorize + 'static,
        identity: ServerIdentity,
        context: impl Fn() -> CallContext + Send + Sync + 'static,
    ) -> Result<Self, serde_json::Error> {
        let definitions = registry.list_tool_definitions(&slice);
        let tools = definitions
            .into_iter()
            .map(|tool| serde_json::from_value(Value::Object(mcp::tool(tool))))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            slice,
            policy: Arc::new(policy),
            identity,
            identify: Arc::new(|_| Caller::anonymous()),
            context: Arc::new(context),
            tools,
            registry,
        })
    }

    /// Where a transport knows who is calling, it says so here.
    #[must_use]
    pub fn with_callers(
        mut self,
        identify: impl Fn(&RequestContext<RoleServer>) -> Caller + Send + Sync + 'static,
    ) -> Self {
        self.identify = Arc::new(identify);
        self
    }

    /// The tools that `caller` may call, in order of their names.
    fn visible(&self, caller: &Caller) -> Vec<Tool> {
        let listed = self.registry.list_for(&self.slice, caller, &*self.policy);
        listed.into_iter().filter_map(|definition| self.get_tool(definition.name())).collect()
    }
}

impl ServerHandler for RegistryServer {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new(&self.identity.name, &self.identity.version);
        info.instructions.clone_from(&self.identity.instructions);
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info
    }

    /// The revisions that are served; an `initialize` with any other is answered 2025-11-25.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        const SERVED: &[ProtocolVersion] =
            &[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];
        Cow::Borrowed(SERVED)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // There is one page, so no cursor was ever given out.
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("invalid cursor: this list has one page", None));
        }
        let caller = (self.identify)(&context);
        Ok(ListToolsResult::with_all_items(self.visible(&caller)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = CallRequest {
            tool: request.name.into_owned(),
            arguments: request
                .arguments
                .map_or(Arguments::Absent, |arguments| Arguments::Parsed(Value::Object(arguments))),
            caller: (self.identify)(&context),
            policy: Arc::clone(&self.policy),
        };
        let mut reply = self.registry.call(&self.slice, call, (self.context)());
        let mut cancelled = pin!(context.ct.cancelled());
        // A cancelled request is dropped here and now, whatever its handler is doing.
        let reply = poll_fn(|task| {
            if let Poll::Ready(reply) = reply.as_mut().poll(task) {
                return Poll::Ready(Some(reply));
            }
            cancelled.as_mut().poll(task).map(|()| None)
        })
        .await;
        match reply {
            Some(Ok(reply)) => Ok(CallToolResponse::Complete(result(&reply))),
            Some(Err(fault)) => Err(ErrorData::invalid_params(fault.to_string(), None)),
            None => Err(ErrorData::internal_error("the request was cancelled", None)),
        }
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let at = self.tools.binary_search_by(|tool| tool.name.as_ref().cmp(name)).ok()?;
        Some(self.tools[at].clone())
    }
}

/// A reply as MCP writes it: an error has no `structuredContent`, so that no client holds it against the output schema.
fn result(reply: &CallReply) -> CallToolResult {
    let text = vec![ContentBlock::text(reply.text())];
    match reply.result() {
        Err(_) => CallToolResult::error(text),
        Ok(value) => {
            let mut result = CallToolResult::success(text);
            result.structured_content = Some(value.clone());
            result
        }
    }
}

impl std::fmt::Debug for RegistryServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegistryServer")
            .field("identity", &self.identity)
            .field("slice", &self.slice)
            .finish_non_exhaustive()
    }
}
