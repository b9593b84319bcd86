//! Rules about what the attribute and the doc comment say.

use crate::diagnostics::{self, Errors};
use crate::doc_text::DocText;
use crate::model::Draft;

pub(crate) fn check(draft: &Draft, errors: &mut Errors) {
    required_keys(draft, errors);
    one_description(draft, errors);
    texts_say_something(draft, errors);
    readers_destroy_nothing(draft, errors);
}

fn required_keys(draft: &Draft, errors: &mut Errors) {
    if !draft.args.missing.is_empty() {
        errors.push(diagnostics::missing_keys(&draft.handler.plain_name(), &draft.args.missing));
    }
}

fn one_description(draft: &Draft, errors: &mut Errors) {
    let name = draft.handler.name();
    match (&draft.args.description, &draft.docs) {
        (None, DocText::Missing) => errors.push(diagnostics::undocumented_tool(name)),
        (None, DocText::Blank) => errors.push(diagnostics::blank_docs(name)),
        (Some(description), DocText::Known(_) | DocText::Assembled(_)) => {
            errors.push(diagnostics::described_twice(&draft.handler.plain_name(), description));
        }
        (None, DocText::Known(_) | DocText::Assembled(_)) | (Some(_), DocText::Missing | DocText::Blank) => {}
    }
}

fn texts_say_something(draft: &Draft, errors: &mut Errors) {
    let args = &draft.args;
    for (key, text) in [("title", &args.title), ("description", &args.description), ("deprecated", &args.deprecated)] {
        if let Some(text) = text.as_ref().filter(|text| text.value().trim().is_empty()) {
            errors.push(diagnostics::empty_text(key, text));
        }
    }
}

fn readers_destroy_nothing(draft: &Draft, errors: &mut Errors) {
    let hints = draft.args.hints();
    if let (true, true, Some(destructive)) = (hints.read_only, hints.destructive, &draft.args.destructive) {
        errors.push(diagnostics::destructive_reader(&draft.handler.plain_name(), &destructive.key));
    }
}
