//! Documents that people write, held to the same rules as a tool's arguments: one type is their schema, what does not fit is
//! told with every violation, and what fits can be read.

use std::fmt;
use std::marker::PhantomData;

use jsonschema::Validator;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::arguments::{self, Arguments, Refusal};
use crate::error::{Issue, ToolError};
use crate::{schema, validator};

/// Reads documents of type `T`.
///
/// ```
/// use contract_core::{Document, contract_type};
///
/// /// A shopping list.
/// #[contract_type]
/// struct List {
///     /// What to buy.
///     #[schemars(length(min = 1))]
///     items: Vec<String>,
/// }
///
/// let lists = Document::<List>::new().unwrap();
/// assert_eq!(lists.read(r#"{"items": ["bread"]}"#).unwrap().items, ["bread"]);
/// let error = lists.read(r#"{"items": [], "itmes": 1}"#).err().unwrap();
/// assert_eq!(error.issues().len(), 2);
/// ```
pub struct Document<T> {
    schema: Map<String, Value>,
    validator: Validator,
    of: PhantomData<fn() -> T>,
}

impl<T: JsonSchema + DeserializeOwned> Document<T> {
    /// Derives the schema from the type.
    ///
    /// # Errors
    /// What a contract cannot carry, in a sentence each: recursion, untagged enums, and whatever else no tool may take.
    pub fn new() -> Result<Self, Vec<String>> {
        let (schema, problems) = schema::of_document(|generator| T::json_schema(generator));
        if !problems.is_empty() {
            return Err(problems
                .into_iter()
                .map(|problem| format!("{}: {}", problem.place, problem.message))
                .collect());
        }
        let validator = validator::compile(&Value::Object(schema.clone())).map_err(|error| vec![error.to_string()])?;
        Ok(Self { schema, validator, of: PhantomData })
    }

    /// The schema, as it would be advertised.
    pub fn schema(&self) -> &Map<String, Value> {
        &self.schema
    }

    /// Reads a document.
    ///
    /// # Errors
    /// Every violation of the schema, with its JSON pointer and without what stands there.
    pub fn read(&self, text: impl Into<String>) -> Result<T, ToolError> {
        let sent = arguments::read(Arguments::Text(text.into())).map_err(|refusal| match refusal {
            Refusal::NotAnObject(refused) => {
                let message = format!("must be an object, not {}", refused.found);
                ToolError::invalid_arguments(vec![Issue::new("", "type", message)])
            }
            Refusal::Invalid(error) => error,
        })?;
        let members = arguments::accept(sent, &self.schema, &self.validator)?;
        serde_json::from_value(Value::Object(members)).map_err(|_| arguments::unreadable(""))
    }
}

impl<T> fmt::Debug for Document<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document<{}>", std::any::type_name::<T>())
    }
}
