//! Whether the text of a pull request has what its repository asks for.

use std::collections::{HashMap, HashSet};

use crate::engine::finding::{Finding, Severity};
use crate::engine::text::{Effort, normalized_path};

use super::model::PreMergeCheck;
use super::path_pattern::PathPattern;

/// What the checks look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlannedText<'a> {
    /// The title.
    pub title: &'a str,
    /// The body; none is as good as empty.
    pub body: Option<&'a str>,
    /// The labels.
    pub labels: &'a [String],
    /// The changed paths; nothing while they are unknown, when only checks without paths apply.
    pub changed_paths: Option<&'a [String]>,
}

/// One finding for each check that applies and is not met, in the order of the checks. A check whose paths are too much work
/// to try is taken to apply, and its finding says so: it may be enforced, and silence would let the change pass.
pub fn pre_merge_findings(checks: &[PreMergeCheck], planned: &PlannedText<'_>, effort: &mut Effort) -> Vec<Finding> {
    let paths = planned.changed_paths.unwrap_or_default().iter().map(|path| normalized_path(path)).collect();
    let mut patterns = SeenPatterns { paths, seen: HashMap::new(), effort };
    let planned = LoweredText::new(planned);
    let mut findings = Vec::new();
    for check in checks {
        let unmet = check.unmet(&planned);
        // Most checks are met, and then it matters to nobody whether they apply.
        if !unmet.is_empty() {
            findings.extend(check.finding(&unmet, patterns.application(check)));
        }
    }
    findings
}

/// Whether a check applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Application {
    /// It does.
    Applies,
    /// It does not.
    Passes,
    /// Its patterns could not all be tried.
    Untried,
}

/// Which patterns fit one of the paths. Checks share patterns, by an alias all of them, so each is read and tried once.
struct SeenPatterns<'a, 'b> {
    paths: Vec<String>,
    seen: HashMap<&'a str, Option<bool>>,
    effort: &'b mut Effort,
}

impl<'a> SeenPatterns<'a, '_> {
    fn application(&mut self, check: &'a PreMergeCheck) -> Application {
        if check.when_paths.is_empty() {
            return Application::Applies;
        }
        let mut application = Application::Passes;
        for pattern in &check.when_paths {
            match self.fits(pattern) {
                Some(true) => return Application::Applies,
                Some(false) => {}
                None => application = Application::Untried,
            }
        }
        application
    }

    fn fits(&mut self, pattern: &'a str) -> Option<bool> {
        let (paths, effort) = (&self.paths, &mut *self.effort);
        *self.seen.entry(pattern).or_insert_with(|| {
            let pattern = PathPattern::new(pattern);
            for path in paths {
                if pattern.matches(path, effort)? {
                    return Some(true);
                }
            }
            Some(false)
        })
    }
}

/// What the checks look at, in lower case.
struct LoweredText {
    title: String,
    body: String,
    labels: HashSet<String>,
}

impl LoweredText {
    fn new(planned: &PlannedText<'_>) -> Self {
        Self {
            title: planned.title.to_lowercase(),
            body: planned.body.unwrap_or_default().to_lowercase(),
            labels: planned.labels.iter().map(|label| label.to_lowercase()).collect(),
        }
    }
}

impl PreMergeCheck {
    fn finding(&self, unmet: &[String], application: Application) -> Option<Finding> {
        let (code, severity, title) = if self.is_enforced {
            ("pre_merge_check_required", Severity::Critical, "A required pre-merge check is not met")
        } else {
            ("pre_merge_check_failed", Severity::Warning, "A pre-merge check is not met")
        };
        let detail = format!("{}: {}.", self.name, unmet.join("; "));
        let detail = match application {
            Application::Passes => return None,
            Application::Applies => detail,
            Application::Untried => format!(
                "{detail} Its patterns are too many and too long for all to be tried on so many paths, so it is taken to apply."
            ),
        };
        let finding = Finding::new(code, severity, format!("{title}: {}", self.name), detail);
        Some(finding.with_action("Change the pull request so that the check is met, then run the gate again."))
    }

    /// What is asked for and not there.
    fn unmet(&self, planned: &LoweredText) -> Vec<String> {
        let lacks = |text: &str, part: &str| !text.contains(&part.to_lowercase());
        let title = self.title_contains.as_ref().filter(|part| lacks(&planned.title, part));
        let body = self.description_contains.as_ref().filter(|part| lacks(&planned.body, part));
        let label = self.require_label.as_ref().filter(|label| !planned.labels.contains(&label.to_lowercase()));
        let unmet = [
            title.map(|part| format!("the title has to contain \"{part}\"")),
            body.map(|part| format!("the description has to contain \"{part}\"")),
            label.map(|label| format!("the label \"{label}\" is missing")),
        ];
        unmet.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hostile;

    fn check(when_paths: &[&str], is_enforced: bool) -> PreMergeCheck {
        PreMergeCheck {
            name: "tidy".to_owned(),
            when_paths: when_paths.iter().map(|path| (*path).to_owned()).collect(),
            title_contains: Some("FEAT".to_owned()),
            description_contains: Some("why".to_owned()),
            require_label: Some("Ready".to_owned()),
            is_enforced,
        }
    }

    #[test]
    fn one_finding_names_all_that_is_unmet() {
        let labels = ["ready ".to_owned()];
        let planned = PlannedText { title: "feat: x", labels: &labels, ..PlannedText::default() };
        let findings = pre_merge_findings(&[check(&[], true), check(&[], false)], &planned, &mut Effort::default());
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["pre_merge_check_required", "pre_merge_check_failed"]);
        assert!(findings[0].detail.contains("description") && findings[0].detail.contains("label"));
        assert!(!findings[0].detail.contains("title"));
    }

    fn codes(checks: &[PreMergeCheck], planned: &PlannedText<'_>) -> Vec<String> {
        let findings = pre_merge_findings(checks, planned, &mut Effort::default());
        findings.into_iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn a_pattern_that_many_checks_share_is_tried_once() {
        let (pattern, paths) = (hostile::patterns("*a", 1).concat(), hostile::paths("a", 100));
        let planned = PlannedText { changed_paths: Some(&paths), ..PlannedText::default() };
        let steps = |count| {
            let mut effort = Effort::default();
            assert!(pre_merge_findings(&vec![check(&[&pattern], false); count], &planned, &mut effort).is_empty());
            Effort::MOST - effort.left()
        };
        assert_eq!(steps(10_000), steps(1));
    }

    /// As many patterns as a manifest can hold, each tried on as many paths as there can be, take no more steps than these;
    /// what could not be tried is taken to apply and told.
    #[test]
    fn hostile_patterns_take_a_bounded_number_of_steps() {
        let patterns = hostile::patterns("*a", 2_500);
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let checks: Vec<PreMergeCheck> = patterns.chunks(50).map(|patterns| check(patterns, true)).collect();
        let paths = hostile::paths("a", 500);
        let planned = PlannedText { changed_paths: Some(&paths), ..PlannedText::default() };
        let mut effort = Effort::of(100_000);
        let findings = pre_merge_findings(&checks, &planned, &mut effort);
        assert_eq!((effort.left(), findings.len()), (0, 50));
        assert!(findings.iter().all(|finding| finding.detail.contains("taken to apply")));
    }

    #[test]
    fn a_check_with_paths_waits_for_paths() {
        let paths = ["docs/a.md".to_owned()];
        let known = PlannedText { changed_paths: Some(&paths), ..PlannedText::default() };
        assert_eq!(codes(&[check(&["src/", "docs/"], false)], &known).len(), 1);
        assert!(codes(&[check(&["src/"], false)], &known).is_empty());
        assert!(codes(&[check(&["docs/"], false)], &PlannedText::default()).is_empty());
        assert_eq!(codes(&[check(&[], false)], &PlannedText::default()).len(), 1);
    }
}
