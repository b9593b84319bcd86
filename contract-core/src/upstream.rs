//! Another server that answers in place of a handler. The door asks it where it would enter the handler: everything before
//! and after that step, the arguments and the answer held against the contract included, is the same for both.

use serde_json::{Map, Value};

use crate::definition::ToolDefinition;
use crate::entry::BoxFuture;
use crate::error::ToolError;
use crate::handler::Progress;
use crate::vocabulary::Auth;

/// A server that has tools of the same registry. Lent to a call with [`CallContext::with_upstream`].
///
/// [`CallContext::with_upstream`]: crate::CallContext::with_upstream
pub trait Upstream: Send + Sync {
    /// Whether this tool is answered there, and its handler here is not entered.
    fn answers(&self, tool: &ToolDefinition) -> bool;

    /// Asks there. Dropping the future withdraws the question.
    ///
    /// The answer is held against the tool's output schema; what does not fit is an `upstream_error` that names the place.
    fn ask(&self, call: Forwarded) -> BoxFuture<Result<Value, ToolError>>;
}

/// A call that passed the door and is to be answered elsewhere.
pub struct Forwarded {
    /// The tool's name.
    pub tool: &'static str,
    /// The least that its caller must be.
    pub auth: Auth,
    /// The arguments as they were given; they are valid.
    pub arguments: Map<String, Value>,
    /// Where reports about the call go.
    pub progress: Progress,
}

impl std::fmt::Debug for Forwarded {
    /// Never says what the arguments are: they may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Forwarded").field("tool", &self.tool).finish_non_exhaustive()
    }
}
