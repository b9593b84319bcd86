//! What several engines read out of words and paths: one file a rule, so that all of them read alike.
//!
//! Texts come from strangers. Every rule here takes time that grows with the length of its text and no faster; lengths
//! are counted in UTF-16 units where the limits of the rules are.

mod units;
mod patterns;
mod association;
mod failing_check;
mod label_glob;
mod linked_references;
mod path_class;
mod rationale;
mod terms;
mod validation_note;

pub use association::is_maintainer_association;
pub use failing_check::is_failing_check;
pub use label_glob::LabelGlob;
pub use linked_references::{KeptFirst, LinkedReferences, MOST_REFERENCES, linked_references};
pub use path_class::{
    PathCategory, asks_for_tests, category, file_priority, is_code_path, is_meaningful, is_test_path,
};
pub use rationale::has_no_issue_rationale;
pub use terms::{Overlap, Terms, item_terms, normalized_title, terms, title_terms};
pub use units::{cut_units, unit_count};
pub use validation_note::has_validation_note;
