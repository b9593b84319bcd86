//! Keys that mean nothing, most often by a slip of the pen: each is told with its name and, where one is near, the name
//! that was meant.

use std::collections::HashSet;

use contract_core::nearest;

use crate::engine::text::{is_public_safe, plain};

use super::reader::{Reader, Section};

/// The longest name that is repeated.
const NAME_UNITS: usize = 60;

/// Whether a section may have keys that are not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// All that it may have are known.
    Closed,
    /// The live gate reads more: only what is nearly a known key is a slip.
    Open,
}

/// Tells the keys of a section that are not among the known ones.
pub(super) fn warn_of_unknown_keys(reader: &mut Reader, section: Section<'_>, known: &[&[&str]], keys: Keys) {
    let mut seen = HashSet::new();
    for (key, _) in section.mapping.into_iter().flat_map(|mapping| &mapping.0) {
        if known.iter().any(|known| known.contains(&key.as_str())) || !seen.insert(key) {
            continue;
        }
        // Looking for the key that was meant takes a while, and a file may have thousands of wrong ones.
        if !reader.has_room() && keys == Keys::Closed {
            reader.count_untold();
            continue;
        }
        let meant = nearest(key, known.iter().copied().flatten().copied());
        if reader.has_room() && (meant.is_some() || keys == Keys::Closed) {
            reader.warn(told(section, key, meant));
        }
    }
}

fn told(section: Section<'_>, key: &str, meant: Option<&str>) -> String {
    let name = plain(key, NAME_UNITS);
    let place = if section.path.is_empty() { "at the top of the file" } else { section.path };
    let subject = if name.trim().is_empty() || !is_public_safe(&name) {
        format!("a key {}{place}", if section.path.is_empty() { "" } else { "of " })
    } else {
        section.name(&name)
    };
    let meant = meant.map(|meant| format!("; did you mean {}?", section.name(meant))).unwrap_or_default();
    format!("{subject} is left out: no such key is known{meant}")
}
