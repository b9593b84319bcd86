//! The one door: no server, command or test reaches a handler another way.
//!
//! lookup → in this slice? → level allowed? → admitted now? → arguments valid? → scope allowed? → handler, or the server that
//! stands for it → answer valid? → envelope. Whatever happens on the way, a panic included, ends in a reply.

pub(crate) mod guard;
mod offload;
mod watch;

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use serde_json::Value;

use self::guard::{drop_guarded, guarded, panicked};
use crate::arguments::{self, Arguments, NotAnObject, Refusal};
use crate::caller::{self, Authorize, Caller, Decision};
use crate::context::{CallContext, Outcome};
use crate::definition::{ToolDefinition, ToolFilter};
use crate::entry::{BoxFuture, Invoke};
use crate::error::ToolError;
use crate::handler::{Call, Cancelled, Progress};
use crate::json;
use crate::registry::{Registry, Tool};
use crate::upstream::Forwarded;

/// What somebody asks for.
pub struct CallRequest {
    /// The tool's name.
    pub tool: String,
    /// What is sent to it.
    pub arguments: Arguments,
    /// Who asks.
    pub caller: Caller,
    /// The server's rules about who may.
    pub policy: Arc<dyn Authorize>,
}

/// What a call answers: a value that fits the tool's output schema, or an error.
#[derive(Debug)]
pub struct CallReply {
    result: Result<Value, ToolError>,
}

impl CallReply {
    /// The answer, or why there is none.
    ///
    /// # Errors
    /// When the call failed.
    pub fn result(&self) -> Result<&Value, &ToolError> {
        self.result.as_ref()
    }

    /// As [`CallReply::result`], owned.
    ///
    /// # Errors
    /// When the call failed.
    pub fn into_result(self) -> Result<Value, ToolError> {
        self.result
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// The text block: the compact JSON of the answer, or of the error's envelope.
    pub fn text(&self) -> String {
        match &self.result {
            Ok(value) => value.to_string(),
            Err(error) => error.to_envelope().to_string(),
        }
    }
}

/// A request that is no call of a tool; the protocol answers it, not the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolFault {
    /// No tool of this name is served here.
    UnknownTool {
        /// What was asked for, cut to a length that can be shown.
        name: String,
        /// A tool that may have been meant, among those that the caller may see.
        nearest: Option<&'static str>,
    },
    /// `arguments` is there and is no object.
    ArgumentsNotAnObject {
        /// What it is, as a JSON type name.
        found: &'static str,
    },
}

impl std::fmt::Display for ProtocolFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownTool { name, nearest: Some(nearest) } => {
                write!(f, "unknown tool `{name}`; did you mean `{nearest}`?")
            }
            Self::UnknownTool { name, nearest: None } => write!(f, "unknown tool `{name}`"),
            Self::ArgumentsNotAnObject { found } => write!(f, "`arguments` must be an object, got {found}"),
        }
    }
}

impl std::error::Error for ProtocolFault {}

impl Registry {
    /// Calls a tool of `slice`.
    ///
    /// The future owns all it needs; dropping it cancels the call.
    ///
    /// # Errors
    /// When the request is no call of a tool ([`ProtocolFault`]). Everything else, wrong arguments included, is a
    /// [`CallReply`].
    pub fn call(
        &self,
        slice: &ToolFilter,
        request: CallRequest,
        context: CallContext,
    ) -> BoxFuture<Result<CallReply, ProtocolFault>> {
        let registry = self.clone();
        let slice = slice.clone();
        Box::pin(async move {
            let Some(tool) = registry.find(&request.tool).filter(|tool| slice.matches(tool.definition())) else {
                return Err(registry.unknown(&slice, &request));
            };
            let watch = watch::Watch::start(&context, tool.definition().name());
            let result = within_deadline(registry.clone(), request, context).await;
            match result {
                Ok(value) => {
                    watch.end(Outcome::Succeeded);
                    Ok(CallReply { result: Ok(value) })
                }
                Err(Stop::Failed(error)) => {
                    watch.fail(&error);
                    Ok(CallReply { result: Err(error) })
                }
                Err(Stop::NotAnObject(NotAnObject { found })) => {
                    watch.end(Outcome::Failed(crate::ErrorCode::InvalidInput));
                    Err(ProtocolFault::ArgumentsNotAnObject { found })
                }
            }
        })
    }

    fn unknown(&self, slice: &ToolFilter, request: &CallRequest) -> ProtocolFault {
        let visible = self.list_for(slice, &request.caller, &*request.policy);
        let nearest = arguments::nearest(&request.tool, visible.iter().map(|tool| tool.name()));
        let nearest = nearest.and_then(|name| visible.iter().find(|tool| tool.name() == name)).map(|tool| tool.name());
        ProtocolFault::UnknownTool { name: request.tool.chars().take(64).collect(), nearest }
    }
}

/// Why a call has no answer.
enum Stop {
    Failed(ToolError),
    NotAnObject(NotAnObject),
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Self {
        Self::Failed(error)
    }
}

/// Polls the steps until they or the deadline are ready; a panic in any of them is an answer too, also one on the way out.
async fn within_deadline(registry: Registry, request: CallRequest, mut context: CallContext) -> Result<Value, Stop> {
    let mut deadline = context.deadline.take();
    let mut calling: Option<BoxFuture<Result<Value, Stop>>> = Some(Box::pin(steps(registry, request, context)));
    let result = poll_fn(|task| {
        let Some(steps) = calling.as_mut() else { return Poll::Pending };
        match guarded(|| steps.as_mut().poll(task)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(result)) => return Poll::Ready(result),
            Err(text) => return Poll::Ready(Err(panicked(&text).into())),
        }
        let Some(waiting) = deadline.as_mut() else { return Poll::Pending };
        match guarded(|| waiting.as_mut().poll(task)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(())) => {
                let message = "the tool did not answer in time; ask for less, or try again later";
                Poll::Ready(Err(ToolError::timeout(message).into()))
            }
            Err(text) => Poll::Ready(Err(panicked(&text).into())),
        }
    })
    .await;
    drop_guarded(calling.take());
    drop_guarded(deadline.take());
    result
}

async fn steps(registry: Registry, request: CallRequest, context: CallContext) -> Result<Value, Stop> {
    let CallRequest { tool, arguments, caller, policy } = request;
    let Some(tool) = registry.find(&tool) else { return Err(ToolError::unknown("the tool is gone").into()) };
    let definition = tool.definition();
    permitted(caller::level(&*policy, &caller, definition), &caller)?;
    permitted(policy.admit(&caller, definition), &caller)?;
    let sent = match arguments::read(arguments) {
        Ok(sent) => sent,
        Err(Refusal::Invalid(error)) => return Err(error.into()),
        Err(Refusal::NotAnObject(found)) => return Err(Stop::NotAnObject(found)),
    };
    let upstream = context.upstream.clone().filter(|upstream| upstream.answers(definition));
    let given = upstream.as_ref().map(|_| sent.members().clone());
    let arguments = arguments::accept(sent, definition.input_schema(), tool.input_validator()?)?;
    permitted(policy.scope(&caller, definition, &arguments).await, &caller)?;
    let CallContext { clock, provided, blocking, progress, deadline: _, observer: _, upstream: _ } = context;
    if let (Some(upstream), Some(arguments)) = (upstream, given) {
        let progress = Progress(progress);
        let forwarded = Forwarded { tool: definition.name(), auth: definition.auth(), arguments, progress };
        let answer = upstream.ask(forwarded).await?;
        return checked(definition, tool, answer)?.map_err(|why| drifted(&why).into());
    }
    let cancelled = Cancelled::default();
    let guard = watch::CancelOnDrop::new(cancelled.clone());
    let call = Call { arguments, caller, clock, provided, cancelled, progress: Progress(progress) };
    let answer = match (tool.entry().0.invoke, blocking) {
        (Invoke::Async(handler), _) => handler(call).await,
        (Invoke::Blocking(handler), None) => handler(call),
        (Invoke::Blocking(handler), Some(run)) => offload::offload(&*run, move || handler(call)).await,
    }?;
    guard.disarm();
    checked(definition, tool, answer)?.map_err(|why| withheld(why).into())
}

/// A refusal is `unauthorized` where a credential would help and `forbidden` where there is one.
fn permitted(decision: Decision, caller: &Caller) -> Result<(), ToolError> {
    match decision {
        Decision::Allow => Ok(()),
        Decision::Deny(message) if caller.is_anonymous() => Err(ToolError::unauthorized(message)),
        Decision::Deny(message) => Err(ToolError::forbidden(message)),
        Decision::Fail(code, message) => Err(ToolError::new(code, message)),
    }
}

/// The answer, if it is what the tool promised; else every place at which it is not.
fn checked(definition: &ToolDefinition, tool: &Tool, answer: Value) -> Result<Result<Value, String>, ToolError> {
    let validator = tool.output_validator()?;
    if let Some(pointer) = json::inexact_integer(&answer) {
        return Ok(Err(format!("{pointer}: an integer past ±(2^53−1), which readers round")));
    }
    if validator.is_valid(&answer) {
        return Ok(Ok(answer));
    }
    let broken = arguments::violations(validator, definition.output_schema(), &answer);
    let places: Vec<String> = broken.iter().map(ToString::to_string).collect();
    Ok(Err(places.join("; ")))
}

/// What a handler answers against its own contract is nobody's to read but its author's.
fn withheld(why: String) -> ToolError {
    ToolError::unknown("the tool's answer did not fit its own contract, so it is withheld; tell its author")
        .caused_by(why)
}

/// The two programs were built from different contracts: the caller learns in which members.
fn drifted(why: &str) -> ToolError {
    ToolError::upstream_error(format!(
        "the server's answer does not fit this program's contract of the tool: {why}; bring both to the same version"
    ))
}
