//! What a handler may ask for beside its arguments: the server's states, the caller, time, cancellation, progress.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::context::{Clock, ProgressReport, Provided};
use crate::entry::Need;
use crate::error::ToolError;

/// One call on its way into a handler: validated arguments and what surrounds them. Owned, so that it may move to another
/// thread.
pub struct Call {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) caller: Caller,
    pub(crate) clock: Clock,
    pub(crate) provided: Arc<Provided>,
    pub(crate) cancelled: Cancelled,
    pub(crate) progress: Progress,
}

impl Call {
    /// Who is calling.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The server's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What the server supplies.
    pub fn provided(&self) -> &Provided {
        &self.provided
    }

    #[doc(hidden)]
    pub fn arguments_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.arguments
    }

    /// The arguments, validated.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("caller", &self.caller).finish_non_exhaustive()
    }
}

/// A value that a server can supply to a handler's `#[inject]` parameter.
///
/// Implement it to make a type of your own from what the server provides:
///
/// ```
/// use contract_core::{Call, FromCall, Need, State, ToolError};
///
/// struct Forge { host: String }
/// struct Host(String);
///
/// impl FromCall for Host {
///     const NEEDS: &'static [Need] = State::<Forge>::NEEDS;
///     fn from_call(call: &Call) -> Result<Self, ToolError> {
///         Ok(Host(State::<Forge>::from_call(call)?.host.clone()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be injected into a tool",
    label = "not something a server can supply",
    note = "wrap what the server provides: `State<{Self}>`, or implement `FromCall` for `{Self}`",
    note = "if the caller sends it, take `#[inject]` away"
)]
pub trait FromCall: Sized {
    /// What the server must provide for this to work; checked when it starts.
    const NEEDS: &'static [Need] = &[];

    /// Takes the value from the call.
    ///
    /// # Errors
    /// When this call has no such value; the caller reads the error.
    fn from_call(call: &Call) -> Result<Self, ToolError>;
}

/// A value of type `S` that the server provides, shared by all calls.
pub struct State<S>(Arc<S>);

impl<S> State<S> {
    /// The shared pointer itself, to keep beyond the call.
    pub fn into_inner(self) -> Arc<S> {
        self.0
    }
}

impl<S> Deref for State<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S> Clone for State<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> fmt::Debug for State<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State<{}>", std::any::type_name::<S>())
    }
}

impl<S: Send + Sync + 'static> FromCall for State<S> {
    const NEEDS: &'static [Need] = &[Need::of::<S>()];

    fn from_call(call: &Call) -> Result<Self, ToolError> {
        let missing = || {
            ToolError::not_configured(
                "this server lacks a part that the tool needs; its operator finds which in the log",
            )
            .caused_by(format!("no `{}` was provided", std::any::type_name::<S>()))
        };
        call.provided.get().map(Self).ok_or_else(missing)
    }
}

impl FromCall for Caller {
    fn from_call(call: &Call) -> Result<Self, ToolError> {
        Ok(call.caller.clone())
    }
}

impl FromCall for Clock {
    fn from_call(call: &Call) -> Result<Self, ToolError> {
        Ok(call.clock.clone())
    }
}

/// Says whether the call still matters; a blocking handler asks now and then, an async one is simply dropped.
#[derive(Clone, Debug, Default)]
pub struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    /// Whether nobody waits for the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl FromCall for Cancelled {
    fn from_call(call: &Call) -> Result<Self, ToolError> {
        Ok(call.cancelled.clone())
    }
}

/// Tells the caller how far a long call has come, when the caller asked to know.
#[derive(Clone, Default)]
pub struct Progress(pub(crate) Option<Arc<dyn Fn(ProgressReport) + Send + Sync>>);

impl Progress {
    /// Reports that `done` of `total` is done; the units are the tool's own.
    pub fn report(&self, done: f64, total: Option<f64>, message: impl Into<Option<String>>) {
        if let Some(report) = &self.0 {
            report(ProgressReport { done, total, message: message.into() });
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

impl FromCall for Progress {
    fn from_call(call: &Call) -> Result<Self, ToolError> {
        Ok(call.progress.clone())
    }
}
