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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use serde_json::json;

    use super::{Call, Cancelled, FromCall, Progress, State};
    use crate::{Caller, Clock, ErrorCode, Provided};

    fn call(provided: Provided) -> Call {
        Call {
            arguments: serde_json::Map::from_iter([("a".to_owned(), json!(1))]),
            caller: Caller::authenticated("octo"),
            clock: Clock::frozen(SystemTime::UNIX_EPOCH),
            provided: Arc::new(provided),
            cancelled: Cancelled::default(),
            progress: Progress::default(),
        }
    }

    #[test]
    fn what_the_server_provides_is_shared_and_what_it_does_not_is_an_error() {
        let call = call(Provided::new().with(7_u32));
        let state = State::<u32>::from_call(&call).unwrap();
        assert_eq!((*state, *state.clone().into_inner()), (7, 7));
        assert_eq!(format!("{state:?}"), "State<u32>");
        let error = State::<u64>::from_call(&call).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotConfigured);
        assert!(format!("{error:?}").contains("no `u64` was provided"), "the operator's log says which");
        assert!(call.provided().get::<u32>().is_some());
    }

    #[test]
    fn a_call_lends_what_surrounds_it_and_shows_no_argument() {
        let mut call = call(Provided::new());
        assert_eq!(Caller::from_call(&call).unwrap().identity::<&str>(), Some(&"octo"));
        assert_eq!(Clock::from_call(&call).unwrap().now(), call.clock().now());
        assert!(!call.caller().is_anonymous() && call.arguments().contains_key("a"));
        assert_eq!(
            format!("{call:?} {:?} {:?}", call.clock, call.progress),
            "Call { caller: Caller(authenticated), .. } Clock Progress"
        );
        call.arguments_mut().clear();
        assert!(call.arguments().is_empty());
    }

    #[test]
    fn a_flag_is_seen_by_who_took_it_before() {
        let call = call(Provided::new());
        let taken = Cancelled::from_call(&call).unwrap();
        call.cancelled.cancel();
        assert!(taken.is_cancelled());
        // Nobody asked to know: a report goes nowhere.
        Progress::from_call(&call).unwrap().report(1.0, None, None);
    }
}
