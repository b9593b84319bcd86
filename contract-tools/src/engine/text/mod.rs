//! What several engines read out of words and paths: one file a rule, so that all of them read alike.
//!
//! Texts come from strangers. Every rule here takes time that grows with the length of its text and no faster; lengths
//! are counted in UTF-16 units where the limits of the rules are.

mod units;
mod patterns;
mod association;
mod failing_check;
mod label_glob;
mod containers;
mod linked_references;
mod path_class;
mod path_text;
mod public_safe;
mod rationale;
mod redaction;
mod terms;
mod validation_note;

pub use association::is_maintainer_association;
pub use failing_check::is_failing_check;
pub use label_glob::LabelGlob;
pub use linked_references::{KeptFirst, LinkedReferences, MOST_REFERENCES, linked_references};
pub use path_class::{
    PathCategory, asks_for_tests, category, file_priority, is_code_path, is_meaningful, is_test_path,
};
pub use path_text::normalized_path;
pub use patterns::trim_spaces;
pub use public_safe::is_public_safe;
pub use rationale::has_no_issue_rationale;
pub use redaction::{REDACTED, redacted, redacted_line};
pub use terms::{Overlap, Terms, item_terms, normalized_title, terms, title_terms};
pub use units::{cut_units, unit_count};
pub use validation_note::has_validation_note;
