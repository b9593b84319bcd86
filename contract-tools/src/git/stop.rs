//! How a caller takes back a read that is under way, in words that know no server.

use std::fmt;
use std::sync::Arc;

/// A question that is asked now and then while git works; once the answer is yes, git is killed and the read ends.
#[derive(Clone, Default)]
pub struct StopWhen(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopWhen {
    /// Stops once the question is answered with yes.
    pub fn new(question: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(question)))
    }

    /// Whether nobody waits for the read any more.
    pub(super) fn is_due(&self) -> bool {
        self.0.as_ref().is_some_and(|question| question())
    }
}

impl fmt::Debug for StopWhen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "StopWhen(..)" } else { "StopWhen(never)" })
    }
}
