//! What the attribute submits for one handler: a constant record, so that it can stand in a static initialiser.
//!
//! Schemas are built from it lazily; nothing here runs before `main`.

use std::any::TypeId;
use std::future::Future;
use std::pin::Pin;

use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::handler::Call;
use crate::schema::SchemaFn;
use crate::vocabulary::{Auth, Availability, Locality};

/// The whole contract of one tool, as its attribute states it.
///
/// Made by [`#[loopover_tool]`](macro@crate::loopover_tool) and read by [`Registry`](crate::Registry) alone; everything else
/// looks at the [`ToolDefinition`](crate::ToolDefinition) built from it.
#[derive(Debug)]
pub struct ToolEntry(pub(crate) EntryParts);

impl ToolEntry {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(parts: EntryParts) -> Self {
        Self(parts)
    }

    /// The tool's name on the wire.
    pub const fn name(&self) -> &'static str {
        self.0.name
    }

    /// Reads `arguments` as the handler would and drops them.
    pub(crate) fn accepts(&self, mut arguments: Map<String, Value>) -> Result<(), ToolError> {
        match self.0.input {
            InputSource::Whole { accepts, .. } => accepts(&mut arguments),
            InputSource::Flat(properties) => {
                properties.iter().try_for_each(|property| (property.accepts)(&mut arguments))
            }
        }
    }

    /// Where the handler stands.
    pub const fn source(&self) -> &Source {
        &self.0.source
    }
}

/// An entry as `inventory` collects it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Submitted(pub &'static ToolEntry);

inventory::collect!(Submitted);

/// What the attribute fills in.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntryParts {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub category: &'static str,
    pub auth: Auth,
    pub locality: Locality,
    pub availability: Availability,
    pub hints: Hints,
    pub deprecated: Option<&'static str>,
    pub source: Source,
    pub input: InputSource,
    pub output: SchemaFn,
    pub needs: &'static [&'static [Need]],
    pub examples: Option<fn() -> Vec<Value>>,
    pub invoke: Invoke,
}

/// What a client may assume about calling a tool; MCP's `annotations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// The tool changes nothing.
    pub read_only: bool,
    /// The tool may undo or overwrite something; meaningless when it only reads.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more; unstated when `None`.
    pub idempotent: Option<bool>,
    /// It reaches things outside the deployment; unstated when `None`.
    pub open_world: Option<bool>,
}

/// Where a handler stands in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// `module_path!()`.
    pub module: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
}

impl Source {
    /// The crate that the handler is in, as Rust spells it.
    pub fn krate(&self) -> &'static str {
        self.module.split("::").next().unwrap_or(self.module)
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Where the input object comes from.
#[doc(hidden)]
#[derive(Debug)]
pub enum InputSource {
    /// One `#[input]` type is the whole object.
    Whole { schema: SchemaFn, accepts: AcceptsFn },
    /// Each bare parameter is one property, in declared order.
    Flat(&'static [Property]),
}

/// Reads arguments as a handler would, for the laws that ask whether it can.
#[doc(hidden)]
pub(crate) type AcceptsFn = fn(&mut Map<String, Value>) -> Result<(), ToolError>;

/// One bare parameter.
#[doc(hidden)]
#[derive(Debug)]
pub struct Property {
    pub name: &'static str,
    pub description: &'static str,
    pub schema: SchemaFn,
    pub optional: fn() -> bool,
    /// Reads this property as the handler would, and drops it.
    pub accepts: AcceptsFn,
    pub keywords: &'static [Keyword],
    pub default: Option<fn() -> Value>,
    pub example: Option<fn() -> Value>,
}

/// One bound of `#[arg(...)]`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Keyword {
    MinLength(u64),
    MaxLength(u64),
    MinItems(u64),
    MaxItems(u64),
    Minimum(i64),
    Maximum(i64),
    MinimumFloat(f64),
    MaximumFloat(f64),
    Pattern(&'static str),
}

/// Something a handler needs from its server.
#[derive(Clone, Copy)]
pub struct Need {
    /// The type that the server must provide.
    pub id: TypeId,
    /// Its name, for the message when the server does not.
    pub name: fn() -> &'static str,
}

impl Need {
    /// The need for a provided `T`.
    #[must_use]
    pub const fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: std::any::type_name::<T> }
    }
}

impl std::fmt::Debug for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str((self.name)())
    }
}

/// A future that owns all it needs.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send + 'static>>;

/// How the handler is entered: whether it is async decides who may have to wait for it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Invoke {
    /// The handler awaits; dropping its future cancels it.
    Async(fn(Call) -> BoxFuture<Result<Value, ToolError>>),
    /// The handler may block its thread.
    Blocking(fn(Call) -> Result<Value, ToolError>),
}

impl std::fmt::Debug for Invoke {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Async(_) => "Async",
            Self::Blocking(_) => "Blocking",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Invoke, Need, Source};

    #[test]
    fn a_record_is_shown_by_what_it_names() {
        let source = Source { module: "my_tools::plans", file: "src/plans.rs", line: 7 };
        assert_eq!((source.krate(), source.to_string().as_str()), ("my_tools", "src/plans.rs:7"));
        assert_eq!(format!("{:?}", Need::of::<u32>()), "u32");
        assert_eq!(format!("{:?}", Invoke::Blocking(|_| unreachable!("never called"))), "Blocking");
        assert_eq!(format!("{:?}", Invoke::Async(|_| unreachable!("never called"))), "Async");
    }
}
