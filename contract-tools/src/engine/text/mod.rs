//! What several engines read out of words and paths: one file a rule, so that all of them read alike.
//!
//! Texts come from strangers. Every rule here takes time that grows with the length of its text and no faster; lengths
//! are counted in UTF-16 units where the limits of the rules are.

mod units;
mod unseen;
mod patterns;
mod association;
mod failing_check;
mod label_glob;
mod containers;
mod linked_references;
mod path_class;
mod path_text;
mod plain;
mod public_safe;
mod rationale;
mod redaction;
mod terms;
mod validation_note;
mod wildcards;

pub(crate) use crate::document::trim_spaces;
pub use association::is_maintainer_association;
pub use failing_check::is_failing_check;
pub use label_glob::{ComparedLabel, LabelGlob};
pub use linked_references::{KeptFirst, LinkedReferences, MOST_REFERENCES, linked_references};
pub use path_class::{
    PathCategory, asks_for_tests, category, file_priority, is_code_path, is_meaningful, is_test_path,
};
pub use path_text::normalized_path;
pub use plain::{plain, plain_whole};
pub use public_safe::is_public_safe;
pub use rationale::has_no_issue_rationale;
pub use redaction::{REDACTED, redacted, redacted_line};
pub use terms::{Overlap, Terms, item_terms, normalized_title, terms, title_terms};
pub use units::{cut_units, unit_count};
pub use unseen::is_blank;
pub use validation_note::has_validation_note;
pub use wildcards::{Effort, Parts, Reach, Wildcards};

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule whose time grew faster than its text would not come back before anybody has stopped waiting.
    #[test]
    fn no_rule_takes_more_time_than_its_text_is_long() {
        let pieces = [
            "a",
            "\u{200B}",
            "\u{301}",
            " ",
            "/",
            ".",
            "score 1.",
            "estimated score ",
            "reviewability-",
            "no issue ",
            "docs - ",
            "not tested: ",
            "test_",
            "a_test.",
            "**/",
            "[!a-",
            "closes a/b#",
            "> - ",
            "\\",
        ];
        for piece in pieces {
            let text = piece.repeat(200_000 / piece.len());
            let body = format!("{text} closes #1");
            assert!(linked_references(&body, &text, KeptFirst::ByForm).numbers.len() <= 1);
            assert!(terms(&text).len() <= 3 && normalized_title(&text).len() <= 900);
            assert!(file_priority(&text) <= 4 && normalized_path(&text).len() <= text.len());
            assert!(!is_failing_check(&text, None) && !is_maintainer_association(Some(&text)));
            let glob = LabelGlob::new(&text);
            assert_eq!(glob.matches(&ComparedLabel::new(&text), &mut Effort::default()), Some(false));
            assert!(redacted_line(&text).len() <= redacted(&text).len(), "{piece:?}");
            // What these say depends on the piece; that they say it is enough.
            let _ = (is_test_path(&text), category(&text), trim_spaces(&text), is_public_safe(&text));
            let _ = (has_no_issue_rationale(&text, Some(&text)), has_validation_note(&text));
        }
    }
}
