//! Contract-first tools for LLM agents.
// The attribute expands to absolute paths under this crate's name, also inside it.
extern crate self as contract_core;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod arguments;
mod call;
mod caller;
mod client;
mod context;
mod convention;
mod definition;
mod entry;
mod error;
mod example;
mod handle;
mod handler;
mod json;
pub mod loopover;
mod name;
mod operations;
pub mod projection;
mod registry;
#[cfg(feature = "rmcp")]
pub mod rmcp;
mod schema;
pub mod testing;
mod validator;
pub mod vocabulary;
pub mod wire;

/// Makes a type fit for a contract.
pub use contract_derive::contract_type;
#[doc = include_str!("attribute.md")]
pub use contract_derive::loopover_tool;
pub use schemars;
pub use serde;
pub use serde_json;

pub use self::arguments::Arguments;
pub use self::call::{CallReply, CallRequest, ProtocolFault};
pub use self::caller::{Authorize, Caller, Decision, PublicOnly, TrustProcessOwner};
pub use self::client::Client;
pub use self::context::{CallContext, Clock, Job, Observer, Outcome, ProgressReport, Provided};
pub use self::convention::Convention;
pub use self::definition::{ToolDefinition, ToolFilter};
pub use self::entry::{BoxFuture, Hints, Need, Source, ToolEntry};
pub use self::error::{ErrorCode, Issue, ToolError};
pub use self::example::MissingExample;
pub use self::handle::ContractTool;
pub use self::handler::{Call, Cancelled, FromCall, Progress, State};
pub use self::registry::{MissingStates, MissingTools, Registry, RegistryError, Violation};
pub use self::vocabulary::{Auth, Availability, Categories, Locality};
