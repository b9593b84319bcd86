//! Serves a slice of any registry through rmcp: the thin adapter between its transports and the one door.
//!
//! The only part of this crate that names rmcp. It decides nothing: what is listed and what is answered comes from the
//! registry, the policy and the door. rmcp hands arguments over as a parsed map, in which a duplicate key is already lost; a
//! transport that still has their text puts [`ArgumentText`] into the request's extensions, as [`Relay`] does.

mod progress;
mod relay;

pub use self::relay::{Incoming, Relay, subscription};

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use ::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use ::rmcp::service::{Peer, PeerRequestOptions, RequestContext};
use ::rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use self::progress::Reports;

use crate::arguments::Arguments;
use crate::call::{CallReply, CallRequest, ProtocolFault};
use crate::caller::{Authorize, Caller};
use crate::context::{CallContext, ProgressReport};
use crate::definition::ToolFilter;
use crate::json;
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

/// The text of a call's arguments, in the extensions of an rmcp request; the call is made with it.
#[derive(Clone)]
pub struct ArgumentText(pub String);

impl std::fmt::Debug for ArgumentText {
    /// Never says what is in it: arguments may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ArgumentText(..)")
    }
}

/// How long a client may take to say which folders it exposes; one that does not say exposes none.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(1);

/// Finds out who sent a request.
type Identify = dyn Fn(&RequestContext<RoleServer>) -> Caller + Send + Sync;

/// Adds the folders that a client exposes to what a call borrows.
type LendRoots = dyn Fn(CallContext, Vec<String>) -> CallContext + Send + Sync;

/// An rmcp server over a slice of a registry.
#[derive(Clone)]
pub struct RegistryServer {
    registry: Registry,
    slice: ToolFilter,
    policy: Arc<dyn Authorize>,
    identity: ServerIdentity,
    identify: Arc<Identify>,
    context: Arc<dyn Fn() -> CallContext + Send + Sync>,
    lend_roots: Option<Arc<LendRoots>>,
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
            lend_roots: None,
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

    /// Where tools look at the client's folders, its roots are asked for at each call and added to what the call borrows,
    /// as the URIs that the client sends. A client without the capability is not asked.
    #[must_use]
    pub fn with_roots(
        mut self,
        lend: impl Fn(CallContext, Vec<String>) -> CallContext + Send + Sync + 'static,
    ) -> Self {
        self.lend_roots = Some(Arc::new(lend));
        self
    }

    /// What this call borrows, the client's folders included.
    async fn borrowed(&self, request: &RequestContext<RoleServer>) -> CallContext {
        let context = (self.context)();
        let Some(lend) = &self.lend_roots else { return context };
        let has_roots = request.client_capabilities().is_some_and(|capabilities| capabilities.roots.is_some());
        if !has_roots {
            return context;
        }
        match roots(&request.peer).await {
            Some(roots) => lend(context, roots),
            None => context,
        }
    }

    /// Calls, and tells a caller that asked for it how far the call is.
    async fn answer(
        &self,
        call: CallRequest,
        request: &RequestContext<RoleServer>,
    ) -> Result<CallReply, ProtocolFault> {
        let context = self.borrowed(request).await;
        let Some(token) = request.meta.get_progress_token() else {
            return self.registry.call(&self.slice, call, context).await;
        };
        let reports = Reports::default();
        let reported = reports.clone();
        let context = context.with_progress(move |report| reported.push(report));
        let call = self.registry.call(&self.slice, call, context);
        reports.tell_during(call, |report| tell(request.peer.clone(), token.clone(), report)).await
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

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        request.protocol_version.clone_from(&result.protocol_version);
        context.peer.set_peer_info(request);
        Ok(result)
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
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = match (context.extensions.remove(), request.arguments) {
            (Some(ArgumentText(text)), _) => Arguments::Text(text),
            (None, Some(arguments)) => Arguments::Parsed(Value::Object(arguments)),
            (None, None) => Arguments::Absent,
        };
        let call = CallRequest {
            tool: request.name.into_owned(),
            arguments,
            caller: (self.identify)(&context),
            policy: Arc::clone(&self.policy),
        };
        let mut reply = pin!(self.answer(call, &context));
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

    /// A method that is not known here is named, and not echoed at any length.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, json::shown(&request.method).to_owned(), None))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let at = self.tools.binary_search_by(|tool| tool.name.as_ref().cmp(name)).ok()?;
        Some(self.tools[at].clone())
    }
}

/// The folders that the client exposes, as it writes them; none when it does not say in time.
#[expect(deprecated, reason = "revisions before 2026-07-28 have no other way to learn of them")]
async fn roots(peer: &Peer<RoleServer>) -> Option<Vec<String>> {
    use ::rmcp::model::{ClientResult, ListRootsRequest, ServerRequest};

    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    let options = PeerRequestOptions::with_timeout(ROOTS_TIMEOUT);
    let answer = peer.send_request_with_option(request, options).await.ok()?.await_response().await.ok()?;
    let ClientResult::ListRootsResult(answer) = answer else { return None };
    Some(answer.roots.into_iter().map(|root| root.uri).collect())
}

/// Sends one report; a client that is gone misses nothing.
async fn tell(peer: Peer<RoleServer>, token: ProgressToken, report: ProgressReport) {
    let mut progress = ProgressNotificationParam::new(token, report.done);
    progress.total = report.total.filter(|total| total.is_finite());
    progress.message = report.message;
    let _ = peer.notify_progress(progress).await;
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
