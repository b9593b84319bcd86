//! Who is calling and what that lets them do: the identity travels with the call, the policy that judges it belongs to the
//! server.

use std::any::Any;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::call::guard::guarded;
use crate::definition::ToolDefinition;
use crate::entry::BoxFuture;
use crate::error::ErrorCode;
use crate::vocabulary::Auth;

/// Who is calling.
///
/// Core knows only whether there is a credential; what it stands for is the server's own type, which its
/// [`Authorize`] policy and its handlers get back with [`Caller::identity`].
#[derive(Clone)]
pub struct Caller {
    identity: Option<Arc<dyn Any + Send + Sync>>,
}

impl Caller {
    /// A caller without a credential.
    pub fn anonymous() -> Self {
        Self { identity: None }
    }

    /// A caller whose credential was checked and stands for `identity`.
    pub fn authenticated<I: Send + Sync + 'static>(identity: I) -> Self {
        Self { identity: Some(Arc::new(identity)) }
    }

    /// Whether there is no credential.
    pub fn is_anonymous(&self) -> bool {
        self.identity.is_none()
    }

    /// What the credential stands for, when it is an `I`.
    pub fn identity<I: 'static>(&self) -> Option<&I> {
        self.identity.as_deref()?.downcast_ref()
    }
}

impl std::fmt::Debug for Caller {
    /// Says whether there is a credential, never which.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_anonymous() { "Caller(anonymous)" } else { "Caller(authenticated)" })
    }
}

/// What a policy says about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Allow,
    /// Refuse; the sentence tells the caller what would be needed.
    Deny(String),
    /// Answer with this error: what stands in the way is not who is calling.
    Fail(ErrorCode, String),
}

/// The server's rules about who may call what. No call passes the door without one.
///
/// The level gates listing and entry, before any argument is looked at, and the same answer decides both; the admission is
/// asked once for each call that the level lets in; the scope gates the validated arguments, so it can trust that they are
/// what the schema says.
pub trait Authorize: Send + Sync {
    /// Whether this caller may see and enter `tool` at all.
    fn level(&self, caller: &Caller, tool: &ToolDefinition) -> Decision;

    /// Whether this call, which the level let in, may go on now: where calls are counted. The default lets every one.
    fn admit(&self, caller: &Caller, tool: &ToolDefinition) -> Decision {
        let _ = (caller, tool);
        Decision::Allow
    }

    /// Whether this caller may call `tool` with these arguments. May look things up; the default allows what the level did.
    fn scope(&self, caller: &Caller, tool: &ToolDefinition, arguments: &Map<String, Value>) -> BoxFuture<Decision> {
        let _ = (caller, tool, arguments);
        Box::pin(std::future::ready(Decision::Allow))
    }
}

impl<P: Authorize + ?Sized> Authorize for Arc<P> {
    fn level(&self, caller: &Caller, tool: &ToolDefinition) -> Decision {
        (**self).level(caller, tool)
    }

    fn admit(&self, caller: &Caller, tool: &ToolDefinition) -> Decision {
        (**self).admit(caller, tool)
    }

    fn scope(&self, caller: &Caller, tool: &ToolDefinition, arguments: &Map<String, Value>) -> BoxFuture<Decision> {
        (**self).scope(caller, tool, arguments)
    }
}

/// Whether `policy` lets `caller` see and enter `tool`. A policy that panics lets nobody in.
pub(crate) fn level(policy: &dyn Authorize, caller: &Caller, tool: &ToolDefinition) -> Decision {
    guarded(|| policy.level(caller, tool))
        .unwrap_or_else(|_| Decision::Deny("the server could not judge this call; tell its operator".to_owned()))
}

/// The policy of a process that serves the person who started it: the operating system already decided who that is.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrustProcessOwner;

impl Authorize for TrustProcessOwner {
    fn level(&self, _: &Caller, _: &ToolDefinition) -> Decision {
        Decision::Allow
    }
}

/// The policy of a server without credentials: `public` tools and no others.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublicOnly;

impl Authorize for PublicOnly {
    fn level(&self, _: &Caller, tool: &ToolDefinition) -> Decision {
        if tool.auth() == Auth::Public {
            return Decision::Allow;
        }
        Decision::Deny(format!(
            "`{}` needs a credential of level `{}`, and this server takes none",
            tool.name(),
            tool.auth()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Caller;

    #[test]
    fn an_identity_comes_back_as_its_own_type_only() {
        let caller = Caller::authenticated(7_u32);
        assert_eq!(caller.identity::<u32>(), Some(&7));
        assert_eq!(caller.identity::<u64>(), None);
        assert!(!caller.is_anonymous() && Caller::anonymous().is_anonymous());
        assert_eq!(format!("{caller:?}"), "Caller(authenticated)");
    }
}
