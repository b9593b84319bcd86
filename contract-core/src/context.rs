//! What the outside world lends to a call: time, states, a place to block, ears. Core has none of these itself.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::entry::{BoxFuture, Need};
use crate::error::ErrorCode;
use crate::upstream::Upstream;

/// Tells the time; handed in, since the leaf reads no clock and tests freeze theirs.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    /// A clock that asks `now`; a program passes `SystemTime::now`.
    pub fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// A clock that stands at `now`.
    pub fn frozen(now: SystemTime) -> Self {
        Self::new(move || now)
    }

    /// The time.
    pub fn now(&self) -> SystemTime {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// The values that a server supplies to handlers: at most one per type.
#[derive(Clone, Default)]
pub struct Provided(BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Provided {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// These and `state`, which handlers get as [`State<S>`](crate::State).
    #[must_use]
    pub fn with<S: Send + Sync + 'static>(self, state: S) -> Self {
        self.with_shared(Arc::new(state))
    }

    /// As [`Provided::with`], for a state that others hold too.
    #[must_use]
    pub fn with_shared<S: Send + Sync + 'static>(mut self, state: Arc<S>) -> Self {
        self.0.insert(TypeId::of::<S>(), state);
        self
    }

    /// The value of type `S`, when there is one.
    pub fn get<S: Send + Sync + 'static>(&self) -> Option<Arc<S>> {
        self.0.get(&TypeId::of::<S>()).and_then(|state| Arc::clone(state).downcast().ok())
    }

    /// Whether `need` is met.
    pub(crate) fn meets(&self, need: &Need) -> bool {
        self.0.contains_key(&need.id)
    }
}

impl fmt::Debug for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Provided({} types)", self.0.len())
    }
}

/// Work that may block its thread.
pub type Job = Box<dyn FnOnce() + Send + 'static>;

/// Told when a call starts and ends; never what was said.
pub trait Observer: Send + Sync {
    /// A call passed into the door.
    fn started(&self, tool: &str) {
        let _ = tool;
    }

    /// A call is over. `reason` is the word of a closed set by which an error says more than its code.
    fn ended(&self, tool: &str, outcome: Outcome, reason: Option<&str>, duration: Duration);
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With an answer.
    Succeeded,
    /// With an error of this kind.
    Failed(ErrorCode),
    /// Nobody waited for the end.
    Cancelled,
}

/// One report about a call that takes a while.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressReport {
    /// How much is done; grows from report to report.
    pub done: f64,
    /// How much there is, when that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Everything that a call borrows from its surroundings.
///
/// ```
/// use std::time::SystemTime;
/// use contract_core::{CallContext, Clock, Provided};
///
/// struct Forge;
/// let context = CallContext::new(Clock::new(SystemTime::now)).with_provided(Provided::new().with(Forge));
/// # let _ = context;
/// ```
#[must_use]
pub struct CallContext {
    pub(crate) clock: Clock,
    pub(crate) provided: Arc<Provided>,
    pub(crate) deadline: Option<BoxFuture<()>>,
    pub(crate) blocking: Option<Arc<dyn Fn(Job) + Send + Sync>>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
    pub(crate) progress: Option<Arc<dyn Fn(ProgressReport) + Send + Sync>>,
    pub(crate) upstream: Option<Arc<dyn Upstream>>,
}

impl CallContext {
    /// Time and nothing else.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            provided: Arc::default(),
            deadline: None,
            blocking: None,
            observer: None,
            progress: None,
            upstream: None,
        }
    }

    /// What handlers may be given.
    pub fn with_provided(mut self, provided: impl Into<Arc<Provided>>) -> Self {
        self.provided = provided.into();
        self
    }

    /// When `deadline` is ready before the tool is, the call answers `timeout`.
    pub fn with_deadline(mut self, deadline: impl Future<Output = ()> + Send + 'static) -> Self {
        self.deadline = Some(Box::pin(deadline));
        self
    }

    /// Where handlers that block their thread are run; without it they run on the thread that polls the call.
    ///
    /// A runtime's adapter passes its own, such as `|job| drop(tokio::task::spawn_blocking(job))`.
    pub fn with_blocking(mut self, run: impl Fn(Job) + Send + Sync + 'static) -> Self {
        self.blocking = Some(Arc::new(run));
        self
    }

    /// Who is told about the call.
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Who answers the tools that are not answered here.
    pub fn with_upstream(mut self, upstream: Arc<dyn Upstream>) -> Self {
        self.upstream = Some(upstream);
        self
    }

    /// Where a handler's [`Progress`](crate::Progress) goes.
    pub fn with_progress(mut self, report: impl Fn(ProgressReport) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(report));
        self
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext").field("provided", &self.provided).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use super::{CallContext, Clock, Provided};

    #[test]
    fn what_is_lent_is_shown_by_its_kind_alone() {
        let shared = Arc::new("hush-hush".to_owned());
        let provided = Provided::new().with(7_u8).with_shared(Arc::clone(&shared));
        assert_eq!(provided.get::<String>(), Some(shared));
        assert_eq!(provided.get::<u16>(), None);
        let context = CallContext::new(Clock::frozen(SystemTime::UNIX_EPOCH)).with_provided(provided);
        assert_eq!(format!("{context:?}"), "CallContext { provided: Provided(2 types), .. }");
    }
}
