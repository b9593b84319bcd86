//! Calls tools of a registry from the same process, typed, through the same door as everybody else.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arguments::Arguments;
use crate::call::{CallReply, CallRequest, ProtocolFault};
use crate::caller::{Authorize, Caller};
use crate::context::CallContext;
use crate::definition::ToolFilter;
use crate::error::ToolError;
use crate::handle::ContractTool;
use crate::registry::Registry;

/// An in-process client: a registry, a slice of it, who is calling, and what calls borrow.
#[derive(Clone)]
pub struct Client {
    registry: Registry,
    slice: ToolFilter,
    caller: Caller,
    policy: Arc<dyn Authorize>,
    context: Arc<dyn Fn() -> CallContext + Send + Sync>,
}

impl Client {
    /// A client of every tool in `registry` for `caller`, as `policy` allows; each call gets a context of its own.
    pub fn new(
        registry: Registry,
        caller: Caller,
        policy: impl Authorize + 'static,
        context: impl Fn() -> CallContext + Send + Sync + 'static,
    ) -> Self {
        Self { registry, slice: ToolFilter::new(), caller, policy: Arc::new(policy), context: Arc::new(context) }
    }

    /// The same client of a slice of the registry.
    #[must_use]
    pub fn with_slice(mut self, slice: ToolFilter) -> Self {
        self.slice = slice;
        self
    }

    /// Calls the tool behind a handle: `client.call::<LoopoverMinerGetPlan>(input)`.
    ///
    /// # Errors
    /// When the tool answers an error, when it is not in this client's slice (`not_found`), and when input or answer and
    /// their types disagree.
    pub async fn call<T: ContractTool>(&self, input: T::Input) -> Result<T::Output, ToolError>
    where
        T::Input: Serialize,
        T::Output: DeserializeOwned,
    {
        let arguments = serde_json::to_value(input)
            .map_err(|error| ToolError::invalid_input("the input cannot be written as JSON").caused_by(error))?;
        let reply = self.call_json(T::NAME, Arguments::Parsed(arguments)).await;
        let reply = reply.map_err(|fault| ToolError::not_found(fault.to_string()))?;
        serde_json::from_value(reply.into_result()?)
            .map_err(|error| ToolError::unknown("the answer does not fit the handle's output type").caused_by(error))
    }

    /// Calls a tool by its name.
    ///
    /// # Errors
    /// When the request is no call of a tool; a failed call is a reply.
    pub async fn call_json(&self, tool: &str, arguments: Arguments) -> Result<CallReply, ProtocolFault> {
        let request = CallRequest {
            tool: tool.to_owned(),
            arguments,
            caller: self.caller.clone(),
            policy: Arc::clone(&self.policy),
        };
        self.registry.call(&self.slice, request, (self.context)()).await
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("slice", &self.slice).field("caller", &self.caller).finish_non_exhaustive()
    }
}
