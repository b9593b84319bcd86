//! Entries made by hand, for registries that must not be the program's own: broken ones, and many of a kind.

use contract_core::__private::{EntryParts, InputOps, InputSource, Invoke, OutputOps, ToolInput, ToolOutput};
use contract_core::schemars::{self, JsonSchema};
use contract_core::{Auth, Availability, Hints, Locality, Source, ToolEntry};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An input with nothing of interest.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
pub(crate) struct Plain {
    /// A word.
    #[schemars(example = &"x")]
    word: String,
}

/// An answer with nothing of interest.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Done {
    /// Always true.
    ok: bool,
}

/// What an entry says when nobody cares.
pub(crate) fn parts<I: ToolInput + 'static, O: ToolOutput + 'static>(name: &'static str) -> EntryParts {
    EntryParts {
        name,
        title: None,
        description: "Takes something and answers nothing of interest.",
        category: "utility",
        auth: Auth::Public,
        locality: Locality::Remote,
        availability: Availability::Both,
        hints: Hints { read_only: true, destructive: false, idempotent: None, open_world: None },
        deprecated: None,
        source: Source { module: module_path!(), file: file!(), line: line!() },
        input: InputSource::Whole {
            schema: InputOps::<I>::of().schema,
            accepts: |arguments| (InputOps::<I>::of().read)(arguments).map(drop),
        },
        output: OutputOps::<O>::of().schema,
        needs: &[],
        examples: None,
        invoke: Invoke::Blocking(|_| Ok(json!({ "ok": true }))),
    }
}

/// The entry of these parts, for as long as the program runs.
pub(crate) fn entry(parts: EntryParts) -> &'static ToolEntry {
    Box::leak(Box::new(ToolEntry::new(parts)))
}

/// A tool that takes `I`.
pub(crate) fn taking<I: ToolInput + 'static>(name: &'static str) -> &'static ToolEntry {
    entry(parts::<I, Done>(name))
}

/// A tool that answers `O`.
pub(crate) fn answering<O: ToolOutput + 'static>(name: &'static str) -> &'static ToolEntry {
    entry(parts::<Plain, O>(name))
}

/// A tool with this description.
pub(crate) fn described(name: &'static str, description: &str) -> &'static ToolEntry {
    let description = Box::leak(description.to_owned().into_boxed_str());
    entry(EntryParts { description, ..parts::<Plain, Done>(name) })
}

/// One of many tools.
pub(crate) fn numbered(number: usize) -> &'static ToolEntry {
    taking::<Plain>(Box::leak(format!("numbered_{number:03}").into_boxed_str()))
}
