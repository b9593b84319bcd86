//! Contract-first tools for LLM agents: one attribute on a function is the whole contract of a tool.
//!
//! ```
//! use std::time::SystemTime;
//!
//! use contract_core::testing::block_on;
//! use contract_core::{CallContext, Caller, Client, Clock, PublicOnly, Registry, contract_type, loopover_tool};
//!
//! /// How many words there are.
//! #[contract_type]
//! pub struct WordCount {
//!     /// Words between white space.
//!     pub words: usize,
//! }
//!
//! /// Count the words of a text, as white space divides them.
//! #[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
//! pub fn count_words(
//!     /// The text to look at.
//!     #[arg(max_length = 10_000, example = "one two")]
//!     text: String,
//! ) -> WordCount {
//!     WordCount { words: text.split_whitespace().count() }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::collect()?;
//! let client = Client::new(registry, Caller::anonymous(), PublicOnly, || CallContext::new(Clock::new(SystemTime::now)));
//! let answer = block_on(client.call::<CountWords>(CountWordsInput { text: "three words here".to_owned() }))?;
//! assert_eq!(answer.words, 3);
//! # Ok(())
//! # }
//! ```
//!
//! - [`loopover_tool`] makes a tool of a function and documents every key; [`contract_type`] makes a type fit for one.
//! - [`Registry`] collects what every linked crate submitted, refuses what breaks a [`Convention`], and is the one door to a
//!   handler ([`Registry::call`]).
//! - [`projection`] turns definitions into documents for clients and providers.
//! - [`testing`] holds every tool that a binary links to the laws, in one call.
//! - With the feature `rmcp`, the module `rmcp` serves any slice of a registry over the official MCP crate.
//!
//! # Limits
//!
//! This crate is a leaf: it has no file system, network, environment, threads, timers or runtime. Time, states and a place to
//! block are handed in with a [`CallContext`]. A crate whose tools nobody names is not linked and its tools are absent without
//! a word; [`Registry::require`] says so at start. A panic is caught where panics unwind; with `panic = "abort"` it is not.

// The attribute expands to absolute paths under this crate's name, also inside it.
extern crate self as contract_core;

// In reading order: the words, the record a handler submits, what a handler may ask for, …
pub mod vocabulary;
pub mod loopover;
mod name;
mod entry;
mod handle;
mod handler;
mod operations;
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// … how a contract is built and held to its rules, …
mod convention;
mod definition;
mod schema;
mod validator;
mod believable;
mod example;
mod registry;

// … how a call gets in and out, …
pub mod wire;
mod json;
mod arguments;
mod caller;
mod context;
mod upstream;
mod error;
mod call;
mod client;
mod document;
#[cfg(feature = "rmcp")]
pub mod rmcp;

// … and what is told to others and tested.
pub mod projection;
pub mod evolution;
pub mod lint;
pub mod testing;

#[doc = include_str!("contract_type.md")]
pub use contract_derive::contract_type;
#[doc = include_str!("attribute.md")]
pub use contract_derive::loopover_tool;
pub use schemars;
pub use serde;
pub use serde_json;

pub use self::arguments::{Arguments, nearest};
pub use self::call::{CallReply, CallRequest, ProtocolFault};
pub use self::caller::{Authorize, Caller, Decision, PublicOnly, TrustProcessOwner};
pub use self::client::Client;
pub use self::context::{CallContext, Clock, Job, Observer, Outcome, ProgressReport, Provided};
pub use self::convention::Convention;
pub use self::definition::{ToolDefinition, ToolFilter};
pub use self::document::Document;
pub use self::entry::{BoxFuture, Hints, Need, Source, ToolEntry};
pub use self::error::{ErrorCode, Issue, ToolError};
pub use self::example::MissingExamples;
pub use self::handle::ContractTool;
pub use self::handler::{Call, Cancelled, FromCall, Progress, State};
pub use self::registry::{MissingStates, MissingTools, Registry, RegistryError, Violation};
pub use self::upstream::{Forwarded, Upstream};
pub use self::vocabulary::{Auth, Availability, Categories, Locality};
