//! Takes secrets out of a configuration's text and leaves the rest as it is written.
//!
//! A value is secret by the name of its key, wherever an alias carries it to, and by its own shape: a known kind of token,
//! a password in an address, an assignment to a secret name. A text that is no YAML and no JSON is cut more roughly, line by
//! line; what stands behind a secret name is never shown.

mod loose;
mod names;
mod outline;
mod shapes;

use std::ops::Range;

use outline::{Outline, Scalar};

use crate::privacy::MARK;

/// A text without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redacted {
    /// What may be shown.
    pub(super) text: String,
    /// How many values were taken out.
    pub(super) count: usize,
}

/// `text` without secrets; nothing when that cannot be made sure of.
pub(super) fn redact(text: &str) -> Option<Redacted> {
    let Some(outline) = Outline::read(text) else {
        let redacted = loose::redact(text);
        return (loose::redact(&redacted.text).count == 0).then_some(redacted);
    };
    let redacted = by_structure(text, &outline);
    // What was taken out must not come back, and what was readable must stay so.
    let is_clean = Outline::read(&redacted.text).is_some_and(|again| by_structure(&redacted.text, &again).count == 0);
    is_clean.then_some(redacted)
}

fn by_structure(text: &str, outline: &Outline) -> Redacted {
    let secrets = outline.secrets();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (index, scalar) in outline.scalars() {
        edits.extend(shown(scalar, secrets.contains(&index)).map(|shown| (scalar.range.clone(), shown)));
    }
    for range in outline.comments(text) {
        let redacted = loose::redact(&text[range.clone()]);
        if redacted.count > 0 {
            edits.push((range, redacted.text));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut reached = 0;
    for (range, shown) in &edits {
        // A comment behind the mark of a block goes with the block.
        let Some(between) = text.get(reached..range.start) else { continue };
        out.push_str(between);
        out.push_str(shown);
        reached = range.end;
    }
    out.push_str(&text[reached..]);
    Redacted { text: out, count: edits.len() }
}

/// What stands in a scalar's place; nothing when it may stay.
fn shown(scalar: &Scalar, is_secret: bool) -> Option<String> {
    let value = if is_secret { MARK.to_owned() } else { written_secrets(&scalar.value)? };
    // A text in quotation marks on one line, which JSON and YAML read alike wherever it stands.
    let quoted = serde_json::to_string(&value).ok()?;
    Some(if scalar.ends_line { quoted + "\n" } else { quoted })
}

/// A value without what is written in it: it may be a script, an environment or a document of its own.
fn written_secrets(value: &str) -> Option<String> {
    let redacted = loose::redact(value);
    (redacted.count > 0).then_some(redacted.text)
}

#[cfg(test)]
mod tests;
