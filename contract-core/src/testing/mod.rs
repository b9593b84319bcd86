//! Laws that anyone can run over the tools that their binary links, in one call.
//!
//! ```no_run
//! // In a test of your own crate; `use my_tools as _;` when the tools live in another one.
//! contract_core::testing::assert_laws();
//! ```
//!
//! A [`Convention`](crate::Convention) is checked whenever a registry is collected. A [`Law`] costs more, since it calls the
//! door many times with arguments made of each tool's own examples, so it is for tests.

mod laws;
mod schemas;
mod calls;
mod parts;
mod corpus;
#[cfg(test)]
mod tests;

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

pub use self::laws::Law;
use crate::entry::Source;
use crate::registry::Registry;

/// One law that one tool breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The law.
    pub law: Law,
    /// The tool.
    pub tool: &'static str,
    /// Where its handler stands.
    pub source: Source,
    /// What happened and what should have.
    pub message: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ({}) {} [{}]", self.tool, self.source, self.message, self.law)
    }
}

/// Collects the registry and holds it to every law.
///
/// # Panics
/// When the registry cannot be collected or a tool breaks a law, with everything that is wrong.
#[track_caller]
pub fn assert_laws() {
    let registry = match Registry::collect() {
        Ok(registry) => registry,
        // A closure would report its own line instead of the test's.
        Err(error) => panic!("{error}"),
    };
    assert!(
        !registry.is_empty(),
        "no tools are linked: name an item of the crate that defines them (`use my_tools as _;`)"
    );
    let breaches = breaches(&registry);
    let lines: Vec<String> = breaches.iter().map(Breach::to_string).collect();
    assert!(breaches.is_empty(), "{} broken law(s):\n  {}", breaches.len(), lines.join("\n  "));
}

/// Every law that a tool of `registry` breaks.
pub fn breaches(registry: &Registry) -> Vec<Breach> {
    registry.tools().iter().flat_map(laws::breaches).collect()
}

/// Waits for `future` on this thread: enough for a test that has no runtime.
pub fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut task = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut task) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}
