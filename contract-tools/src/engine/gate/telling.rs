//! The prediction in words: a title, a summary, and what was not looked at.

use super::evaluate::{Disposition, Evaluation};
use super::request::{BODY_UNITS, SeenText, TITLE_UNITS};
use crate::engine::finding::Finding;

/// The title and the summary of a prediction.
pub(super) fn title_and_summary(evaluation: &Evaluation) -> (String, String) {
    match evaluation.disposition {
        Disposition::NotEvaluated => (
            "Not evaluated yet".to_owned(),
            "Data is still being synced, or a required check has no result yet. The gate evaluates again by itself"
                .to_owned(),
        ),
        Disposition::Held | Disposition::HeldAsDuplicate => (
            "Held for a maintainer".to_owned(),
            format!("Nothing else blocks, and a maintainer decides. It is held by: {}", evaluation.holds.join("; ")),
        ),
        Disposition::Passed => (
            "Passed".to_owned(),
            "No rule that the repository configured blocks. Advisory findings stay advisory".to_owned(),
        ),
        Disposition::Failed => (failed_title(&evaluation.blockers), failed_summary(&evaluation.blockers)),
    }
}

fn failed_title(blockers: &[Finding]) -> String {
    match blockers {
        [blocker] => format!("Failed: {}", blocker.title),
        _ => format!("Failed: {} findings block", blockers.len()),
    }
}

fn failed_summary(blockers: &[Finding]) -> String {
    let told = |blocker: &Finding| match &blocker.action {
        Some(action) => format!("{}: {action}", blocker.title),
        None => blocker.title.clone(),
    };
    blockers.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// Whether the caller said which paths would change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownPaths {
    /// They did.
    Supplied,
    /// They did not.
    Missing,
}

/// What a reader has to know about every prediction.
pub(super) fn note(paths: KnownPaths, text: SeenText) -> String {
    let always = "The prediction uses the repository's public configuration and defaults. Private overrides and the AI \
                  reviewers' blockers are not evaluated, nor is the slop score, which may still fail the real gate. Every \
                  author is gated the same.";
    let about_paths = match paths {
        KnownPaths::Missing => {
            "Supply the changed paths to have path policy, the size and guardrail holds and checks for certain paths \
             evaluated"
        }
        KnownPaths::Supplied => "The size prediction counts files only, not lines",
    };
    let about_text = match text {
        SeenText::Whole => String::new(),
        SeenText::Beginning => {
            format!(
                ". Of the title the first {TITLE_UNITS} and of the text the first {BODY_UNITS} characters are looked at"
            )
        }
    };
    format!("{always} {about_paths}{about_text}")
}
