//! Whether a check counts against a pull request.

/// Whether a check fails: by its conclusion or, while it has none, by its status. An empty conclusion is none.
pub fn is_failing_check(status: &str, conclusion: Option<&str>) -> bool {
    const FAILING: [&str; 7] =
        ["failure", "failed", "timed_out", "cancelled", "action_required", "startup_failure", "error"];
    let outcome = conclusion.filter(|conclusion| !conclusion.is_empty()).unwrap_or(status);
    FAILING.iter().any(|failing| outcome.eq_ignore_ascii_case(failing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conclusion_stands_before_the_status() {
        assert!(is_failing_check("completed", Some("FAILURE")));
        assert!(!is_failing_check("failure", Some("success")));
        assert!(is_failing_check("Timed_Out", None));
        assert!(!is_failing_check("completed", Some(" failure")));
        assert!(!is_failing_check("completed", Some("canceled")));
    }

    #[test]
    fn the_error_of_a_commit_status_fails() {
        assert!(is_failing_check("completed", Some("error")));
        assert!(is_failing_check("error", None));
    }

    #[test]
    fn an_empty_conclusion_hides_no_failing_status() {
        assert!(is_failing_check("failure", Some("")));
        assert!(!is_failing_check("completed", Some("")));
    }
}
