//! What generated code names: the one door between the attribute's expansion and this crate. Not public API.

pub use ::inventory;
pub use ::serde;
pub use ::serde_json::Value;

pub use crate::entry::{
    BoxFuture, EntryParts, Hints, InputSource, Invoke, Keyword, Need, Property, Source, Submitted, ToolEntry,
};
pub use crate::error::ToolError;
pub use crate::handle::ContractTool;
pub use crate::handler::Call;
pub use crate::name::check_tool_name;
pub use crate::operations::{
    ArgOps, DefaultOps, ErrorOps, InjectOps, InputOps, NotResult, OutputOps, Probe, Returns, ToolArg, ToolDefault,
    ToolInput, ToolOutput, examples_of, to_json,
};
pub use crate::vocabulary::words::{deserialize_word, position, refuse_word, schema_of_words};
pub use crate::vocabulary::{Auth, Availability, Categories, Locality};
