//! What a contract asks of a type, as tables of functions with one bounded constructor each.
//!
//! Generated code builds each table once per written type and copies its pointers everywhere else, so a type that does not
//! fit is one error, under that type.
#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "the tables are private to generated code; each says at its type what it asks"
)]

use std::convert::Infallible;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::arguments::{join, unreadable};
use crate::entry::Need;
use crate::error::ToolError;
use crate::handler::{Call, FromCall};
use crate::json;
use crate::schema::SchemaFn;

/// A type that can be one argument of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "not readable from a call",
    note = "if the server supplies it rather than the caller, write `#[inject]` before it",
    note = "if the caller sends it, put `#[contract_type]` on `{Self}`, or derive `Deserialize` and `JsonSchema` for it"
)]
pub trait ToolArg: DeserializeOwned + JsonSchema {}
impl<T: DeserializeOwned + JsonSchema> ToolArg for T {}

/// A type that can be a tool's whole input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a tool",
    label = "not readable from a call",
    note = "put `#[contract_type]` on `{Self}`, or derive `Deserialize` and `JsonSchema` for it"
)]
pub trait ToolInput: DeserializeOwned + JsonSchema {}
impl<T: DeserializeOwned + JsonSchema> ToolInput for T {}

/// A type that can be a tool's answer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a tool",
    label = "not writable as an answer",
    note = "put `#[contract_type]` on `{Self}`, or derive `Serialize` and `JsonSchema` for it"
)]
pub trait ToolOutput: Serialize + JsonSchema {}
impl<T: Serialize + JsonSchema> ToolOutput for T {}

/// A type that can be the default of an argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a default in a contract",
    label = "not writable as JSON",
    note = "derive `Serialize` for `{Self}`, so that its default can stand in the schema"
)]
pub trait ToolDefault: Serialize {}
impl<T: Serialize> ToolDefault for T {}

/// Takes one argument out of the rest: by its name, with what to take when it is not there.
pub(crate) type ReadArgument<T> = fn(&mut Map<String, Value>, &'static str, Option<fn() -> T>) -> Result<T, ToolError>;

/// What is asked of one bare parameter's type.
pub struct ArgOps<T> {
    pub schema: SchemaFn,
    pub optional: fn() -> bool,
    pub read: ReadArgument<T>,
}

impl<T> Clone for ArgOps<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for ArgOps<T> {}

impl<T> ArgOps<T> {
    #[must_use]
    pub const fn of() -> Self
    where
        T: ToolArg,
    {
        Self { schema: subschema::<T>, optional: is_optional::<T>, read: read_argument::<T> }
    }
}

/// What is asked of a default.
pub struct DefaultOps<T> {
    pub json: fn(fn() -> T) -> Value,
}

impl<T> DefaultOps<T> {
    #[must_use]
    pub const fn of() -> Self
    where
        T: ToolDefault,
    {
        Self { json: |default| to_json(&default()) }
    }
}

/// What is asked of an `#[inject]` parameter's type.
pub struct InjectOps<T> {
    pub needs: &'static [Need],
    pub read: fn(&Call) -> Result<T, ToolError>,
}

impl<T> InjectOps<T> {
    #[must_use]
    pub const fn of() -> Self
    where
        T: FromCall,
    {
        Self { needs: T::NEEDS, read: T::from_call }
    }
}

/// What is asked of an `#[input]` parameter's type.
pub struct InputOps<T> {
    pub schema: SchemaFn,
    pub read: fn(&mut Map<String, Value>) -> Result<T, ToolError>,
}

impl<T> InputOps<T> {
    #[must_use]
    pub const fn of() -> Self
    where
        T: ToolInput,
    {
        Self { schema: subschema::<T>, read: read_input::<T> }
    }
}

/// What is asked of a handler's answer.
pub struct OutputOps<T> {
    pub schema: SchemaFn,
    pub write: fn(T) -> Result<Value, ToolError>,
}

impl<T> OutputOps<T> {
    #[must_use]
    pub const fn of() -> Self
    where
        T: ToolOutput,
    {
        Self { schema: subschema::<T>, write: write_output::<T> }
    }
}

/// What is asked of a handler's error.
pub struct ErrorOps<E> {
    pub into: fn(E) -> ToolError,
}

impl<E> ErrorOps<E> {
    #[must_use]
    pub const fn of() -> Self
    where
        ToolError: From<E>,
    {
        Self { into: ToolError::from }
    }
}

fn subschema<T: JsonSchema>(generator: &mut SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<T>()
}

fn read_argument<T: DeserializeOwned>(
    arguments: &mut Map<String, Value>,
    name: &'static str,
    default: Option<fn() -> T>,
) -> Result<T, ToolError> {
    match (arguments.shift_remove(name), default) {
        (Some(value), _) => deserialize(value, &join("", name)),
        (None, Some(default)) => Ok(default()),
        // serde's own rule for a missing field: an `Option` is `None`, everything else is an error.
        (None, None) => T::deserialize(Absent).map_err(|_| unreadable(join("", name))),
    }
}

fn read_input<T: DeserializeOwned>(arguments: &mut Map<String, Value>) -> Result<T, ToolError> {
    deserialize(Value::Object(std::mem::take(arguments)), "")
}

/// A failure here is a gap between schema and serde; the place is all that may be said about it.
fn deserialize<T: DeserializeOwned>(value: Value, pointer: &str) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer = error.path().iter().fold(pointer.to_owned(), |pointer, step| match step {
            serde_path_to_error::Segment::Seq { index } => join(&pointer, index),
            serde_path_to_error::Segment::Map { key } => join(&pointer, json::shown(key)),
            serde_path_to_error::Segment::Enum { .. } | serde_path_to_error::Segment::Unknown => pointer,
        });
        unreadable(pointer)
    })
}

fn write_output<T: Serialize>(output: T) -> Result<Value, ToolError> {
    serde_json::to_value(output)
        .map_err(|error| ToolError::unknown("the tool's answer cannot be written as JSON").caused_by(error))
}

/// The JSON of an example or a default; what cannot be written is null, which no contract accepts as either.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The JSON of each example.
pub fn examples_of<T: Serialize>(examples: impl IntoIterator<Item = T>) -> Vec<Value> {
    examples.into_iter().map(|example| to_json(&example)).collect()
}

fn is_optional<T: DeserializeOwned>() -> bool {
    T::deserialize(Absent).is_ok()
}

/// A member that is not there, as serde's derive sees it.
struct Absent;

impl<'de> serde::Deserializer<'de> for Absent {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("absent"))
    }

    fn deserialize_option<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Asks whether a written return type is a `Result`, through aliases too.
pub struct Probe<R>(PhantomData<R>);

/// The answer for everything that is none; the inherent constant of a `Result` wins over it.
pub trait NotResult {
    const IS_RESULT: bool = false;
}
impl<R> NotResult for Probe<R> {}
impl<O, E> Probe<Result<O, E>> {
    pub const IS_RESULT: bool = true;
}

/// Splits what a handler returns into answer and error.
pub trait Returns<const IS_RESULT: bool> {
    type Output;
    type Error;
    fn split(self) -> Result<Self::Output, Self::Error>;
}

impl<O> Returns<false> for O {
    type Output = O;
    type Error = Infallible;

    fn split(self) -> Result<O, Infallible> {
        Ok(self)
    }
}

impl<O, E> Returns<true> for Result<O, E> {
    type Output = O;
    type Error = E;

    fn split(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{
        ArgOps, DefaultOps, ErrorOps, InputOps, NotResult as _, OutputOps, Probe, Returns, examples_of, to_json,
    };
    use crate::ToolError;

    #[test]
    fn an_argument_is_read_defaulted_or_absent() {
        let ops = ArgOps::<Option<u32>>::of();
        let mut arguments = Map::from_iter([("a".to_owned(), json!(7)), ("b".to_owned(), json!("x"))]);
        assert_eq!((ops.read)(&mut arguments, "a", None).unwrap(), Some(7));
        assert_eq!((ops.read)(&mut arguments, "a", None).unwrap(), None, "it was taken");
        assert!((ops.optional)() && !(ArgOps::<u32>::of().optional)());
        let number = ArgOps::<u32>::of();
        assert_eq!((number.read)(&mut arguments, "c", Some(|| 5)).unwrap(), 5);
        for (name, pointer) in [("b", "/b"), ("c", "/c")] {
            let error = (number.read)(&mut arguments, name, None).unwrap_err();
            assert_eq!(error.issues()[0].pointer, pointer);
            assert!(!error.message().contains("invalid type"), "{error}");
        }
        assert_eq!((DefaultOps::<u32>::of().json)(|| 5), json!(5));
    }

    #[test]
    fn a_place_that_cannot_be_read_is_named_without_serdes_text() {
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[expect(dead_code, reason = "only whether it reads is of interest")]
        struct Whole {
            items: Vec<std::collections::BTreeMap<String, u8>>,
        }
        let mut arguments = Map::from_iter([("items".to_owned(), json!([{}, { "a/b": 256 }]))]);
        let error = (InputOps::<Whole>::of().read)(&mut arguments).unwrap_err();
        assert_eq!(error.issues()[0].pointer, "/items/1/a~1b");
        assert!(!error.message().contains("256"), "{error}");
    }

    #[test]
    fn an_answer_that_is_no_json_is_an_error() {
        #[derive(serde::Serialize, schemars::JsonSchema)]
        struct Bad {
            #[serde(serialize_with = "refuse")]
            x: u32,
        }
        #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field")]
        fn refuse<S: serde::Serializer>(_: &u32, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("secret"))
        }
        let error = (OutputOps::<Bad>::of().write)(Bad { x: 1 }).unwrap_err();
        assert!(!error.message().contains("secret"));
        assert_eq!(to_json(&Bad { x: 1 }), json!(null));
        assert_eq!(examples_of([1, 2]), [json!(1), json!(2)]);
    }

    #[test]
    fn a_result_is_told_from_everything_else_through_aliases() {
        type Answer<T> = Result<T, ToolError>;
        const { assert!(Probe::<Answer<u32>>::IS_RESULT && !Probe::<u32>::IS_RESULT) };
        assert_eq!(<u32 as Returns<false>>::split(7).unwrap(), 7);
        let failed: Answer<u32> = Err(ToolError::not_found("x"));
        let error = <Answer<u32> as Returns<true>>::split(failed).unwrap_err();
        assert_eq!((ErrorOps::<ToolError>::of().into)(error).message(), "x");
    }
}
