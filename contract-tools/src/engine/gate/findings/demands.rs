//! What the gate finds by the repository's own manifest: that a linked issue and tests are demanded.

use crate::engine::finding::{Finding, Severity};
use crate::engine::gate::request::GateRequest;
use crate::engine::text::{asks_for_tests, has_validation_note, is_public_safe, is_test_path};

/// How many of the manifest's expectations are quoted.
const QUOTED_EXPECTATIONS: usize = 3;

/// That the manifest demands a linked issue.
pub(super) fn linked_issue_required() -> Finding {
    let detail = "The repository's manifest demands a linked issue, and none is linked";
    Finding::new("manifest_linked_issue_required", Severity::Warning, "The manifest demands a linked issue", detail)
        .with_action("Link the issue that the change closes")
}

/// That code changes without a test among the paths and without a word in the text that it was tested.
pub(super) fn missing_tests(request: &GateRequest, paths: &[String], expectations: &[String]) -> Option<Finding> {
    let is_missing = !expectations.is_empty()
        && paths.iter().any(|path| asks_for_tests(path))
        && !paths.iter().any(|path| is_test_path(path))
        && !has_validation_note(request.body());
    if !is_missing {
        return None;
    }
    let quoted: Vec<&str> = expectations
        .iter()
        .map(String::as_str)
        .filter(|expectation| is_public_safe(expectation))
        .take(QUOTED_EXPECTATIONS)
        .collect();
    let expected =
        if quoted.is_empty() { String::new() } else { format!(". The repository expects: {}", quoted.join("; ")) };
    let detail = format!("Code changes, but no test file does, and the text does not say how it was tested{expected}");
    let finding = Finding::new("manifest_missing_tests", Severity::Warning, "Tests are missing", detail);
    Some(finding.with_action("Add tests, or say in the text how the change was tested and that it passed"))
}
