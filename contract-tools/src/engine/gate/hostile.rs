//! What strangers can make of a prediction: the largest manifest and the largest request, of the costliest kinds. Steps are
//! counted where patterns are matched; here it is seen that the answer says what was not looked at.

use super::tests::{Known, check};
use super::*;
use crate::engine::hostile::{paths, patterns};

/// As many patterns as a manifest holds, with as many wildcards as a pattern holds.
fn hostile_manifest(piece: &str) -> String {
    let quoted: Vec<String> = patterns(piece, 250).iter().map(|pattern| format!("'{pattern}'")).collect();
    let (globs, when) = quoted.split_at(200);
    format!(
        "settings: {{ hardGuardrailGlobs: [{}] }}\nreview:\n  pre_merge_checks:\n    - {{ name: N, title_contains: feat, \
         enforce: true, when_paths: [{}] }}\n",
        globs.join(", "),
        when.join(", ")
    )
}

#[test]
fn what_is_too_much_work_holds_and_is_told() {
    let mut known = Known::under(&hostile_manifest("*a"));
    known.request.changed_paths = paths("a", 500);
    let failed = known.predict();
    assert_eq!((failed.conclusion, failed.blockers.len()), (Conclusion::Failure, 1));
    assert_eq!(failed.blockers[0].code, "pre_merge_check_required");
    assert!(failed.blockers[0].detail.contains("taken to apply"), "{}", failed.blockers[0].detail);
    known.request.title = "feat: retries".to_owned();
    let held = known.predict();
    assert_eq!((held.conclusion, held.warnings.len()), (Conclusion::Neutral, 1));
    assert_eq!(held.warnings[0].code, "guardrail_hold");
    assert!(held.warnings[0].detail.contains("too many and too long"), "{}", held.warnings[0].detail);
    assert!(!held.warnings[0].title.contains("touched"), "{}", held.warnings[0].title);
}

#[test]
fn what_fits_is_looked_at_whole() {
    for piece in ["*a", "**/", "a**/"] {
        let mut known = Known::under(&hostile_manifest(piece));
        known.request.changed_paths = paths("a/", 5);
        check(&known, Conclusion::Success, "", "");
    }
}

#[test]
fn a_text_beyond_what_a_pull_request_can_hold_is_cut_and_told() {
    let mut known = Known::under("gate: { claMode: block, cla: { consentPhrase: I agree } }");
    let note = known.predict().note;
    assert!(!note.contains("characters"), "{note}");
    known.request.body = Some(format!("closes #7 {}I agree", "x".repeat(65_536)));
    check(&known, Conclusion::Failure, "cla_consent_missing", "");
    assert!(known.predict().note.contains("65536 characters"), "{}", known.predict().note);
    known.request.body = Some(format!("closes #7 {}I agree", "x".repeat(65_519)));
    check(&known, Conclusion::Success, "", "");
    known.request.title = "\u{200B}".repeat(5_000);
    assert!(known.predict().note.contains("first 4096"), "{}", known.predict().note);
}
